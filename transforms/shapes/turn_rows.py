"""Shape 2: a turn a row, ``{conversation_id, turn_index, speaker, text}``, in any order."""

import pickle
from collections.abc import Sequence
from itertools import chain
from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import as_text, select_fields
from tacenda.transforms.shapes.declared import (
    context_label,
    identifier,
    relabelled_record,
    required_identifier,
    required_text,
    speaker_names,
)
from tacenda.transforms.shapes.grouping import error_row, group_rows, row_table
from tacenda.transforms.shapes.kept_cells import VisitValue
from tacenda.transforms.shapes.options import ReadOptions, actual_name, kept_fields, opened_fields
from tacenda.transforms.shapes.shape import Reading, Record, Shape, as_object, rows_of
from tacenda.transforms.shapes.turn_order import index_order, is_time, time_order

TIMES = ("time", "timestamp", "start")


class TurnRowsShape(Shape):
    """A turn a row.

    Rows are read into a row table (``read_rows_of_…``), which can be partitioned by conversation;
    ``group_rows`` makes conversations from whole partitions. Only the conversations with an id in ``only`` are
    read; None for all.
    """

    name = "turns"
    declared = frozenset({"conversation_id", "context", "turn_index", "time", "speaker", "text"})
    grouped = True

    def __init__(self, options: ReadOptions, only: frozenset[str] | None = None) -> None:
        super().__init__(options)
        self.only = only
        self._id = actual_name(options, "conversation_id")
        self._context = actual_name(options, "context")
        self._index = actual_name(options, "turn_index")
        self._times = (options.fields["time"],) if "time" in options.fields else TIMES
        self._speaker = actual_name(options, "speaker")
        self._text = actual_name(options, "text")
        self._replaced = frozenset({self._speaker, self._text})
        self._unread = frozenset(self._times) - {*kept_fields(options)}
        declared = {self._id, self._context, self._index, *self._times}
        self._opened = opened_fields(options) - {self._id, self._context, self._index, *self._replaced}
        self._written = frozenset({*declared, *self._replaced, *kept_fields(options)})

    def columns(self) -> list[str]:
        return sorted(self._written)

    def read_rows_of_records(self, records: Sequence[tuple[int, Any]], file: int) -> pa.Table:
        """Read records as a row table; a bad one becomes an error row."""
        return row_table(self._row(position, record, file) for position, record in records)

    def _frame(self, record: Record) -> Record:
        return {key: self._kept_value(key, record[key]) for key in record if key in self._written}

    def _kept_value(self, key: str, value: Any) -> Any:
        if key == self._text:
            return value is None
        # A time in addition to the turn index is not used, so it was not checked and may be any text.
        return None if key in self._replaced or (key in self._unread and not is_time(value)) else value

    def _row(self, position: int, value: Any, file: int) -> dict[str, Any]:
        name = None
        try:
            record = as_object(value)
            name = required_identifier(record, [self._id])
            indexed, order, order_exact = self._order(record)
            text = self._said(record)
            (speaker,) = speaker_names([record.get(self._speaker)])
            context = context_label(record, self._context)
        except RecordError as error:
            return {**error_row(name, file, position, error.error, 1), "field": error.field}
        return {
            "conversation_id": name,
            "file": file,
            "position": position,
            "rows": 1,
            "error": None,
            "indexed": indexed,
            "order": order,
            "order_exact": order_exact,
            "speaker": speaker,
            "text": text,
            "context": context,
            "frame": pickle.dumps(self._frame(record)),
        }

    def errors_of(self, records: Sequence[Any]) -> list[tuple[str, str | None] | None]:
        rows = (self._row(place, record, 0) for place, record in enumerate(records))
        return [None if row["error"] is None else (row["error"], row["field"]) for row in rows]

    def _said(self, record: Record) -> str:
        """The text of a turn; a turn may have none, as where nothing was understood."""
        if self._text in record and record[self._text] is None:
            return ""
        return required_text(record, self._text, self.options.max_turn_chars)

    def _order(self, record: Record) -> tuple[bool, float, int]:
        if record.get(self._index) is not None:
            return (True, *index_order(record[self._index]))
        for name in self._times:
            if record.get(name) is not None:
                return (False, *time_order(record[name]))
        raise RecordError("MissingField", self._index)

    def read_rows_of_table(self, table: pa.Table, first_row: int, file: int) -> pa.Table:
        """Read table rows as a row table; a bad one becomes an error row."""
        records, rejections = rows_of(table, first_row)
        errors = [
            error_row(self._name_at(table, one.position - first_row), file, one.position, one.error, one.rows)
            for one in rejections
        ]
        rows = [self._row(position, record, file) for position, record in records]
        return row_table(sorted(rows + errors, key=lambda row: int(row["position"])))

    def _name_at(self, table: pa.Table, row: int) -> str | None:
        """Return the conversation of a row that Python cannot represent, if at least that can be read."""
        if self._id not in table.column_names:
            return None
        try:
            return identifier({self._id: table[self._id][row].as_py()}, [self._id])
        except (ValueError, OverflowError, RecordError):
            return None

    def _read_records(self, records: Sequence[tuple[int, Any]], file_key: str) -> Reading:
        return _whole(self.read_rows_of_records(records, 0))

    def _read_table(self, table: pa.Table, first_row: int, file_key: str) -> Reading:
        return _whole(self.read_rows_of_table(table, first_row, 0))

    def written_fields(self) -> frozenset[str]:
        return self._written

    @property
    def id_fields(self) -> tuple[str, ...]:
        return (self._id,)

    def relabelled(self, frame: list[Record], conversation_id: str, context: str) -> list[Record]:
        return [
            relabelled_record(row, self.id_fields, self._context, conversation_id, context) for row in frame
        ]

    def map_kept(self, frame: list[Record], visit: VisitValue) -> list[Record]:
        return [
            {
                key: visit(i, key, value) if self._is_opened(key, value) else value
                for key, value in row.items()
            }
            for i, row in enumerate(frame)
        ]

    def _is_opened(self, key: str, value: Any) -> bool:
        return key in self._opened and not (key in self._times and is_time(value))

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        fields = select_fields(source, self._written)
        return pa.schema([as_text(field) if field.name in self._replaced else field for field in fields])

    def _write_records(
        self, batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]
    ) -> list[Record]:
        rows = chain.from_iterable(batch.frames)
        written = []
        for row, text, speaker in zip(rows, texts, speakers, strict=True):
            # The frame says in its place whether there was a text.
            record = {**row, self._text: None if row.get(self._text) else text}
            if self._speaker in row:
                record[self._speaker] = speaker
            written.append(record)
        return written

    def _write_table(
        self,
        batch: ConversationBatch,
        texts: Sequence[str],
        speakers: Sequence[str | None],
        schema: pa.Schema,
    ) -> pa.Table:
        records = self._write_records(batch, texts, speakers)
        columns = [pa.array([row.get(field.name) for row in records], field.type) for field in schema]
        return pa.Table.from_arrays(columns, schema=schema)


def _whole(rows: pa.Table) -> Reading:
    batch, rejections = ConversationBatch(), []
    for batch, lost in group_rows([rows], rows.num_rows + 1, rows.nbytes + 1):  # noqa: B007
        rejections.extend(lost)
    return batch, rejections
