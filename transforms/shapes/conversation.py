"""Shape 1: a conversation a record, ``{conversation_id, context, turns: [{speaker, text, spans}]}``."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from transforms.schema.conversation import AnnotatedSpan, Annotation, ConversationBatch
from transforms.schema.errors import RecordError
from transforms.shapes.arrow_fields import as_text, inside_list, is_text, select_fields
from transforms.shapes.declared import (
    annotated_spans,
    annotation_of,
    check_texts,
    optional_text,
    required_identifier,
    speaker_names,
)
from transforms.shapes.options import ReadOptions
from transforms.shapes.shape import Parsed, Reading, Record, Shape

NO_SPANS: tuple[AnnotatedSpan, ...] = ()


class Frame(NamedTuple):
    """What is left of a record without its texts.

    ``record`` holds the fields to write in their order, with None in the place of the turns. ``speaks`` says
    whether its turns name speakers; ``kept`` holds the kept fields of each turn, None where none are.
    """

    record: Record
    speaks: bool
    kept: list[Record] | None


class ConversationShape(Shape):
    """Conversation a row."""

    name = "conversation"
    declared = frozenset(
        {
            "conversation_id",
            "context",
            "turns",
            "turns.text",
            "turns.speaker",
            "turns.spans",
            "gold",
            "reviewed",
        }
    )

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        mapped = options.fields.get("conversation_id")
        self._ids = (mapped,) if mapped else ("conversation_id", "id")
        self._context = options.actual("context")
        self._turns = options.actual("turns")
        self._text = options.actual("turns.text")
        self._speaker = options.actual("turns.speaker")
        self._spans = options.actual("turns.spans")
        self._kept = options.kept()
        self._kept_in_turns = options.kept("turns")
        self._written = frozenset({self._context, self._turns, *self._kept})

    def columns(self) -> list[str]:
        """Return the fields that are read."""
        return [*self._ids, self._context, self._turns, "gold", "reviewed", *self._kept]

    def parse(self, record: Record) -> Parsed:
        """Read one record."""
        name = required_identifier(record, self._ids)
        turns = record.get(self._turns)
        if turns is None:
            raise RecordError("MissingField")
        if type(turns) is not list:
            raise RecordError("WrongType")
        try:
            texts = [turn[self._text] for turn in turns]
            speakers = [turn.get(self._speaker) for turn in turns]
            marked = [turn.get(self._spans) for turn in turns]
            speaks = any(self._speaker in turn for turn in turns)
        except KeyError as error:
            raise RecordError("MissingField") from error
        except (TypeError, AttributeError) as error:
            raise RecordError("WrongType") from error
        check_texts(texts, self.options.max_turn_chars)
        spans: list[Sequence[AnnotatedSpan]] = [NO_SPANS] * len(turns)
        annotated = any(value is not None for value in marked)
        if annotated:
            pairs = zip(marked, texts, strict=True)
            spans = [NO_SPANS if value is None else annotated_spans(value, text) for value, text in pairs]
        kept = None
        if self._kept_in_turns:
            kept = [{key: turn[key] for key in self._kept_in_turns if key in turn} for turn in turns]
        identity = next(key for key in self._ids if record.get(key) not in (None, ""))
        skeleton = {key: record[key] for key in record if key in self._written or key == identity}
        skeleton[self._turns] = None
        return Parsed(
            id=name,
            context=optional_text(record, self._context),
            annotation=annotation_of(record, spans if annotated else None),
            texts=texts,
            speakers=speaker_names(speakers),
            turns=range(len(turns)),
            parts=[None] * len(turns),
            spans=spans,
            frame=Frame(skeleton, speaks, kept),
        )

    def render(self, frame: Frame, texts: Sequence[str], speakers: Sequence[str | None]) -> Record:
        """Write one record."""
        turns: list[Record]
        if frame.speaks:
            pairs = zip(speakers, texts, strict=True)
            turns = [{self._speaker: speaker, self._text: text} for speaker, text in pairs]
        else:
            turns = [{self._text: text} for text in texts]
        if frame.kept is not None:
            for turn, kept in zip(turns, frame.kept, strict=True):
                turn.update(kept)
        return {**frame.record, self._turns: turns}

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        """Return the schema of every Parquet part."""
        identity = next((key for key in self._ids if key in source.names), self._ids[0])
        fields = select_fields(source, [identity, *self._written])
        return pa.schema([inside_list(f, self._in_turn) if f.name == self._turns else f for f in fields])

    def _in_turn(self, field: pa.Field) -> pa.Field | None:
        if field.name in (self._text, self._speaker):
            return as_text(field)
        return pa.field(field.name, field.type) if field.name in self._kept_in_turns else None

    def read_table(self, table: pa.Table, first_row: int, file_key: str) -> Reading:
        """Read rows column by column, or record by record where a row may be wrong or is annotated."""
        try:
            columns = self._regular(table)
        except (UnicodeDecodeError, OverflowError):
            columns = None
        if columns is None:
            return super().read_table(table, first_row, file_key)
        identity, offsets, texts, speakers, kept = columns
        names = [name for name in table.column_names if name in self._written or name == identity]
        values = {name: table[name].to_pylist() for name in names if name != self._turns}
        count = table.num_rows
        values[self._turns] = [None] * count
        ids = values[identity]
        batch = ConversationBatch(
            ids=[value if type(value) is str else str(value) for value in ids],
            contexts=[value or "" for value in values[self._context]]
            if self._context in values
            else [""] * count,
            annotations=[Annotation.NONE] * count,
            positions=list(range(first_row, first_row + count)),
            first_cell=offsets,
            texts=texts,
            speakers=[None] * len(texts) if speakers is None else speakers,
            parts=[None] * len(texts),
            spans=[NO_SPANS] * len(texts),
            rows=[1] * count,
        )
        rows = zip(*(values[name] for name in names), strict=True)
        for index, row in enumerate(rows):
            first, last = offsets[index], offsets[index + 1]
            batch.turns.extend(range(last - first))
            kept_here = None if kept is None else kept[first:last]
            speaks = speakers is not None and last > first
            batch.frames.append(Frame(dict(zip(names, row, strict=True)), speaks, kept_here))
        return batch, []

    def _regular(
        self, table: pa.Table
    ) -> tuple[str, list[int], list[str], list[str | None] | None, list[Record] | None] | None:
        """Return id column, offsets, texts, speakers and kept fields of a table that holds no surprise."""
        present = [key for key in self._ids if key in table.column_names]
        if len(present) != 1 or self._turns not in table.column_names or "reviewed" in table.column_names:
            return None
        ids = table[present[0]]
        turns = table[self._turns].combine_chunks()
        kind = turns.type
        if not (pa.types.is_list(kind) or pa.types.is_large_list(kind)) or turns.null_count or ids.null_count:
            return None
        if not (is_text(ids.type) or pa.types.is_integer(ids.type)):
            return None
        if is_text(ids.type) and pc.any(pc.equal(ids, "")).as_py():
            return None
        if self._context in table.column_names and not is_text(table[self._context].type):
            return None
        flat = turns.flatten()
        if not pa.types.is_struct(flat.type) or flat.null_count:
            return None
        inner = [field.name for field in flat.type]
        if self._text not in inner or self._spans in inner:
            return None
        texts = flat.field(self._text)
        if not is_text(texts.type) or texts.null_count:
            return None
        longest = pc.max(pc.binary_length(texts)).as_py() or 0
        if longest > self.options.max_turn_chars:
            return None
        speakers = None
        if self._speaker in inner:
            if not is_text(flat.field(self._speaker).type):
                return None
            speakers = flat.field(self._speaker).to_pylist()
        kept = None
        if self._kept_in_turns:
            kept_names = [name for name in self._kept_in_turns if name in inner]
            kept_columns = [flat.field(name).to_pylist() for name in kept_names]
            kept = [dict(zip(kept_names, row, strict=True)) for row in zip(*kept_columns, strict=True)]
            if not kept_names:
                kept = [{}] * len(texts)
        first = turns.offsets[0].as_py()
        offsets = [offset - first for offset in turns.offsets.to_pylist()]
        return present[0], offsets, texts.to_pylist(), speakers, kept

    def write_table(
        self,
        batch: ConversationBatch,
        texts: Sequence[str],
        speakers: Sequence[str | None],
        schema: pa.Schema,
    ) -> pa.Table:
        """Write a batch column by column."""
        columns = []
        for field in schema:
            if field.name != self._turns:
                values = [frame.record.get(field.name) for frame in batch.frames]
                columns.append(pa.array(values, field.type))
                continue
            inner = [self._turn_column(item, batch, texts, speakers) for item in field.type.value_type]
            structs = pa.StructArray.from_arrays(inner, fields=list(field.type.value_type))
            offsets = pa.array(batch.first_cell, pa.int32())
            columns.append(pa.ListArray.from_arrays(offsets, structs, type=field.type))
        return pa.Table.from_arrays(columns, schema=schema)

    def _turn_column(
        self, field: pa.Field, batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
    ) -> pa.Array:
        if field.name == self._text:
            return pa.array(texts, field.type)
        if field.name == self._speaker:
            return pa.array(speakers, field.type)
        values: list[Any] = []
        for index, frame in enumerate(batch.frames):
            kept = frame.kept or [{}] * len(batch.cells(index))
            values.extend(turn.get(field.name) for turn in kept)
        return pa.array(values, field.type)
