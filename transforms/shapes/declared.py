"""Read one declared field of a record, or raise its error class."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from tacenda.transforms.schema.conversation import AnnotatedSpan, Annotation
from tacenda.transforms.schema.errors import RecordError

MISSED = "MISSED_"
"""What a reviewer's tags begin with, and an infoType of a gold corpus does not."""

REVIEWED_BY = "reviewed_by"
"""The field in which whoever read an anonymised conversation puts a name."""

_LONGEST_NAME = 100
_FILLERS = str.maketrans("", "", "\u115f\u1160")
"""Letters that show nothing; compatibility forms of them become these."""

_CONTEXT = re.compile(r"(?!.*\d{5})(?!(?:\D*\d){7})[^@\n\r]{1,80}")
"""A label may hold a year and a number; seven digits can be a telephone number, however it is grouped."""


def identifier(record: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return the first id present under one of the names, as text; None where there is none.

    Raises:
        RecordError: ``WrongType`` where the id is neither text nor an integer.
    """
    name = identifier_field(record, names)
    if name is None:
        return None
    value = record[name]
    if type(value) not in (str, int):
        raise RecordError("WrongType")
    return str(value)


def identifier_field(record: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return under which of the names the id stands: what another of them holds is not looked at."""
    return next((name for name in names if record.get(name) not in (None, "")), None)


def relabelled_record(
    record: Mapping[str, Any], ids: Sequence[str], context_name: str, conversation_id: str, context: str
) -> dict[str, Any]:
    """Return a record with another id, and another context where it has one."""
    written = dict(record)
    name = identifier_field(record, ids)
    if name is not None:
        written[name] = conversation_id
    if written.get(context_name):
        written[context_name] = context
    return written


def required_identifier(record: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the record's id.

    Raises:
        RecordError: ``MissingField`` or ``WrongType``.
    """
    found = identifier(record, names)
    if found is None:
        raise RecordError("MissingField")
    return found


def context_label(record: Mapping[str, Any], name: str) -> str:
    """Return the context of a conversation, empty where it is missing or null.

    Raises:
        RecordError: ``WrongType``; ``ContextIsText`` where it is no label, see :func:`is_context`.
    """
    value = record.get(name)
    if value is None:
        return ""
    if type(value) is not str:
        raise RecordError("WrongType")
    if not is_context(value):
        raise RecordError("ContextIsText")
    return value


def is_context(value: str | None) -> bool:
    """Say whether a context can be a label, as ``sales``: statistics and report show it as it is.

    What some corpora call a context is a passage of text, or an address.

    >>> is_context("customer_support"), is_context("anna@x.se"), is_context("+46 70 123 45 67")
    (True, False, False)
    """
    return not value or bool(_CONTEXT.fullmatch(value))


def entries(record: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Return a list of objects.

    Raises:
        RecordError: ``MissingField`` or ``WrongType``.
    """
    value = record.get(name)
    if value is None:
        raise RecordError("MissingField")
    if type(value) is not list or not all(type(entry) is dict for entry in value):
        raise RecordError("WrongType")
    return value


def check_texts(texts: Sequence[Any], max_chars: int) -> None:
    """Check that all texts are text of an allowed length.

    Raises:
        RecordError: ``NullText``, ``WrongType`` or ``TurnTooLong``.
    """
    kinds = set(map(type, texts))
    if kinds - {str}:
        raise RecordError("NullText" if None in texts else "WrongType")
    if texts and max(map(len, texts)) > max_chars:
        raise RecordError("TurnTooLong")


def required_text(record: Mapping[str, Any], name: str, max_chars: int) -> str:
    """Return a text of an allowed length.

    Raises:
        RecordError: ``MissingField``, ``NullText``, ``WrongType`` or ``TurnTooLong``.
    """
    if name not in record:
        raise RecordError("MissingField")
    check_texts([record[name]], max_chars)
    text: str = record[name]
    return text


def speaker_names(values: Sequence[Any]) -> list[str | None]:
    """Return speakers as text; diarisation often numbers them.

    Raises:
        RecordError: ``WrongType``.
    """
    kinds = set(map(type, values))
    if kinds <= {str, type(None)}:
        return list(values)
    if kinds <= {str, int, type(None)}:
        return [value if value is None else str(value) for value in values]
    raise RecordError("WrongType")


def annotated_spans(value: Any, text: str) -> tuple[AnnotatedSpan, ...]:
    """Read the spans of a turn.

    Raises:
        RecordError: ``BadSpan`` where one is no range of the text, or has no label.
    """
    if type(value) is not list:
        raise RecordError("BadSpan")
    spans = []
    for item in value:
        if type(item) is not dict:
            raise RecordError("BadSpan")
        start, end, label = item.get("start"), item.get("end"), item.get("label")
        if type(start) is not int or type(end) is not int or type(label) is not str:
            raise RecordError("BadSpan")
        if not 0 <= start < end <= len(text):
            raise RecordError("BadSpan")
        entity = item.get("entity")
        if entity is None:
            entity = item.get("entity_id")
        if entity is not None and type(entity) not in (str, int):
            raise RecordError("BadSpan")
        spans.append(AnnotatedSpan(start, end, label, None if entity is None else str(entity)))
    return tuple(spans)


def reader_of(record: Mapping[str, Any]) -> str | None:
    """Return who read a record, see :func:`reader_name`; None where it has no place for a name."""
    return reader_name(record[REVIEWED_BY]) if REVIEWED_BY in record else None


def reader_name(value: Any) -> str:
    """Return the name of a reader on one line; empty where the value names nobody.

    A name has a letter or a digit (of a personnel number) and at most a hundred characters.

    >>> reader_name(" Pam  Beesly "), reader_name(" - "), reader_name(None)
    ('Pam Beesly', '', '')
    """
    if type(value) is not str:
        return ""
    shown = unicodedata.normalize("NFKC", value).translate(_FILLERS)
    name = " ".join("".join(c if c.isprintable() else " " for c in shown).split())
    return name if len(name) <= _LONGEST_NAME and any(map(str.isalnum, name)) else ""


def annotation_of(record: Mapping[str, Any], spans: Sequence[Sequence[AnnotatedSpan]] | None) -> Annotation:
    """Say who annotated a record, which only marks tell; ``spans`` is None where no turn carries the field."""
    if spans is None:
        return Annotation.NONE
    reviewed = any(span.label.startswith(MISSED) for turn in spans for span in turn)
    return annotation(record.get("gold"), reviewed, any(spans))


def annotation(gold: Any, reviewed: bool, marked: bool) -> Annotation:
    """Say who annotated a conversation whose turns carry spans.

    Args:
        gold: what its field ``gold`` says: ``none``, ``partial``, or ``complete``, which makes a statement of
            it that nothing is marked.
        reviewed: whether a span has a reviewer's tag.
        marked: whether there is any span.
    """
    if gold == "none":
        return Annotation.NONE
    if reviewed:
        return Annotation.HUMAN
    if gold == "partial":
        return Annotation.PARTIAL_GOLD
    return Annotation.GOLD if marked or gold == "complete" else Annotation.EMPTY_GOLD
