"""Shape: a table of paths and what is done with them, and all that follows from it for reading and writing."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, time
from decimal import Decimal
from functools import partial
from itertools import accumulate, compress
from typing import Any, ClassVar

import pyarrow as pa

from tacenda.transforms.schema.conversation import (
    OUTSIDE_TURNS,
    AnnotatedSpan,
    Annotation,
    ConversationBatch,
)
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.arrow_fields import in_column
from tacenda.transforms.shapes.content import COLUMNS, PART_FIELDS, To
from tacenda.transforms.shapes.declared import (
    check_texts,
    context_label,
    identifier,
    identifier_field,
    refuse,
    refuse_too_deep,
)
from tacenda.transforms.shapes.json_cells import CALLERS, holds_json, split, without_json_cells
from tacenda.transforms.shapes.json_text import (
    UniqueKeys,
    Visit,
    as_number,
    call_labels,
    is_parameter,
    is_searched,
    key_path,
    texts_of,
)
from tacenda.transforms.shapes.options import ReadOptions, actual_name
from tacenda.transforms.shapes.paths import LIST, Kind, Place, Tree, walk, written_fields
from tacenda.transforms.shapes.turn_order import is_time
from tacenda.transforms.storage.json_values import NUMBERS

Record = dict[str, Any]
Reading = tuple[ConversationBatch, list[Rejection]]


class Sink(ABC):
    """Where the cells of a record go as it is read, or what is written in their place comes from."""

    __slots__ = ()

    @abstractmethod
    def add(
        self, turn: int, speaker: str | None, part: str, text: Any, is_number: bool = False
    ) -> tuple[str, str | None]:
        """The text and the speaker that are written for the next cell."""

    @abstractmethod
    def note(self, kind: Kind, label: str) -> None:
        """Take what is written as it is, and is checked for personal data."""

    def text(self, turn: int, speaker: str | None, part: str, text: Any) -> str:
        """The text of a cell whose speaker is written elsewhere; see ``Visit``."""
        return self.add(turn, speaker, part, text)[0]

    def content(self, turn: int, part: str) -> To:
        return To(partial(self.text, turn, part), self.note)


class Replaced(Sink):
    """The new texts and speakers of the cells of one conversation, in order."""

    __slots__ = ("cells",)

    def __init__(self, texts: Sequence[str], speakers: Sequence[str | None]) -> None:
        self.cells = zip(texts, speakers, strict=True)

    def add(
        self, turn: int, speaker: str | None, part: str, text: Any, is_number: bool = False
    ) -> tuple[str, str | None]:
        return next(self.cells)

    def note(self, kind: Kind, label: str) -> None:
        pass


@dataclass(slots=True)
class Parsed(Sink):
    """One conversation as columns; ``id`` is None if the record has none and its position must serve."""

    most_chars: int
    frame: Any = None
    id: str | None = None
    context: str = ""
    annotation: Annotation = Annotation.NONE
    reader: str | None = None
    labels: list[tuple[Kind, str]] = field(default_factory=list)
    """What is written as it is, beside the id and the context: see ``ConversationBatch.labels``."""
    cells: list[tuple[int, str, str | None, str | None, bool]] = field(default_factory=list)
    """Turn, text, speaker and part of each, and whether it is a number in arguments of a call."""
    spans: dict[int, Sequence[AnnotatedSpan]] = field(default_factory=dict)
    json_texts: dict[int, str] = field(default_factory=dict)

    def add(
        self, turn: int, speaker: str | None, part: str, text: Any, is_number: bool = False
    ) -> tuple[str, str | None]:
        if type(text) is not str or len(text) > self.most_chars:
            check_texts([text], self.most_chars)
        self.cells.append((turn, text, speaker, part or None, is_number))
        return text, speaker

    def note(self, kind: Kind, label: str) -> None:
        self.labels.append((kind, label))

    def open_json(self) -> None:
        """Split the cells that hold JSON, and note the names of functions and ids of calls in that of callers.

        Annotated spans stay with the JSON's own cell (``gold_cells``).
        """
        if not any(holds_json(text) for _, text, *_ in self.cells):
            return
        cells, spans, self.cells, self.spans = self.cells, self.spans, [], {}
        for k, (turn, text, speaker, part, is_number) in enumerate(cells):
            own, is_json = len(self.cells), holds_json(text)
            if k in spans:
                self.spans[own] = spans[k]
            self.cells.append((turn, "" if is_json else text, speaker, part, is_number))
            if is_json:
                self.json_texts[own] = text
                split(self.json_texts[own], speaker, part, partial(self.text, turn, speaker))
                if speaker in CALLERS:
                    self.labels += [(Kind.TOOL, name) for name in call_labels(text)]


class Shape(ABC):
    """Reads records of one shape into conversations, and writes them back.

    A shape is created once a run from the options, knows the actual field names, and can be pickled. Bad
    records do not raise when read, but give rejections. Writing takes the texts and speakers of all cells of
    a batch and returns records with declared and kept fields only; gold spans are not written, since their
    offsets no longer fit. A frame is what is written of a record.
    """

    name: str
    declared: ClassVar[frozenset[str]]  # canonical names of the fields that ``ReadOptions.fields`` may map
    needed: ClassVar[Mapping[str, type | None]]  # the fields by which it is recognised, and their types
    table: ClassVar[Mapping[str, Kind]] = {}  # what is done with each written field, by its canonical path
    entries_field: ClassVar[str] = ""  # canonical name of the list whose entries can have kept fields
    texts_beside: ClassVar[tuple[str, ...]] = ()  # written and anonymised like kept fields, named or not
    grouped: ClassVar[bool] = (
        False  # whether conversations are spread over records, to be partitioned by them
    )
    id_names: ClassVar[tuple[str, ...]] = ("conversation_id", "id")
    record_types: tuple[type, ...] = (dict,)
    times: tuple[str, ...] = ()  # fields that order turns: what is a time there need not be searched

    def __init__(self, options: ReadOptions) -> None:
        self.options = replace(options, keep=tuple(dict.fromkeys((*options.keep, *self.texts_beside))))
        mapped = options.fields.get("conversation_id")
        self.id_fields = (mapped,) if mapped else self.id_names
        """The fields that may have the id of a conversation; the first that a record has is its id."""
        self._context = self.actual("context")
        self.entries = self.actual(self.entries_field) if self.entries_field else ""
        self.tree = self._planted()
        fields = self.tree.within.items()
        self._definitions = [name for name, tree in fields if tree.kind is Kind.DEFINITION]

    def actual(self, canonical: str) -> str:
        """The input's name of a field; for a nested field, the name inside its list."""
        return actual_name(self.options, canonical)

    def _planted(self) -> Tree:
        """The tree of the table, with what the user keeps and what every conversation has."""
        tree = Tree()
        for path, kind in self.table.items():
            outer = accumulate(path.split("."), "{}.{}".format)
            steps = [self.actual(name.replace(LIST, "")) + LIST * name.endswith(LIST) for name in outer]
            tree.at(steps, dict).kind = kind
        tree.within.setdefault(self._context, Tree(Kind.CONTEXT))
        self._keep(tree)
        for name in self.id_fields:
            tree.within.setdefault(name, Tree(Kind.ID))
        return tree

    def _keep(self, tree: Tree) -> None:
        """Plant what the user keeps, a field or one of the entries, where nothing else is."""
        for name in self.options.keep:
            outer, dot, inner = name.partition(".")
            node = tree.at([f"{self.entries}{LIST}", *inner.split(".")] if dot else [outer], dict)
            if node.kind is None and not node.within:
                node.kind = Kind.OPAQUE if name in self.options.opaque else Kind.KEPT

    def columns(self) -> list[str]:
        """Return the fields to read, by their actual names; ``list.field`` for a field inside a list."""
        return sorted(self.tree.within)

    def written_fields(self) -> frozenset[str]:
        """Return the fields that are written, named as in ``columns``; a list without inner fields is whole."""
        names = [*self.tree.names()]
        parts = {f"{name}.{part}" for name, kind in names if kind is Kind.CONTENT for part in PART_FIELDS}
        return frozenset(parts.union(name for name, _ in names))

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        return pa.schema(written_fields(list(source), self.tree, self._column))

    def _column(self, kind: Any, source: pa.DataType) -> pa.DataType:
        return COLUMNS[kind](source) if kind in COLUMNS else source

    def read_records(self, records: Sequence[tuple[int, Any]], file_key: str) -> Reading:
        """Read records with their positions; ``file_key`` is used for the ids of records without one."""
        batch, rejections = ConversationBatch(), []
        for position, record in records:
            try:
                append(batch, self.parse(self.as_record(record)), position, file_key)
            except RecordError as error:
                rejections.append(Rejection(position, Stage.READ, error.error))
        return batch, rejections

    def read_table(self, table: pa.Table, first_row: int, file_key: str) -> Reading:
        """Read rows of a Parquet file; ``first_row`` is the number of the first one in its file."""
        return self.read_records(rows_of(table, first_row), file_key)

    def error_of(self, record: Any) -> tuple[str, str | None] | None:
        """The error class of a record and the field that it is about; None for one that can be read."""
        try:
            self.parse(self.as_record(record))
        except RecordError as error:
            return error.error, error.field
        return None

    def as_record(self, value: Any) -> Any:
        """Return what ``parse`` reads, of a value in a file."""
        if type(value) is DamagedRow:
            raise RecordError(value.error)
        refuse(type(value) not in self.record_types, "WrongType")
        refuse_too_deep(value)
        return value

    def parse(self, record: Record) -> Parsed:
        parsed = Parsed(self.options.max_turn_chars)
        parsed.frame = self.read(record, parsed)
        parsed.id = identifier(record, self.id_fields)
        parsed.context = context_label(record, self._context)
        return self.completed(parsed)

    def read(self, record: Record, parsed: Parsed) -> Record:
        """Add the cells of a record to what is read of it; returns its frame."""
        frame: Record = self.rewrite(self.chosen(record), parsed)
        return frame

    def chosen(self, record: Record) -> Record:
        """The fields of a record that are written, in its order: of its ids the first one and kept ones."""
        others = {*self.id_fields} - {identifier_field(record, self.id_fields), *self.options.keep}
        return {key: value for key, value in record.items() if key in self.tree.within and key not in others}

    @abstractmethod
    def rewrite(self, record: Any, to: Sink) -> Any:
        """What is written of a record or frame, with every text and speaker replaced by what ``to`` returns.

        Reading collects the cells, writing supplies the new ones in the same order: nothing is written that was
        not read as a cell.
        """

    def completed(self, parsed: Parsed) -> Parsed:
        """A conversation with the cells of kept fields behind those of its turns, and JSON in them split."""
        for name in self._definitions:
            parsed.labels += [(Kind.DEFINITION, text) for text in texts_of(parsed.frame.get(name))]
        self._with_kept(parsed.frame, parsed)
        parsed.open_json()
        return parsed

    def kept_parts(self, frame: Any) -> list[str]:
        """The parts of the cells of kept fields, which are the last ones of a conversation."""
        parsed = Parsed(sys.maxsize)
        self._with_kept(frame, parsed)
        return [part or "" for *_, part, _ in parsed.cells]

    def _with_kept(self, frame: Any, to: Sink, typed: bool = False) -> Any:
        """A frame with the values of kept fields that are not opaque replaced; ``typed``: for a table."""
        if not self.options.keep:
            return frame
        identity = identifier_field(frame, self.id_fields) if type(frame) is dict else None

        def leaf(kind: Any, place: Place, value: Any) -> Any:
            is_checked = place == (identity,) or (place[-1] in self.times and is_time(value))
            if kind is not Kind.KEPT or is_checked:
                return value
            # A turn is an entry of a list in the frame, or of a frame that is one itself.
            levels = 1 if type(frame) is list else 2 if len(place) > 2 and place[0] == self.entries else 0
            turn = int(place[levels - 1]) if levels else OUTSIDE_TURNS
            name = ".".join(map(str, place[levels:]))
            return _kept(value, name, partial(to.text, turn, None), typed)

        return walk(frame, self.tree, leaf)

    def write_records(
        self, batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
    ) -> list[Record]:
        return self._written(*without_json_cells(batch, texts, speakers), typed=False)

    def write_table(
        self,
        batch: ConversationBatch,
        texts: Sequence[str],
        speakers: Sequence[str | None],
        schema: pa.Schema,
    ) -> pa.Table:
        records = self._written(*without_json_cells(batch, texts, speakers), typed=True)
        columns = [
            pa.array([in_column(record.get(f.name), f.type) for record in records], f.type) for f in schema
        ]
        return pa.Table.from_arrays(columns, schema=schema)

    def _written(
        self, batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None], typed: bool
    ) -> list[Record]:
        """The records of conversations without JSON cells; with ``typed``, for the columns of a table."""
        records: list[Record] = []
        for index, frame in enumerate(batch.frames):
            own = batch.own(index)
            to = Replaced(texts[own], speakers[own])
            record = self._with_kept(self.rewrite(frame, to), to, typed)
            if next(to.cells, None) is not None:
                raise ValueError("more cells than the record has places for")
            records += self.finished(record, frame)
        return records

    def finished(self, record: Any, frame: Any) -> list[Record]:
        return [record]

    def relabelled(self, frame: Any, conversation_id: str, context: str) -> Any:
        """Return a frame with another id and context, if it has them."""
        written = dict(frame)
        name = identifier_field(frame, self.id_fields)
        if name is not None:
            written[name] = conversation_id
        if written.get(self._context):
            written[self._context] = context
        return written

    def roles_of(self, frame: Any) -> Sequence[str | None] | None:
        """Return the role of each turn's speaker, where the record says it beside the speaker's label."""
        return None


_OF_COLUMNS = (*NUMBERS, Decimal, date, time)  # what is spelled to be searched; a datetime is a date


def _kept(value: Any, path: str, visit: Visit, typed: bool) -> Any:
    """A value that the user keeps, with every text, long number and time replaced by what ``visit`` returns.

    With ``typed``, as for columns of numbers or times, those that a text replaces become null.
    """
    if value is None or value == "" or type(value) is bool:
        return value
    if type(value) is str:
        return visit(path, value)
    if isinstance(value, _OF_COLUMNS):
        spelled = value.isoformat() if isinstance(value, (date, time)) else str(value)
        replaced = visit(path, spelled) if is_searched(spelled) else spelled
        if replaced == spelled:
            return value
        number = as_number(replaced) if type(value) in NUMBERS else None
        written = replaced if number is None else number
        return None if typed and type(written) is not type(value) else written
    refuse(type(value) not in (list, tuple, dict), "UnsupportedContent")
    if type(value) is not dict:
        places = ((f"{path}.{index}", item) for index, item in enumerate(value))
        return type(value)(_kept(item, at, visit, typed) for at, item in places)
    new: dict[str, Any] = {}
    keys = UniqueKeys()
    for place, (key, item) in enumerate(value.items()):
        below = key_path(path, key, place)
        name = keys.name(key, key if is_parameter(key) else visit(f"{below}:key", key))
        new[name] = _kept(item, below, visit, typed)
    return new


def append(
    batch: ConversationBatch, parsed: Parsed, position: int, key: str, rows: int = 1, file: int | None = None
) -> None:
    """Add a conversation to a batch; ``key`` is that of its file."""
    name = f"{key}-{position}" if parsed.id is None else parsed.id
    batch.ids.append(name)
    batch.given.append(name)
    batch.contexts.append(parsed.context)
    batch.annotations.append(parsed.annotation)
    batch.readers.append(parsed.reader)
    batch.positions.append(position)
    batch.frames.append(parsed.frame)
    batch.rows.append(rows)
    batch.origins.append(file)
    batch.labels.append(parsed.labels)
    batch.json_texts.append(parsed.json_texts or None)
    turns, texts, speakers, parts, numbers = zip(*parsed.cells, strict=True) if parsed.cells else ((),) * 5
    batch.numbers.append([*compress(range(len(numbers)), numbers)] or None)
    batch.turns.extend(turns)
    batch.texts.extend(texts)
    batch.speakers.extend(speakers)
    batch.parts.extend(parts)
    spans = parsed.spans
    batch.spans.extend([spans.get(k, ()) for k in range(len(turns))] if spans else [()] * len(turns))
    batch.first_cell.append(len(batch.texts))


def without(reading: Reading, wrong: Mapping[int, str]) -> Reading:
    """A reading with the wrong conversations among its rejections, each with its error class."""
    batch, rejections = reading
    lost = [batch.rejection(i, Stage.READ, error) for i, error in sorted(wrong.items())]
    return batch.without(set(wrong)), [*rejections, *lost]


def joined(readings: Iterable[Reading], most: int, most_chars: int) -> Iterator[Reading]:
    """Join readings, in order, up to a number of conversations and of characters; at least one is returned."""
    held, lost = ConversationBatch(), list[Rejection]()
    size = 0
    for batch, rejections in readings:
        characters = sum(map(len, batch.texts))
        if len(held) and (len(held) + len(batch) > most or size + characters > most_chars):
            yield held, lost
            held, lost, size = ConversationBatch(), [], 0
        held.extend(batch)
        lost.extend(rejections)
        size += characters
    yield held, lost


class DamagedRow(dict[str, Any]):
    """What Python can represent of a row of a table, with the error class of what it cannot."""

    error = "WrongType"


def rows_of(table: pa.Table, first_row: int) -> list[tuple[int, Record]]:
    """The rows of a table as records with their positions; some may be a ``DamagedRow``."""
    for index, column in enumerate(table.schema):
        if pa.types.is_timestamp(column.type) and column.type.unit == "ns":  # which Python does not have
            kind = pa.timestamp("us", column.type.tz)
            table = table.set_column(index, column.name, table[index].cast(kind, safe=False))
    try:
        return list(enumerate(table.to_pylist(), first_row))
    except (ValueError, OverflowError):
        rows = (table.slice(row, 1) for row in range(table.num_rows))
        return list(enumerate(map(_record_of, rows), first_row))


def _record_of(row: pa.Table) -> Record:
    try:
        return dict(row.to_pylist()[0])
    except (ValueError, OverflowError) as error:
        damaged = DamagedRow()
        damaged.error = "InvalidUtf8" if isinstance(error, UnicodeDecodeError) else "WrongType"
    for name in row.column_names:
        with suppress(ValueError, OverflowError):
            damaged[name] = row[name][0].as_py()
    return damaged
