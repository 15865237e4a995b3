"""The shape of exports that a mapping describes (``mapping.py``), written back into their own structure."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pyarrow as pa

from tacenda.transforms.schema.conversation import OUTSIDE_TURNS
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.shapes.arrow_fields import is_list, is_text, text_type
from tacenda.transforms.shapes.content import EMBEDDED, To, content_type, walk_content
from tacenda.transforms.shapes.declared import check_texts, context_label, identifier, refuse
from tacenda.transforms.shapes.json_text import texts_of
from tacenda.transforms.shapes.mapping import Turns
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind, Place, Tree, nearest, tree_of, walk
from tacenda.transforms.shapes.shape import Parsed, Record, Shape, Sink
from tacenda.transforms.shapes.turn_order import is_time, time_order

_TEXT = "text"
_PIECES = "pieces"
_AS_IT_IS = ("before", "between", "behind")
_BEHIND = re.compile(r"(?:</v>)?\s*\Z")  # behind a turn's text; WebVTT ends a voice

_BEFORE_ALL = float("-inf"), 0
_SPEAKER = "speaker"


class _Said(NamedTuple):
    """A text, its place, and the place and label of its speaker; ``role`` is None where there is none."""

    place: Place
    content: Any
    speaker_place: Place | None
    speaker: str | None
    role: str | None


class MappedShape(Shape):
    """Records in which a mapping says what the turns are.

    Who speaks without a text, as a role beside a name, is the speaker of an empty cell outside of all turns.
    """

    declared = frozenset()

    def __init__(self, options: ReadOptions) -> None:
        assert options.mapping is not None
        self._mapping = options.mapping
        self.name = self._mapping.name
        super().__init__(options)
        self.id_fields = (self._mapping.id,) if self._mapping.id else ()
        # A list of messages is a record, too, where a whole file is one.
        self.record_types = (dict, list) if self._mapping.whole else (dict,)

    def _planted(self) -> Tree:
        mapping, options = self._mapping, self.options
        turns = mapping.turns
        kinds: dict[str, Any] = {}
        if mapping.of_text:
            turns = (Turns(f"{_PIECES}.text", (f"{_PIECES}.speaker",)),)
            kinds = {f"{_PIECES}.{name}": Kind.OPAQUE for name in _AS_IT_IS}
        may_be_twice = (Kind.SPEAKER, Kind.OPAQUE, Kind.KEPT)
        for kind, paths in (
            (Kind.TIME, [one.time for one in turns]),
            (Kind.SPEAKER, [path for one in turns for path in (*one.speaker, one.role)]),
            (Kind.ID, [mapping.id]),
            (Kind.CONTEXT, [mapping.context]),
            (Kind.LABEL, mapping.labels),
            (Kind.DEFINITION, mapping.definitions),
            (Kind.OPAQUE, (*mapping.opaque, *options.opaque)),
            (Kind.KEPT, [path for path in options.keep if path not in options.opaque]),
            *((one, [one.text]) for one in turns),
        ):
            for path in filter(None, paths):
                if kinds.setdefault(path, kind) != kind and kind not in may_be_twice:
                    raise UserError(f"mapping {self.name}: {path}: is mapped twice; leave one out")
        for path in options.opaque:
            if kinds[path] != Kind.OPAQUE:
                raise UserError(f"--opaque {path}: the mapping {self.name} reads it; leave it out")
        self._paths = tuple(kinds)
        return tree_of(kinds)

    def columns(self) -> list[str]:
        return [_TEXT] if self._mapping.of_text else super().columns()

    def written_fields(self) -> frozenset[str]:
        return frozenset([_TEXT] if self._mapping.of_text else self._paths)

    def parse(self, record: Record) -> Parsed:
        if self._mapping.of_text:
            record = {_PIECES: list(self._pieces(record.get(_TEXT)))}
        found: dict[str, Any] = {}

        def checked(kind: Any, place: Place, value: Any) -> Any:
            found.setdefault(_TEXT if type(kind) is Turns else kind.name, value)
            refuse(kind is Kind.TIME and not is_time(value), "NoTime")
            refuse(kind is Kind.SPEAKER and not (value is None or type(value) in (str, int)), "WrongType")
            return value

        parsed = Parsed(self.options.max_turn_chars, frame=walk(record, self.tree, checked))
        self.rewrite(parsed.frame, parsed)
        if _TEXT not in found:
            raise RecordError("MissingField", " or ".join(one.text for one in self._mapping.turns) or None)
        parsed.id, parsed.context = identifier(found, [Kind.ID.name]), context_label(found, Kind.CONTEXT.name)
        return self.completed(parsed)

    def rewrite(self, record: Record, to: Sink) -> Record:
        new: dict[Place, Any] = {}
        spoken: set[Place | None] = set()
        for turn, one in enumerate(self._said(record)):
            labels: list[str | None] = []

            def say(path: str, text: str, turn: int = turn, one: _Said = one, labels: Any = labels) -> str:
                written, label = to.add(turn, one.speaker, path, text)
                labels.append(label)
                return written

            new[one.place] = _rewritten(one.content, To(say, to.note))
            if labels and one.speaker_place is not None:
                spoken.add(one.speaker_place)
                new[one.speaker_place] = labels[0]

        def put(kind: Any, place: Place, value: Any) -> Any:
            if kind is Kind.SPEAKER:
                if value not in (None, "") and place not in spoken:
                    new[place] = to.add(OUTSIDE_TURNS, str(value), _SPEAKER, "")[1]
                # A number that stays is one.
                return value if new.get(place) == str(value) else new.get(place, value)
            if kind in (Kind.LABEL, Kind.DEFINITION):
                for text in texts_of(value):
                    to.note(kind, text)
            return new.get(place, value)

        return walk(record, self.tree, put)  # type: ignore[no-any-return]

    def finished(self, record: Record, frame: Record) -> list[Record]:
        if self._mapping.of_text:
            return [{_TEXT: "".join(text for piece in record[_PIECES] for text in piece.values() if text)}]
        return [record]

    def _said(self, frame: Record) -> list[_Said]:
        """The turns of a record, in order."""
        said: list[tuple[Any, _Said]] = []

        def collect(kind: Any, place: Place, value: Any) -> Any:
            def near(path: str | None) -> tuple[Place | None, Any]:
                return (path and nearest(frame, path.split("."), place)) or (None, None)

            if type(kind) is Turns and value is not None:
                when, role = near(kind.time)[1], near(kind.role)
                who = (*map(near, kind.speaker), role, (None, None))
                at, label = next((one for one in who if one[1] not in (None, "")), who[-1])
                spoken = _Said(place, value, at, None if label is None else str(label), role[1])
                said.append((_BEFORE_ALL if when is None else time_order(when), spoken))
            return value

        walk(frame, self.tree, collect)
        if any(one.time for one in self._mapping.turns):
            said.sort(key=lambda pair: pair[0])
        return [one for _, one in said]

    def roles_of(self, frame: Record) -> list[str | None] | None:
        return [one.role for one in self._said(frame)]

    def relabelled(self, frame: Record, conversation_id: str, context: str) -> Record:
        new: dict[Any, str] = {Kind.ID: conversation_id, Kind.CONTEXT: context}
        return walk(frame, self.tree, lambda kind, _, value: value and new.get(kind, value))  # type: ignore[no-any-return]

    def _column(self, kind: Any, source: pa.DataType) -> pa.DataType:
        if type(kind) is Turns:
            of_texts = is_list(source) and is_text(source.value_type)
            return pa.list_(source.value_type) if of_texts else content_type(source)
        return text_type(source) if kind in (Kind.SPEAKER, Kind.ID) else source

    def _pieces(self, text: Any) -> Iterator[Record]:
        """The turns of a text, with what stands around them."""
        check_texts([text], self.options.max_turn_chars)
        opening = re.match(self._mapping.opening, text)
        done = opening.end() if opening else 0
        if done:
            yield {"before": text[:done]}
        begins = [*re.finditer(self._mapping.begins or "", text[done:])]
        first, *stops = *(done + one.start() for one in begins), len(text)
        if text[done:first]:
            yield _piece({"before": ""}, text[done:first])
        for one, stop in zip(begins, stops, strict=True):
            first, last = one.span("speaker") if "speaker" in one.re.groupindex else (-1, -1)
            head, said = one[0], text[done + one.end() : stop]
            if first < 0:
                yield _piece({"before": head}, said)
            else:
                first, last = first - one.start(), last - one.start()
                around = {"before": head[:first], "speaker": head[first:last], "between": head[last:]}
                yield _piece(around, said)


def _piece(head: Record, text: str) -> Record:
    """A turn: what stands before its speaker, its speaker, what stands between, its text, what is behind."""
    behind = _BEHIND.search(text)
    end = behind.start() if behind else len(text)
    return {**head, **({"text": text[:end]} if end else {}), "behind": text[end:]}


def _rewritten(content: Any, to: To) -> Any:
    """The content of a turn: a text, or a list of texts and of parts as chats have them."""
    if type(content) is not list:
        return walk_content(content, "", to)
    written = []
    for number, part in enumerate(content):
        path = "" if len(content) == 1 else f"content.{number}"
        if part is None or type(part) is str:
            written.append(part and walk_content(part, path, to))
        elif type(part) is dict and "type" not in part and "content_type" in part:
            written.append(EMBEDDED)
        else:
            written += walk_content([part], path, to)
    return written
