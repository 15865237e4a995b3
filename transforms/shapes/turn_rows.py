"""Shape 2: a turn a row, ``{conversation_id, turn_index, speaker, text}``, in any order."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import compress, pairwise
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.declared import (
    check_texts,
    context_label,
    identifier,
    refuse,
    required,
    speaker_names,
)
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind, Tree
from tacenda.transforms.shapes.shape import (
    DamagedRow,
    Parsed,
    Reading,
    Record,
    Shape,
    Sink,
    append,
    joined,
)
from tacenda.transforms.shapes.turn_order import index_order, is_time, time_order

TIMES = ("time", "timestamp", "start")

_AT_ONCE = 100

COLUMNS = pa.schema(
    [
        *((name, pa.string()) for name in ("conversation_id", "error", "speaker", "context")),
        *((name, pa.int64()) for name in ("file", "position", "rows", "order_exact")),
        *(("indexed", pa.bool_()), ("order", pa.float64())),
        *(("text", pa.large_string()), ("frame", pa.large_binary())),
    ]
)
"""The columns of every row table.

``conversation_id`` is null if it could not be read. ``error`` is an error class, null in good rows; ``rows``
is the number of input rows, which may be several if unreadable. ``indexed`` says that the order is a turn
index, which must be unique, and not a time. ``order`` sorts the rows of a conversation; ``order_exact``
breaks ties of integers too large for ``order``. ``frame`` has the row's other fields to write, pickled so that
they keep their types.
"""


def row_table(rows: Iterable[dict[str, Any]]) -> pa.Table:
    """Make a row table."""
    return pa.Table.from_pylist(list(rows), schema=COLUMNS)


def error_row(file: int, position: int, error: str | None, rows: int) -> dict[str, Any]:
    """Return the row for something unreadable."""
    given = {"conversation_id": None, "file": file, "position": position, "rows": rows, "error": error}
    no_order = {"indexed": False, "order": 0.0, "order_exact": 0}
    return {**given, **no_order, "text": "", "context": "", "frame": b""}


class TurnRowsShape(Shape):
    """A turn a row.

    Rows are read into a row table (``read_rows``), which can be partitioned by conversation;
    ``regroup`` makes conversations from whole partitions. Only the conversations with an id in ``only`` are
    read; None for all. A frame is the rows of a conversation.
    """

    name = "turns"
    needed: ClassVar = {"text": str, "conversation_id": None}
    declared = frozenset({"conversation_id", "context", "turn_index", "time", "speaker", "text"})
    table: ClassVar = {"turn_index": Kind.OPAQUE, "speaker": Kind.SPEAKER, "text": Kind.TEXT}
    id_names = ("conversation_id",)
    grouped = True

    def __init__(self, options: ReadOptions, only: frozenset[str] | None = None) -> None:
        self.times = (options.fields["time"],) if "time" in options.fields else TIMES
        super().__init__(options)
        self.only = only
        (self._id,) = self.id_fields
        self._index, self._speaker, self._text = map(self.actual, ("turn_index", "speaker", "text"))

    def _keep(self, tree: Tree) -> None:
        tree.form = None  # it is that of several rows
        tree.within.setdefault(self.id_fields[0], Tree(Kind.ID))
        super()._keep(tree)
        for name in self.times:
            tree.within.setdefault(name, Tree(Kind.TIME))

    def read_rows(self, records: Sequence[tuple[int, Any]], file: int) -> pa.Table:
        """Read records as a row table; a bad one becomes an error row."""
        return row_table(self._row(position, record, file) for position, record in records)

    def _row(self, position: int, value: Any, file: int) -> dict[str, Any]:
        row = error_row(file, position, None, 1)
        if type(value) is DamagedRow:
            # Its conversation is rejected with it, if at least that can be read.
            with suppress(RecordError):
                row["conversation_id"] = identifier(value, [self._id])
        try:
            record = self.as_record(value)
            row["conversation_id"] = required(identifier(record, [self._id]), self._id)
            row["indexed"], row["order"], row["order_exact"] = self._order(record)
            # A turn may have no text, as where nothing was understood.
            text = "" if record.get(self._text, 0) is None else required(record.get(self._text), self._text)
            check_texts([text], self.options.max_turn_chars)
            (row["speaker"],) = speaker_names([record.get(self._speaker)])
            row["context"] = context_label(record, self._context)
        except RecordError as error:
            return {**row, "error": error.error, "field": error.field}
        frame = {key: self._kept_value(key, record[key]) for key in record if key in self.tree.within}
        return {**row, "text": text, "frame": pickle.dumps(frame)}

    def _order(self, record: Record) -> tuple[bool, float, int]:
        if record.get(self._index) is not None:
            return (True, *index_order(record[self._index]))
        for name in self.times:
            if record.get(name) is not None:
                return (False, *time_order(record[name]))
        raise RecordError("MissingField", self._index)

    def _kept_value(self, key: str, value: Any) -> Any:
        if key == self._text:
            return value is None
        # A time in addition to the turn index is not used, so it was not checked and may be any text.
        is_unread = self.tree.within[key].kind is Kind.TIME and not is_time(value)
        return None if key == self._speaker or is_unread else value

    def error_of(self, record: Any) -> tuple[str, str | None] | None:
        row = self._row(0, record, 0)
        return row["error"] and (row["error"], row["field"])

    def read_records(self, records: Sequence[tuple[int, Any]], file_key: str) -> Reading:
        rows = self.read_rows(records, 0)
        # All in one batch.
        empty: Reading = ConversationBatch(), []
        return next(
            regroup([rows], self, batch_conversations=rows.num_rows + 1, batch_chars=rows.nbytes + 1), empty
        )

    def rewrite(self, record: list[Record], to: Sink) -> list[Record]:
        written = []
        for turn, row in enumerate(record):
            text, speaker = to.add(turn, None, "", None)
            # The frame says in its place whether there was a text.
            new = {**row, self._text: None if row.get(self._text) else text}
            if self._speaker in row:
                new[self._speaker] = speaker
            written.append(new)
        return written

    def finished(self, record: list[Record], frame: list[Record]) -> list[Record]:
        return record

    def relabelled(self, frame: list[Record], conversation_id: str, context: str) -> list[Record]:
        return [super(TurnRowsShape, self).relabelled(row, conversation_id, context) for row in frame]

    def conversation(self, rows: dict[str, list[Any]]) -> Parsed:
        """A conversation of its rows in turn order, as columns."""
        parsed = Parsed(self.options.max_turn_chars, id=rows["conversation_id"][0])
        parsed.frame = [pickle.loads(frame) for frame in rows["frame"]]  # noqa: S301 - of this very run
        parsed.context = next(filter(None, rows["context"]), "")
        for turn, (speaker, text) in enumerate(zip(rows["speaker"], rows["text"], strict=True)):
            parsed.add(turn, speaker, "", text)
        return self.completed(parsed)


def regroup(
    tables: Sequence[pa.Table], shape: Shape, *, batch_conversations: int = 1000, batch_chars: int = 4_000_000
) -> Iterator[Reading]:
    """Make conversations from the row tables of one partition, in batches.

    The order of the tables does not matter: conversations are ordered by the file and position of their first
    row, and so are rows with the same time. A conversation with a bad row, or with two rows of the same turn
    index, is rejected as a whole, at the position of its first row; a row of an unknown conversation is
    rejected by itself.
    """
    assert isinstance(shape, TurnRowsShape), "others have a conversation a row"
    tables = [table for table in tables if table.num_rows]
    if not tables:
        return
    rows = _sorted(pa.concat_tables(tables), "file", "position")
    del tables  # their data is in rows
    # Codes are assigned in order of first appearance; unknown conversations have none, and come last.
    codes = rows["conversation_id"].combine_chunks().dictionary_encode().indices
    rows = _sorted(rows.append_column("code", codes), "code", "order", "order_exact", "file", "position")
    readings = (_read(own, shape) for own in _conversations_of(rows))
    yield from joined(readings, batch_conversations, batch_chars)


def _sorted(rows: pa.Table, *columns: str) -> pa.Table:
    return rows.sort_by([(column, "ascending") for column in columns])


def _conversations_of(rows: pa.Table) -> Iterator[dict[str, list[Any]]]:
    """The rows of each conversation, as columns; those of several are made at once, which is faster."""
    code = rows["code"].fill_null(-1).to_numpy()
    begins = np.append(True, (code[1:] != code[:-1]) | (code[1:] < 0))
    bounds = [*np.flatnonzero(begins).tolist(), len(code)]
    for start in range(0, len(bounds) - 1, _AT_ONCE):
        some = bounds[start : start + _AT_ONCE + 1]
        columns = rows.slice(some[0], some[-1] - some[0]).to_pydict()
        for first, last in pairwise(bound - some[0] for bound in some):
            yield {name: column[first:last] for name, column in columns.items()}


def _read(rows: dict[str, list[Any]], shape: TurnRowsShape) -> Reading:
    """The conversation of some rows in turn order, or why they make none."""
    batch, lost = ConversationBatch(), list[Rejection]()
    file, position = min(zip(rows["file"], rows["position"], strict=True))
    count = sum(rows["rows"])
    try:
        _check(rows)
        append(batch, shape.conversation(rows), position, "", count, file)
    except RecordError as error:
        lost.append(Rejection(position, Stage.READ, error.error, count, file))
    return batch, lost


def _check(rows: dict[str, list[Any]]) -> None:
    # The first bad row in input order determines the error.
    errors = zip(rows["file"], rows["position"], rows["error"], strict=True)
    if bad := [place for place in errors if place[2] is not None]:
        raise RecordError(min(bad)[2])
    orders = zip(rows["order"], rows["order_exact"], strict=True)
    indexes = [*compress(orders, rows["indexed"])]
    refuse(any(one == other for one, other in pairwise(indexes)), "DuplicateTurn")
    # Turns with an index and turns with a time have no common order.
    refuse(0 < len(indexes) < len(rows["order"]), "MixedOrder")
