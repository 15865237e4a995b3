"""Read one declared field of a record, or raise a ``RecordError`` that says what is wrong with it."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from tacenda.transforms.schema.conversation import AnnotatedSpan, Annotation
from tacenda.transforms.schema.errors import RecordError

MISSED = "MISSED_"  # prefix of reviewers' tags, which distinguishes them from the infoTypes of gold
REVIEWED_BY = "reviewed_by"  # the field for the name of the person who reviewed a conversation

_LONGEST_NAME = 100
_NOBODY = re.compile(  # what people write where no name is known, in letters and digits alone
    "todo|tbd|na|none|null|nil|nobody|noone|notread|unread|notyet|anonymous|anon|unknown"
    "|reviewedby|reviewer|reader|name|yourname|test|xxx?|me|ninguno|nadie"
)
_FILLERS = str.maketrans("", "", "\u115f\u1160")  # invisible letters, as NFKC maps them

_CONTEXT = re.compile(r"(?!.*\d{5})(?!(?:\D*\d){7})[^@\n\r]{1,80}")
"""A label may contain a year and a number; seven digits could be a telephone number."""

TURN_TOO_LONG = "TurnTooLong"  # the error class of a turn above ``max_turn_chars``


def refuse(wrong: object, error: str, field: str | None = None) -> None:
    """Raise an error class, and the field that it is about, if a value is wrong."""
    if wrong:
        raise RecordError(error, field)


MOST_LEVELS = 100  # fixed, since the interpreter's limit depends on the caller's depth


def refuse_too_deep(value: Any) -> None:
    """Refuse a value of JSON of more levels."""
    level = [value]
    for _ in range(MOST_LEVELS + 1):
        outer = (one.values() if type(one) is dict else one for one in level if type(one) in (dict, list))
        level = [*chain.from_iterable(outer)]
        if not level:
            return
    raise RecordError("UnsupportedContent")


def identifier(record: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return the first id under one of the names, as text; None if there is none."""
    name = identifier_field(record, names)
    refuse(name is not None and type(record[name]) not in (str, int), "WrongType", name)
    return None if name is None else str(record[name])


def identifier_field(record: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return the first of the names under which there is an id; the others are not used."""
    return next((name for name in names if record.get(name) not in (None, "")), None)


def context_label(record: Mapping[str, Any], name: str) -> str:
    """Return the context of a conversation; empty if it is missing or null."""
    value = record.get(name)
    refuse(value is not None and type(value) is not str, "WrongType")
    refuse(not is_context(value), "ContextIsText")
    return value or ""


def is_context(value: str | None) -> bool:
    """Whether a context can be a label such as ``sales``: statistics and report show it unchanged.

    In some corpora, the field is a passage of text or an address.

    >>> is_context("customer_support"), is_context("anna@x.se"), is_context("+46 70 123 45 67")
    (True, False, False)
    """
    return not value or bool(_CONTEXT.fullmatch(value))


def required(value: Any, name: str) -> Any:
    """Return the value of a field."""
    refuse(value is None, "MissingField", name)
    return value


def entries(record: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Return a list of objects."""
    value: list[dict[str, Any]] = required(record.get(name), name)
    refuse(type(value) is not list or not all(type(entry) is dict for entry in value), "WrongType", name)
    return value


def check_texts(texts: Sequence[Any], max_chars: int) -> None:
    """Check that all texts are text of an allowed length."""
    kinds = set(map(type, texts))
    refuse(kinds - {str}, "NullText" if None in texts else "WrongType")
    refuse(texts and max(map(len, texts)) > max_chars, TURN_TOO_LONG)


def speaker_names(values: Sequence[Any]) -> list[str | None]:
    """Return speakers as text; diarisation often numbers them."""
    kinds = set(map(type, values))
    refuse(kinds - {str, int, type(None)}, "WrongType")
    return [value if value is None else str(value) for value in values] if int in kinds else list(values)


def annotated_spans(value: Any, text: str) -> tuple[AnnotatedSpan, ...]:
    """Read the spans of a turn."""
    refuse(type(value) is not list, "BadSpan")
    spans = []
    for item in value:
        refuse(type(item) is not dict, "BadSpan")
        start, end, label = item.get("start"), item.get("end"), item.get("label")
        refuse(type(start) is not int or type(end) is not int or type(label) is not str, "BadSpan")
        refuse(not 0 <= start < end <= len(text), "BadSpan")
        refuse(type(said := item.get("text")) is str and said != text[start:end], "BadSpan")
        entity = item.get("entity_id") if item.get("entity") is None else item["entity"]
        refuse(entity is not None and type(entity) not in (str, int), "BadSpan")
        spans.append(AnnotatedSpan(start, end, label, None if entity is None else str(entity)))
    return tuple(spans)


def reader_name(value: Any) -> str:
    """Return the name of a reader on one line; empty if the value is not a name.

    A name has two letters or digits (of a personnel number) and at most a hundred characters, and is not a word
    that stands for nobody, such as *TODO*.

    >>> reader_name(" Pam  Beesly "), reader_name(" - "), reader_name(None)
    ('Pam Beesly', '', '')
    """
    if type(value) is not str:
        return ""
    shown = unicodedata.normalize("NFKC", value).translate(_FILLERS)
    name = " ".join("".join(c if c.isprintable() else " " for c in shown).split())
    letters = "".join(filter(str.isalnum, name)).casefold()
    return name if len(name) <= _LONGEST_NAME and len(letters) > 1 and not _NOBODY.fullmatch(letters) else ""


def annotation_of(record: Mapping[str, Any], spans: Sequence[Sequence[AnnotatedSpan]] | None) -> Annotation:
    """Determine from its marks who annotated a record; ``spans`` is None if no turn has the field.

    Its field ``gold`` is ``none``, ``partial``, or ``complete``: unmarked text is not personal.
    """
    if spans is None or record.get("gold") == "none":
        return Annotation.NONE
    if any(span.label.startswith(MISSED) for turn in spans for span in turn):
        return Annotation.HUMAN
    if record.get("gold") == "partial":
        return Annotation.PARTIAL_GOLD
    return Annotation.GOLD if any(spans) or record.get("gold") == "complete" else Annotation.EMPTY_GOLD
