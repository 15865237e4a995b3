"""Read a work unit as a stream of conversation batches."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.schema.work_unit import LINES, Block, FileRange, Layout, WorkUnit
from tacenda.transforms.shapes.shape import Reading, Shape, joined, rows_of
from tacenda.transforms.storage.json_lines import lines_of, read_lines
from tacenda.transforms.storage.json_values import json_value
from tacenda.transforms.storage.layouts import cells_of, plain_text
from tacenda.transforms.storage.tables import RowBatch, from_stream, pieces_of, read_row_groups

TEXT = "text"  # the field of the one text that a text file holds


class Records(NamedTuple):
    """Some records of a unit with their positions, before their shape is applied; and those without."""

    records: list[tuple[int, Any]]
    rejections: list[Rejection]


def read_unit(
    unit: WorkUnit, shape: Shape, *, batch_conversations: int = 1000, batch_chars: int = 4_000_000
) -> Iterator[Reading]:
    """Read a work unit in batches, limited by conversations and, approximately, by characters.

    Bad records are rejections beside the batch that they would have been in. A row group that cannot be
    decoded is one rejection for all its rows. Each conversation's origin is the number of its file.
    """
    readings = _readings(unit, shape, batch_conversations, batch_chars)
    # Each of many small files would else be a batch of its own.
    return joined(readings, batch_conversations, batch_chars) if len(unit.ranges) > 1 else readings


def _readings(unit: WorkUnit, shape: Shape, batch_conversations: int, batch_chars: int) -> Iterator[Reading]:
    for piece in unit.ranges:
        records = read_raw(piece, shape, batch_conversations, batch_chars, unit.block)
        # map keeps no reference, so that the source of a batch is freed while the batch is processed.
        yield from map(partial(_read, shape, piece), records)


def _read(shape: Shape, piece: FileRange, records: Records) -> Reading:
    batch, unread = shape.read_records(records.records, piece.key)
    batch.origins = [piece.file] * len(batch)
    return batch, [lost._replace(file=piece.file) for lost in sorted(records.rejections + unread)]


def read_raw(
    piece: FileRange, shape: Shape, batch_rows: int, batch_bytes: int, block: Block | None = None
) -> Iterator[Records]:
    """Stream the records of a range, or of a ``block`` of it, without applying the shape."""
    end = math.inf if piece.until is None else piece.until
    if piece.encoding == "parquet":
        for batch in _row_batches(piece, shape, batch_rows, batch_bytes, block):
            rows = min(batch.rows, end - batch.first_row)
            if rows <= 0:
                return
            if batch.table is not None:
                yield Records(rows_of(batch.table.slice(0, rows), batch.first_row), [])
            else:
                yield Records([], [Rejection(batch.first_row, Stage.READ, "UnreadableRowGroup", int(rows))])
        return
    read = read_lines(piece.url, piece.compression, piece.start, piece.stop, layout=piece.layout)
    for offsets, lines, faults in read if block is None else [lines_of(block)]:
        count = bisect_left(offsets, end)
        rejections = [lost for lost in faults if lost.position < end]
        if not (count or rejections) and (offsets or faults):
            return
        if not count:
            yield Records([], rejections)
        for few in _slices(offsets[:count], batch_rows, batch_bytes):
            own, texts = offsets[few], lines[few]
            if piece.layout.kind in ("array", "objects"):
                # What a record begins with in its file is not white space.
                own = [o + len(line) - len(line.lstrip()) for o, line in zip(own, texts, strict=True)]
            records, unread = parse(own, texts, piece.layout)
            yield Records(records, rejections + unread)
            rejections = []


def _row_batches(
    piece: FileRange, shape: Shape, batch_rows: int, batch_bytes: int, block: Block | None
) -> Iterator[RowBatch]:
    """Rows, with their numbers in the file."""
    if block is None:
        place = piece.url, piece.start, piece.stop, shape.columns()
        for batch in read_row_groups(*place, batch_rows=batch_rows, batch_bytes=batch_bytes):
            yield batch._replace(first_row=piece.first_row + batch.first_row)
        return
    for lost in block.lost:
        yield RowBatch(lost.position, lost.rows, None)
    if block.data:
        yield from pieces_of(from_stream(block.data), block.start, len(block.data), batch_rows, batch_bytes)


def _slices(offsets: Sequence[int], batch_rows: int, batch_bytes: int) -> Iterator[slice]:
    first = 0
    while first < len(offsets):
        full = bisect_left(offsets, offsets[first] + batch_bytes)
        last = max(first + 1, min(first + batch_rows, full))
        yield slice(first, last)
        first = last


def parse(
    offsets: Sequence[int], lines: Sequence[bytes], layout: Layout = LINES
) -> tuple[list[tuple[int, Any]], list[Rejection]]:
    """Parse lines one by one, so that two broken neighbours never pass as one good record."""
    records, rejections = [], []
    for offset, line in zip(offsets, lines, strict=True):
        try:
            records.append((offset, _value(line, layout)))
        except RecordError as error:
            rejections.append(Rejection(offset, Stage.READ, error.error))
    return records, rejections


def _value(line: bytes, layout: Layout) -> Any:
    """The record of a line: JSON, the row of a table, or a text that is a record itself."""
    if layout.kind not in ("table", "text"):
        try:
            return json_value(line)
        except ValueError:
            with suppress(UnicodeDecodeError):
                line.decode()
                raise RecordError("InvalidJson") from None
            raise RecordError("InvalidUtf8") from None
    try:
        text = plain_text(line)
    except UnicodeDecodeError:
        raise RecordError("InvalidUtf8") from None
    if layout.kind != "table":
        return {TEXT: text}
    cells = cells_of(text, layout.delimiter)
    if cells is None:
        raise RecordError("WrongQuotes")
    if len(cells) != len(layout.columns):
        raise RecordError("WrongCells")
    return dict(zip(layout.columns, cells, strict=True))
