"""Shape: the interface of all shapes, with defaults for record-wise ones."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, NamedTuple

import pyarrow as pa

from tacenda.transforms.schema.conversation import AnnotatedSpan, Annotation, ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.arrow_fields import in_column
from tacenda.transforms.shapes.declared import NONE, check_texts, identifier_field, relabelled_record
from tacenda.transforms.shapes.json_cells import with_json_cells, without_json_cells
from tacenda.transforms.shapes.json_text import Visit
from tacenda.transforms.shapes.kept_cells import VisitValue, visited, with_kept_cells, without_kept_cells
from tacenda.transforms.shapes.options import ReadOptions, actual_name
from tacenda.transforms.shapes.tool_arguments import Schemas

Record = dict[str, Any]
Reading = tuple[ConversationBatch, list[Rejection]]


class Parsed(NamedTuple):
    """One conversation as columns; ``id`` is None if the record has none and its position must serve."""

    id: str | None
    context: str
    annotation: Annotation
    texts: Sequence[str]
    speakers: Sequence[str | None]
    turns: Sequence[int]
    parts: Sequence[str | None]
    spans: Sequence[Sequence[AnnotatedSpan]]
    frame: Any
    reader: str | None = None
    schemas: Schemas | None = None


class Cells:
    """The cells of one conversation, as a shape finds them in its record."""

    def __init__(self, max_chars: int) -> None:
        self._max_chars = max_chars
        self.texts: list[str] = []
        self.speakers: list[str | None] = []
        self.turns: list[int] = []
        self.parts: list[str | None] = []

    def add(self, turn: int, speaker: str | None, part: str | None, text: str) -> str:
        """Add a cell; returns its text.

        Raises:
            RecordError: it is no text, or too long.
        """
        check_texts([text], self._max_chars)
        self.texts.append(text)
        self.speakers.append(speaker)
        self.turns.append(turn)
        self.parts.append(part or None)
        return text

    def visit(self, turn: int, speaker: str | None) -> Visit:
        """What adds the cells of a turn, by path and text."""
        return partial(self.add, turn, speaker)

    def parsed(
        self, frame: Any, name: str | None, context: str = "", schemas: Schemas | None = None
    ) -> Parsed:
        """The conversation without annotations, ``name`` being its id."""
        return Parsed(
            name,
            context,
            Annotation.NONE,
            self.texts,
            self.speakers,
            self.turns,
            self.parts,
            [()] * len(self.texts),
            frame,
            schemas=schemas,
        )


class Labels(NamedTuple):
    """What a conversation holds beside its texts that is written as it is.

    ``identifiers`` are ids of calls and names of files; ``of_tools`` are names of tools and the texts of their
    definitions.
    """

    identifiers: Sequence[str] = ()
    of_tools: Sequence[str] = ()


class Shape(ABC):
    """Reads records of one shape into conversations, and writes them back.

    A shape is created once a run from the options, knows the actual field names, and can be pickled. Bad
    records do not raise when read, but give rejections. Writing takes the texts and speakers of all cells of
    a batch and returns records with declared and kept fields only; gold spans are not written, since their
    offsets no longer fit.
    """

    name: str
    declared: ClassVar[frozenset[str]]
    """Canonical names of the fields that ``ReadOptions.fields`` may map."""

    entries_field: ClassVar[str | None] = None
    """Canonical name of the list field whose entries can have kept fields, if the shape has one."""

    texts_beside: ClassVar[tuple[str, ...]] = ()
    """Fields of a record that are written and anonymised like kept ones, whether or not they are named."""

    grouped: ClassVar[bool] = False
    """Whether a conversation is spread over records, so that input must be partitioned by conversation."""

    def __init__(self, options: ReadOptions) -> None:
        self.options = self.with_texts_beside(options)

    @classmethod
    def with_texts_beside(cls, options: ReadOptions) -> ReadOptions:
        """Options that keep these fields, too."""
        more = tuple(name for name in cls.texts_beside if name not in options.keep)
        return replace(options, keep=(*options.keep, *more)) if more else options

    @abstractmethod
    def columns(self) -> list[str]:
        """Return the fields to read, by their actual names; ``list.field`` for a field inside a list."""

    @abstractmethod
    def output_schema(self, source: pa.Schema) -> pa.Schema:
        """Return the schema of every Parquet part, for input with the schema ``source``."""

    def read_records(self, records: Sequence[tuple[int, Any]], file_key: str) -> Reading:
        """Read records with their positions; ``file_key`` is used for the ids of records without one."""
        return self.opened(self._read_records(records, file_key))

    def read_table(self, table: pa.Table, first_row: int, file_key: str) -> Reading:
        """Read rows of a Parquet file; ``first_row`` is the number of the first one in its file."""
        return self.opened(self._read_table(table, first_row, file_key))

    def opened(self, reading: Reading) -> Reading:
        """Make cells of the kept fields of conversations that were read, and of the values of JSON."""
        if self.options.keep:
            reading = with_kept_cells(reading, self.map_kept, self.turns_of, self.options.max_turn_chars)
        return with_json_cells(reading, self.constants_of)

    def write_records(
        self, batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
    ) -> list[Record]:
        """Write a batch as records, in order."""
        batch, texts, speakers = without_json_cells(batch, texts, speakers)
        if self.options.keep:
            batch, texts, speakers = without_kept_cells(batch, texts, speakers, self.map_kept, typed=False)
        return self._write_records(batch, texts, speakers)

    def write_table(
        self,
        batch: ConversationBatch,
        texts: Sequence[str],
        speakers: Sequence[str | None],
        schema: pa.Schema,
    ) -> pa.Table:
        """Write a batch as a table of ``output_schema``."""
        batch, texts, speakers = without_json_cells(batch, texts, speakers)
        if self.options.keep:
            batch, texts, speakers = without_kept_cells(batch, texts, speakers, self.map_kept, typed=True)
        return self._write_table(batch, texts, speakers, schema)

    def errors_of(self, records: Sequence[Any]) -> list[tuple[str, str | None] | None]:
        """The error class of each record and the field that it is about; None for one that can be read."""
        errors: list[tuple[str, str | None] | None] = [None] * len(records)
        for lost in self.read_records(list(enumerate(records)), "")[1]:
            errors[lost.position] = lost.error, None
        return errors

    @abstractmethod
    def written_fields(self) -> frozenset[str]:
        """Return the fields that are written, named as in ``columns``; a list without inner fields is whole."""

    @property
    @abstractmethod
    def id_fields(self) -> tuple[str, ...]:
        """The fields that may have the id of a conversation."""

    @abstractmethod
    def relabelled(self, frame: Any, conversation_id: str, context: str) -> Any:
        """Return a frame with another id and context, if it has them."""

    def labels_of(self, frame: Any) -> Labels:
        """Return what is written as it is, beside the id and the context of the conversation."""
        return Labels()

    def roles_of(self, frame: Any) -> Sequence[str | None] | None:
        """Return the role of each turn's speaker, where the record says it beside the speaker's label."""
        return None

    def constants_of(self, frame: Any) -> frozenset[str]:
        """Return values that JSON in the conversation has from definitions of tools, and that stay."""
        return NONE

    @abstractmethod
    def map_kept(self, frame: Any, visit: VisitValue) -> Any:
        """Return a frame with the value of each kept field that is not opaque replaced by ``visit``.

        Declared fields are not included: the shape itself replaces or checks them.
        """

    def turns_of(self, frame: Any, turns: Sequence[int]) -> Sequence[int]:
        """Return the turn of each entry that ``map_kept`` visits; ``turns`` are those of the cells."""
        return turns

    @abstractmethod
    def _read_records(self, records: Sequence[tuple[int, Any]], file_key: str) -> Reading: ...

    @abstractmethod
    def _read_table(self, table: pa.Table, first_row: int, file_key: str) -> Reading: ...

    @abstractmethod
    def _write_records(
        self, batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
    ) -> list[Record]: ...

    @abstractmethod
    def _write_table(
        self,
        batch: ConversationBatch,
        texts: Sequence[str],
        speakers: Sequence[str | None],
        schema: pa.Schema,
    ) -> pa.Table: ...


class RecordShape(Shape):
    """A shape with one record per conversation; subclasses read and write one record."""

    @abstractmethod
    def parse(self, record: Record) -> Parsed:
        """Read one record.

        Raises:
            RecordError: it cannot be read; the error class says why.
        """

    def as_record(self, value: Any) -> Record:
        """Return what ``parse`` reads, of a value in a file."""
        return as_object(value)

    @abstractmethod
    def render(self, frame: Any, texts: Sequence[str], speakers: Sequence[str | None]) -> Record:
        """Write one record from its frame and the texts and speakers of its cells."""

    def errors_of(self, records: Sequence[Any]) -> list[tuple[str, str | None] | None]:
        errors: list[tuple[str, str | None] | None] = []
        for record in records:
            try:
                self.parse(self.as_record(record))
                errors.append(None)
            except RecordError as error:
                errors.append((error.error, error.field))
        return errors

    def _read_records(self, records: Sequence[tuple[int, Any]], file_key: str) -> Reading:
        """Read records one by one."""
        batch, rejections = ConversationBatch(), []
        for position, record in records:
            try:
                append(batch, self.parse(self.as_record(record)), position, file_key)
            except RecordError as error:
                rejections.append(Rejection(position, Stage.READ, error.error))
        return batch, rejections

    def _read_table(self, table: pa.Table, first_row: int, file_key: str) -> Reading:
        """Read rows one by one."""
        records, rejections = rows_of(table, first_row)
        batch, unread = self._read_records(records, file_key)
        return batch, sorted(rejections + unread)

    def _write_records(
        self, batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
    ) -> list[Record]:
        """Write conversations one by one."""
        written = []
        for index, frame in enumerate(batch.frames):
            cells = slice(batch.first_cell[index], batch.first_cell[index + 1])
            written.append(self.render(frame, texts[cells], speakers[cells]))
        return written

    def _write_table(
        self,
        batch: ConversationBatch,
        texts: Sequence[str],
        speakers: Sequence[str | None],
        schema: pa.Schema,
    ) -> pa.Table:
        """Write conversations one by one."""
        kind = pa.struct(list(schema))
        records = [in_column(record, kind) for record in self._write_records(batch, texts, speakers)]
        return pa.Table.from_pylist(records, schema=schema)


def as_object(value: Any) -> Record:
    """Return a JSON object.

    Raises:
        RecordError: ``WrongType`` if the value is not an object.
    """
    if type(value) is not dict:
        raise RecordError("WrongType")
    return value


def append(
    batch: ConversationBatch,
    parsed: Parsed,
    position: int,
    file_key: str,
    rows: int = 1,
    origin: int | None = None,
) -> None:
    """Add a conversation to a batch."""
    name = f"{file_key}-{position}" if parsed.id is None else parsed.id
    batch.ids.append(name)
    batch.given.append(name)
    batch.contexts.append(parsed.context)
    batch.annotations.append(parsed.annotation)
    batch.readers.append(parsed.reader)
    batch.positions.append(position)
    batch.frames.append(parsed.frame)
    batch.rows.append(rows)
    batch.origins.append(origin)
    batch.json_texts.append(None)
    batch.schemas.append(parsed.schemas)
    batch.texts.extend(parsed.texts)
    batch.speakers.extend(parsed.speakers)
    batch.turns.extend(parsed.turns)
    batch.parts.extend(parsed.parts)
    batch.spans.extend(parsed.spans)
    batch.first_cell.append(len(batch.texts))


def rows_of(table: pa.Table, first_row: int) -> tuple[list[tuple[int, Record]], list[Rejection]]:
    """Turn table rows into records; rows with values that Python cannot represent are rejected."""
    table = in_microseconds(table)
    try:
        return list(enumerate(table.to_pylist(), first_row)), []
    except (ValueError, OverflowError):
        pass
    records, rejections = [], []
    for row in range(table.num_rows):
        try:
            records.append((first_row + row, table.slice(row, 1).to_pylist()[0]))
        except UnicodeDecodeError:
            rejections.append(Rejection(first_row + row, Stage.READ, "InvalidUtf8"))
        except (ValueError, OverflowError):
            rejections.append(Rejection(first_row + row, Stage.READ, "WrongType"))
    return records, rejections


def in_microseconds(table: pa.Table) -> pa.Table:
    """Truncate timestamps to microseconds, since Python has no nanoseconds."""
    for index, field in enumerate(table.schema):
        if pa.types.is_timestamp(field.type) and field.type.unit == "ns":
            kind = pa.timestamp("us", field.type.tz)
            table = table.set_column(index, field.name, table[index].cast(kind, safe=False))
    return table


class LabelledShape(RecordShape):
    """A shape with one labelled record per conversation; a frame is that record, or has it as ``record``."""

    _written: frozenset[str]
    """Fields that are written, beside the id."""
    _opened: frozenset[str]
    """Kept fields whose values are inspected."""

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        mapped = options.fields.get("conversation_id")
        self._ids = (mapped,) if mapped else ("conversation_id", "id")
        self._context = actual_name(options, "context")

    @property
    def id_fields(self) -> tuple[str, ...]:
        """The first of them that a record has."""
        return self._ids

    def relabelled(self, frame: Any, conversation_id: str, context: str) -> Any:
        """Return a frame with another id and context."""
        return _with_record(
            frame,
            lambda record: relabelled_record(record, self._ids, self._context, conversation_id, context),
        )

    def map_kept(self, frame: Any, visit: VisitValue) -> Any:
        """Visit the kept fields of a record."""
        if not self._opened:
            return frame

        return _with_record(
            frame,
            lambda record: visited(record, self._opened - {identifier_field(record, self._ids)}, visit),
        )

    def _written_of(self, record: Record) -> Record:
        """The fields of a record that are written, in its order."""
        identity = identifier_field(record, self._ids)
        return {key: record[key] for key in record if key in self._written or key == identity}


def _with_record(frame: Any, change: Callable[[Record], Record]) -> Any:
    return change(frame) if type(frame) is dict else frame._replace(record=change(frame.record))
