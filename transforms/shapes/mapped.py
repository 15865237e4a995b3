"""The shape of exports that a mapping describes (``mapping.py``), written back into their own structure."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from tacenda.transforms.schema.conversation import OUTSIDE_TURNS
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.shapes.arrow_fields import as_text, is_list, is_text
from tacenda.transforms.shapes.content import EMBEDDED, content_field, walk_content
from tacenda.transforms.shapes.declared import check_texts, context_label, enumerated, identifier
from tacenda.transforms.shapes.json_text import Visit, texts_of
from tacenda.transforms.shapes.kept_cells import VisitValue
from tacenda.transforms.shapes.mapping import Turns
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Place, nearest, tree_of, walk, written_fields
from tacenda.transforms.shapes.shape import Cells, Labels, Parsed, Record, RecordShape
from tacenda.transforms.shapes.turn_order import is_time, time_order

_TEXT = "text"
_PIECES, _WHOLE = "pieces", "file"
_AS_IT_IS = ("before", "between", "behind")
_BEHIND = re.compile(r"(?:</v>)?\s*\Z")
"""What stands behind a turn's text: line ends and, in WebVTT, the end of a voice."""

_BEFORE_ALL = float("-inf"), 0
_KEPT_KINDS = ("speaker", "id", "context", "time", "label", "definition", "kept", "opaque")
_SPEAKER, _ID, _CONTEXT, _TIME, _LABEL, _DEFINITION, _KEPT, _OPAQUE = _KEPT_KINDS


class _Said(NamedTuple):
    """A text, its place, and the place and label of its speaker; ``role`` is None where there is none."""

    place: Place
    content: Any
    speaker_place: Place | None
    speaker: str | None
    role: str | None


class MappedShape(RecordShape):
    """Records in which a mapping says what the turns are; a frame is what is written of the record.

    Who speaks without a text, as a role beside a name, is the speaker of an empty cell outside of all turns.
    """

    declared = frozenset()

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        mapping = options.mapping
        assert mapping is not None
        if mapping.whole:
            mapping = mapping.within(_WHOLE)
        self.name = mapping.name
        self._mapping = mapping
        turns = mapping.turns
        kinds: dict[str, Any] = {}
        if mapping.of_text:
            turns = (Turns(f"{_PIECES}.text", (f"{_PIECES}.speaker",)),)
            kinds = {f"{_PIECES}.{name}": _OPAQUE for name in _AS_IT_IS}
        for kind, paths in (
            (_TIME, [one.time for one in turns if one.time]),
            (_SPEAKER, [path for one in turns for path in (*one.speaker, one.role) if path]),
            (_ID, filter(None, [mapping.id])),
            (_CONTEXT, filter(None, [mapping.context])),
            (_LABEL, mapping.labels),
            (_DEFINITION, mapping.definitions),
            (_OPAQUE, (*mapping.opaque, *options.opaque)),
            (_KEPT, [path for path in options.keep if path not in options.opaque]),
            *((one, [one.text]) for one in turns),
        ):
            for path in paths:
                if kinds.setdefault(path, kind) != kind and kind not in (_SPEAKER, _OPAQUE, _KEPT):
                    raise UserError(f"mapping {self.name}: {path}: is mapped twice; leave one out")
        for path in options.opaque:
            if kinds[path] != _OPAQUE:
                raise UserError(f"--opaque {path}: the mapping {self.name} reads it; leave it out")
        self._paths = tuple(kinds)
        self._tree = tree_of(kinds)

    def columns(self) -> list[str]:
        return [_TEXT] if self._mapping.of_text else sorted({path.partition(".")[0] for path in self._paths})

    def written_fields(self) -> frozenset[str]:
        paths = (path.removeprefix(f"{_WHOLE}.") if self._mapping.whole else path for path in self._paths)
        return frozenset([_TEXT] if self._mapping.of_text else paths)

    @property
    def id_fields(self) -> tuple[str, ...]:
        return (self._mapping.id,) if self._mapping.id else ()

    def as_record(self, value: Any) -> Record:
        return {_WHOLE: value} if self._mapping.whole else super().as_record(value)

    def parse(self, record: Record) -> Parsed:
        if self._mapping.of_text:
            record = {_PIECES: list(self._pieces(record.get(_TEXT)))}
        found: dict[str, Any] = {}
        frame = walk(record, self._tree, lambda kind, place, value: _checked(kind, value, found))
        said = self._said(frame)
        if not said and not found.get(_TEXT):
            raise RecordError("MissingField", " or ".join(one.text for one in self._mapping.turns) or None)
        cells = Cells(self.options.max_turn_chars)
        for number, one in enumerate(said):
            _rewritten(one.content, cells.visit(number, one.speaker))
        for label in self._speakers_alone(frame, said).values():
            cells.add(OUTSIDE_TURNS, label, _SPEAKER, "")
        return cells.parsed(frame, identifier(found, [_ID]), context_label(found, _CONTEXT))

    def render(self, frame: Record, texts: Sequence[str], speakers: Sequence[str | None]) -> Record:
        cells = iter(zip(texts, speakers, strict=True))
        new: dict[Place, Any] = {}
        said = self._said(frame)
        for one in said:
            labels: list[str | None] = []

            def replaced(path: str, text: str, labels: list[str | None] = labels) -> str:
                written, speaker = next(cells)
                labels.append(speaker)
                return written

            new[one.place] = _rewritten(one.content, replaced)
            if labels and one.speaker_place is not None:
                new[one.speaker_place] = labels[0]
        new |= {place: next(cells)[1] for place in self._speakers_alone(frame, said)}
        if next(cells, None) is not None:
            raise ValueError("more cells than the record has places for")

        def put(kind: Any, place: Place, value: Any) -> Any:
            # A number that stays is one.
            return value if kind == _SPEAKER and new.get(place) == str(value) else new.get(place, value)

        written = walk(frame, self._tree, put)
        if self._mapping.of_text:
            return {_TEXT: "".join(text for piece in written[_PIECES] for text in piece.values() if text)}
        return written[_WHOLE] if self._mapping.whole else written  # type: ignore[no-any-return]

    def _said(self, frame: Record) -> list[_Said]:
        """The turns of a record, in order."""
        said: list[tuple[Any, _Said]] = []

        def collect(kind: Any, place: Place, value: Any) -> Any:
            if type(kind) is Turns and value is not None:
                who = [found for path in kind.speaker if (found := nearest(frame, path, place))]
                named = next((one for one in who if one[1] not in (None, "")), None)
                role = None if kind.role is None else nearest(frame, kind.role, place)
                when = None if kind.time is None else nearest(frame, kind.time, place)
                key = _BEFORE_ALL if when is None or when[1] is None else time_order(when[1])
                is_named = named or ((role[0], role[1]) if role and role[1] else None)
                label = None if is_named is None else str(is_named[1])
                at = None if is_named is None else is_named[0]
                said.append((key, _Said(place, value, at, label, role[1] if role else None)))
            return value

        walk(frame, self._tree, collect)
        if any(one.time for one in self._mapping.turns):
            said.sort(key=lambda pair: pair[0])
        return [one for _, one in said]

    def _speakers_alone(self, frame: Record, said: Sequence[_Said]) -> dict[Place, str]:
        """Labels of speakers that no cell of a turn has, by their places."""
        has_text = {one.speaker_place for one in said if list(_texts(one.content))}
        alone: dict[Place, str] = {}

        def collect(kind: Any, place: Place, value: Any) -> Any:
            if kind == _SPEAKER and value not in (None, "") and place not in has_text:
                alone[place] = str(value)
            return value

        walk(frame, self._tree, collect)
        return alone

    def roles_of(self, frame: Record) -> list[str | None] | None:
        return [one.role for one in self._said(frame)]

    def relabelled(self, frame: Record, conversation_id: str, context: str) -> Record:
        new = {_ID: conversation_id, _CONTEXT: context}
        return walk(  # type: ignore[no-any-return]
            frame,
            self._tree,
            lambda kind, place, value: new[kind] if type(kind) is str and kind in new and value else value,
        )

    def labels_of(self, frame: Record) -> Labels:
        identifiers: list[str] = []
        definitions: list[str] = []

        def collect(kind: Any, place: Place, value: Any) -> Any:
            if kind == _LABEL:
                identifiers.extend(texts_of(value))
            elif kind == _DEFINITION:
                definitions.extend(texts_of(value))
            return value

        walk(frame, self._tree, collect)
        return Labels(identifiers, definitions)

    def constants_of(self, frame: Record) -> frozenset[str]:
        if not self._mapping.definitions:
            return frozenset()
        found: list[Any] = []
        walk(
            frame, self._tree, lambda kind, place, value: found.append(value) if kind == _DEFINITION else None
        )
        return enumerated(value for value in found if value)

    def map_kept(self, frame: Record, visit: VisitValue) -> Record:
        return walk(  # type: ignore[no-any-return]
            frame,
            self._tree,
            lambda kind, place, value: (
                visit(None, ".".join(map(str, place)), value) if kind == _KEPT else value
            ),
        )

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        return pa.schema(written_fields(list(source), self._tree, _written_type))

    def _pieces(self, text: Any) -> Iterator[Record]:
        """The turns of a text, with what stands around them."""
        check_texts([text], self.options.max_turn_chars)
        if self._mapping.mail:
            yield from _turns_of_mail(text)
            return
        opening = re.match(self._mapping.opening, text)
        done = opening.end() if opening else 0
        if done:
            yield {"before": text[:done]}
        begins = [*re.finditer(self._mapping.begins or "", text[done:])]
        starts = [done + one.start() for one in begins]
        if text[done : starts[0] if starts else None]:
            yield from _piece("", None, text[done : starts[0] if starts else len(text)])
        for one, stop in zip(begins, [*starts[1:], len(text)], strict=True):
            spoken = "speaker" in one.re.groupindex and one["speaker"] is not None
            yield from _piece(
                one[0], one.span("speaker") if spoken else None, text[done + one.end() : stop], one
            )


def _piece(
    head: str, speaker: tuple[int, int] | None, text: str, match: re.Match[str] | None = None
) -> Iterator[Record]:
    """A turn: what stands before its speaker, its speaker, what stands between, its text, what is behind."""
    behind = _BEHIND.search(text)
    end = behind.start() if behind else len(text)
    piece: Record = {"before": head}
    if speaker is not None and match is not None:
        first, last = (place - match.start() for place in speaker)
        piece = {"before": head[:first], "speaker": head[first:last], "between": head[last:]}
    if text[:end]:
        piece["text"] = text[:end]
    yield {**piece, "behind": text[end:]}


def _turns_of_mail(text: str) -> Iterator[Record]:
    """The subject and the body of a mail; what is attached is not read.

    Raises:
        RecordError: ``UnsupportedContent`` if it has no text.
    """
    from email import message_from_string, policy  # takes a while

    mail = message_from_string(
        text.partition("\n")[2] if text.startswith("From ") else text, policy=policy.default
    )
    body = mail.get_body(("plain", "html"))
    if body is None:
        raise RecordError("UnsupportedContent")
    try:
        content = body.get_content()
    except (LookupError, ValueError):
        raise RecordError("UnsupportedContent") from None
    sender = str(mail.get("from", "")) or None
    for said in (str(mail.get("subject", "")), content.strip()):
        if said:
            yield {"speaker": sender, "text": said}


def _checked(kind: Any, value: Any, found: dict[str, Any]) -> Any:
    """A value that is written, if it may stand where it does; notes what the conversation is called."""
    if type(kind) is Turns:
        found[_TEXT] = True
    elif kind in (_ID, _CONTEXT):
        found.setdefault(kind, value)
    elif kind == _TIME and not is_time(value):
        raise RecordError("NoTime")
    elif kind == _SPEAKER and not (value is None or type(value) in (str, int)):
        raise RecordError("WrongType")
    return value


def _rewritten(content: Any, visit: Visit) -> Any:
    """The content of a turn: a text, or a list of texts and of parts as chats have them."""
    if type(content) is not list:
        return walk_content(content, "", visit)
    paths = [""] if len(content) == 1 else [f"content.{number}" for number in range(len(content))]
    return [_rewritten_part(part, path, visit) for part, path in zip(content, paths, strict=True)]


def _rewritten_part(part: Any, path: str, visit: Visit) -> Any:
    if part is None or type(part) is str:
        return part and visit(path, part)
    if type(part) is dict and "type" not in part and "content_type" in part:
        return EMBEDDED
    (written,) = walk_content([part], path, visit)
    return written


def _texts(content: Any) -> Iterator[str]:
    found: list[str] = []

    def collect(path: str, text: str) -> str:
        found.append(text)
        return text

    _rewritten(content, collect)
    yield from found


def _written_type(kind: Any, source: pa.DataType) -> pa.DataType:
    field = pa.field(_TEXT, source)
    if type(kind) is Turns:
        of_texts = is_list(source) and is_text(source.value_type)
        return pa.list_(source.value_type) if of_texts else content_field(field).type
    return as_text(field).type if kind in (_SPEAKER, _ID) else source
