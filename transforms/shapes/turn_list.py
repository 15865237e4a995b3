"""Common base of shapes 1 and 4: a record with a list of turns."""

from collections.abc import Sequence
from itertools import pairwise, repeat
from operator import itemgetter
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacenda.transforms.schema.conversation import AnnotatedSpan, Annotation, ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import (
    as_text,
    inside_list,
    is_list_of_structs,
    is_text,
    select_fields,
)
from tacenda.transforms.shapes.declared import (
    REVIEWED_BY,
    annotated_spans,
    annotation_of,
    check_texts,
    context_label,
    identifier,
    is_context,
    reader_name,
    reader_of,
    speaker_names,
)
from tacenda.transforms.shapes.enumerations import enumerated
from tacenda.transforms.shapes.json_text import texts_of
from tacenda.transforms.shapes.kept_cells import VisitValue
from tacenda.transforms.shapes.labelled import LabelledShape
from tacenda.transforms.shapes.options import ReadOptions, actual_name, kept_fields, opened_fields
from tacenda.transforms.shapes.shape import Labels, Parsed, Reading, Record
from tacenda.transforms.shapes.span_columns import NO_SPANS, annotations, read_spans


class Frame(NamedTuple):
    """A record without its texts.

    ``record`` has the fields to write, in order, with None in place of the turns. ``speaks`` says whether the
    turns have speakers; ``kept`` has the kept fields of each turn, None if there are none.
    """

    record: Record
    speaks: bool
    kept: list[Record] | None


class TurnListShape(LabelledShape):
    """A conversation a record; subclasses give the names of the fields."""

    entries_field: ClassVar[str]
    text_field: ClassVar[str]
    speaker_field: ClassVar[str]
    needs_id: ClassVar[bool]
    definitions: ClassVar[tuple[str, ...]] = ()
    """Fields of a record that say what tools there are: written as they are, and checked for personal data."""

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        options = self.options
        self._turns = actual_name(options, self.entries_field)
        self._text = actual_name(options, self.text_field)
        self._speaker = actual_name(options, self.speaker_field)
        self._spans = actual_name(options, f"{self.entries_field}.spans")
        self._kept = kept_fields(options)
        # Replaced fields cannot be kept: that would write the original text.
        replaced = {self._text, self._speaker, self._spans}
        self._kept_in_turns = tuple(n for n in kept_fields(options, self.entries_field) if n not in replaced)
        read = {self._context, self._turns, *self.definitions}
        self._written = frozenset({*read, *self._kept})
        self._opened = opened_fields(options) - read
        self._opened_in_turns = opened_fields(options, self.entries_field)

    def columns(self) -> list[str]:
        """Return the fields that are read."""
        in_turns = (self._text, self._speaker, self._spans, *self._kept_in_turns)
        nested = [f"{self._turns}.{name}" for name in in_turns]
        return [*self._ids, self._context, *nested, "gold", REVIEWED_BY, *self._kept]

    def parse(self, record: Record) -> Parsed:
        """Read one record."""
        name = identifier(record, self._ids)
        if name is None and self.needs_id:
            raise RecordError("MissingField")
        turns = record.get(self._turns)
        if turns is None:
            raise RecordError("MissingField")
        if type(turns) is not list:
            raise RecordError("WrongType")
        try:
            texts = list(map(itemgetter(self._text), turns))
            present = set().union(*turns)
            speaks = self._speaker in present
            speakers = [turn.get(self._speaker) for turn in turns] if speaks else [None] * len(turns)
            marked = [turn.get(self._spans) for turn in turns] if self._spans in present else []
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
        skeleton = self._written_of(record)
        skeleton[self._turns] = None
        return Parsed(
            id=name,
            context=context_label(record, self._context),
            annotation=annotation_of(record, spans if annotated else None),
            texts=texts,
            speakers=speaker_names(speakers),
            turns=range(len(turns)),
            parts=[None] * len(turns),
            spans=spans,
            frame=Frame(skeleton, speaks, kept),
            reader=reader_of(record),
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

    def written_fields(self) -> frozenset[str]:
        """Return the fields that are written."""
        in_turns = (self._text, self._speaker, *self._kept_in_turns)
        return self._written.union(self._ids, (f"{self._turns}.{name}" for name in in_turns))

    def labels_of(self, frame: Frame) -> Labels:
        """Return what the definitions of tools say."""
        return Labels(
            definitions=[text for name in self.definitions for text in texts_of(frame.record.get(name))]
        )

    def constants_of(self, frame: Frame) -> frozenset[str]:
        """Return the values that definitions of tools enumerate."""
        return enumerated(frame.record[name] for name in self.definitions if frame.record.get(name))

    def map_kept(self, frame: Frame, visit: VisitValue) -> Frame:
        """Visit the kept fields of a record, then those of its turns."""
        record, kept = super().map_kept(frame, visit).record, frame.kept
        if kept is not None and self._opened_in_turns:
            kept = [
                {
                    key: visit(i, key, value) if key in self._opened_in_turns else value
                    for key, value in turn.items()
                }
                for i, turn in enumerate(kept)
            ]
        return Frame(record, frame.speaks, kept)

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        """Return the schema of every Parquet part."""
        fields = select_fields(source, {*self._written, *self._ids})
        return pa.schema(
            [inside_list(f, self._in_turn, self._text) if f.name == self._turns else f for f in fields]
        )

    def _in_turn(self, field: pa.Field) -> pa.Field | None:
        if field.name in (self._text, self._speaker):
            return as_text(field)
        return pa.field(field.name, field.type) if field.name in self._kept_in_turns else None

    def _read_table(self, table: pa.Table, first_row: int, file_key: str) -> Reading:
        """Read rows column by column, or record by record if a row may be wrong."""
        try:
            columns = self._columns(table, first_row, file_key) if self._is_plain(table) else None
        except (ValueError, OverflowError):
            columns = None
        return super()._read_table(table, first_row, file_key) if columns is None else (columns, [])

    def _is_plain(self, table: pa.Table) -> bool:
        """Whether the columns have common types and no field that only the slow path supports."""
        ids = [key for key in self._ids if key in table.column_names]
        if self._turns not in table.column_names or len(ids) > 1:
            return False
        if not ids and self.needs_id:
            return False
        schema = table.schema
        if (
            ids
            and not is_text(schema.field(ids[0]).type)
            and not pa.types.is_integer(schema.field(ids[0]).type)
        ):
            return False
        if self._context in schema.names and not is_text(schema.field(self._context).type):
            return False
        kind = schema.field(self._turns).type
        if not (pa.types.is_list(kind) or pa.types.is_large_list(kind)) or not is_list_of_structs(kind):
            return False
        inner = {field.name: field.type for field in kind.value_type}
        if self._text not in inner or not is_text(inner[self._text]):
            return False
        if self._spans in inner and not is_list_of_structs(inner[self._spans]):
            return False
        return self._speaker not in inner or is_text(inner[self._speaker])

    def _columns(self, table: pa.Table, first_row: int, file_key: str) -> ConversationBatch | None:
        """Return the batch, or None if a row must be read by itself."""
        turns = table[self._turns].combine_chunks()
        flat = turns.flatten()
        text_column = flat.field(self._text)
        if turns.null_count or flat.null_count or text_column.null_count:
            return None
        if (pc.max(pc.binary_length(text_column)).as_py() or 0) > self.options.max_turn_chars:
            return None
        identity = next((key for key in self._ids if key in table.column_names), None)
        names = [name for name in table.column_names if name in self._written or name == identity]
        count = table.num_rows
        values = {name: [None] * count if name == self._turns else table[name].to_pylist() for name in names}
        if identity is None:
            ids = [f"{file_key}-{position}" for position in range(first_row, first_row + count)]
        elif None in values[identity] or "" in values[identity]:
            return None
        else:
            ids = list(map(str, values[identity]))
        contexts = values.get(self._context, [None] * count)
        if not all(map(is_context, set(contexts))):
            return None
        texts = text_column.to_pylist()
        inner = [field.name for field in flat.type]
        speaks = self._speaker in inner
        kept = None
        if self._kept_in_turns:
            kept_names = [name for name in self._kept_in_turns if name in inner]
            kept_columns = [flat.field(name).to_pylist() for name in kept_names]
            kept_rows = zip(*kept_columns, strict=True) if kept_names else repeat((), len(texts))
            kept = [dict(zip(kept_names, row, strict=True)) for row in kept_rows]
        starts = turns.offsets.to_numpy().astype(np.int64)
        starts -= starts[0]
        offsets = starts.tolist()
        spans: list[Sequence[AnnotatedSpan]] = [NO_SPANS] * len(texts)
        annotated = [Annotation.NONE] * count
        if self._spans in inner:
            marks = read_spans(flat.field(self._spans), text_column)
            if marks is None:
                return None
            spans = marks.spans
            gold = table["gold"].to_pylist() if "gold" in table.column_names else [None] * count
            annotated = annotations(marks, starts, gold)
        readers: list[str | None] = [None] * count
        if REVIEWED_BY in table.column_names:
            readers = [reader_name(value) for value in table[REVIEWED_BY].to_pylist()]
        batch = ConversationBatch(
            ids=ids,
            contexts=[value or "" for value in contexts],
            annotations=annotated,
            readers=readers,
            positions=list(range(first_row, first_row + count)),
            first_cell=offsets,
            texts=texts,
            speakers=flat.field(self._speaker).to_pylist() if speaks else [None] * len(texts),
            parts=[None] * len(texts),
            spans=spans,
            rows=[1] * count,
            origins=[None] * count,
            json_texts=[None] * count,
        )
        rows = zip(*(values[name] for name in names), strict=True)
        for row, (start, stop) in zip(rows, pairwise(offsets), strict=True):
            batch.turns.extend(range(stop - start))
            kept_here = None if kept is None else kept[start:stop]
            batch.frames.append(Frame(dict(zip(names, row, strict=True)), speaks and stop > start, kept_here))
        return batch

    def _write_table(
        self,
        batch: ConversationBatch,
        texts: Sequence[str],
        speakers: Sequence[str | None],
        schema: pa.Schema,
    ) -> pa.Table:
        """Write a batch column by column."""
        kind = schema.field(self._turns).type if self._turns in schema.names else pa.null()
        if not is_list_of_structs(kind) or not kind.value_type.num_fields:
            # If all turns of a file are empty, its schema may lack their fields.
            return super()._write_table(batch, texts, speakers, schema)
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
