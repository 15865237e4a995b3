"""Read a work unit as a stream of conversation batches."""

import json
import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.schema.work_unit import Block, FileRange, Layout, WorkUnit
from tacenda.transforms.shapes.shape import Reading, Shape
from tacenda.transforms.storage.json_lines import LineBlock, Slice, lines_of, read_lines
from tacenda.transforms.storage.json_values import json_value
from tacenda.transforms.storage.layouts import cells_of, plain_text
from tacenda.transforms.storage.tables import from_stream, read_row_groups

OF_CELLS = frozenset({"table", "text", "mails"})
"""Layouts whose records are no JSON."""

TEXT = "text"
"""The field of the one text that a text file holds."""


class Records(NamedTuple):
    """Some records of a unit before their shape is known: parsed lines, or table rows from ``first_row``."""

    lines: list[tuple[int, Any]]
    table: pa.Table | None
    first_row: int
    rejections: list[Rejection]


def read_unit(
    unit: WorkUnit, shape: Shape, *, batch_conversations: int = 1000, batch_chars: int = 4_000_000
) -> Iterator[Reading]:
    """Read a work unit in batches, limited by conversations and, approximately, by characters.

    Bad records are rejections beside the batch that they would have been in. A row group that cannot be
    decoded is one rejection for all its rows. Each conversation's origin is the number of its file.
    """
    readings = _readings(unit, shape, batch_conversations, batch_chars)
    return _packed(readings, batch_conversations, batch_chars) if len(unit.ranges) > 1 else readings


def _readings(unit: WorkUnit, shape: Shape, batch_conversations: int, batch_chars: int) -> Iterator[Reading]:
    for piece in unit.ranges:
        records = read_raw(piece, shape, batch_conversations, batch_chars, unit.block)
        # map keeps no reference, so that the source of a batch is freed while the batch is processed.
        yield from map(partial(_read, shape, piece), records)


def _read(shape: Shape, piece: FileRange, records: Records) -> Reading:
    if records.table is not None:
        batch, unread = shape.read_table(records.table, records.first_row, piece.key)
    elif records.lines:
        batch, unread = shape.read_records(records.lines, piece.key)
    else:
        batch, unread = ConversationBatch(), []
    batch.origins = [piece.file] * len(batch)
    return batch, [lost._replace(file=piece.file) for lost in sorted(records.rejections + unread)]


def _packed(readings: Iterator[Reading], batch_conversations: int, batch_chars: int) -> Iterator[Reading]:
    """Join the readings of small files, each of which would otherwise be a batch of its own."""
    held, lost = ConversationBatch(), list[Rejection]()
    size = 0
    for batch, rejections in readings:
        characters = sum(map(len, batch.texts))
        if len(held) and (len(held) + len(batch) > batch_conversations or size + characters > batch_chars):
            yield held, lost
            held, lost, size = ConversationBatch(), [], 0
        held.extend(batch)
        lost.extend(rejections)
        size += characters
    yield held, lost


def read_raw(
    piece: FileRange, shape: Shape, batch_rows: int, batch_bytes: int, block: Block | None = None
) -> Iterator[Records]:
    """Stream the records of a range, or of a ``block`` of it, without applying the shape."""
    records = _raw(piece, shape, batch_rows, batch_bytes, block)
    return records if piece.until is None else _before(piece.until, records)


def _raw(
    piece: FileRange, shape: Shape, batch_rows: int, batch_bytes: int, block: Block | None
) -> Iterator[Records]:
    if block is not None:
        yield from _raw_block(piece, block, batch_rows, batch_bytes)
    elif piece.encoding == "parquet":
        yield from _raw_rows(piece, shape, batch_rows, batch_bytes)
    else:
        blocks = read_lines(piece.url, piece.compression, piece.start, piece.stop, layout=piece.layout)
        for lines in blocks:
            yield from _raw_lines(piece, lines, batch_rows, batch_bytes)


def _before(until: int, raw: Iterator[Records]) -> Iterator[Records]:
    """The records with positions below ``until``; unreadable row groups are cut off there."""
    for records in raw:
        lines = [record for record in records.lines if record[0] < until]
        table = records.table
        if table is not None:
            table = table.slice(0, max(0, until - records.first_row))
        lost = [
            place._replace(rows=min(place.rows, until - place.position))
            for place in records.rejections
            if place.position < until
        ]
        if not (lines or table or lost) and any(records[:2]):
            return  # positions increase
        yield Records(lines, table, records.first_row, lost)


def _raw_block(piece: FileRange, block: Block, batch_rows: int, batch_bytes: int) -> Iterator[Records]:
    if block.lost:
        lost = [Rejection(position, Stage.READ, error, rows) for position, error, rows in block.lost]
        yield Records([], None, 0, lost)
    if not block.data:
        return
    if piece.encoding == "jsonl":
        lines = lines_of(Slice(block.start, block.data, []))
        yield from _raw_lines(piece, lines, batch_rows, batch_bytes)
        return
    table = from_stream(block.data)
    rows = max(1, min(batch_rows, batch_bytes * table.num_rows // max(1, len(block.data))))
    for first in range(0, table.num_rows, rows):
        yield Records([], table.slice(first, rows), block.start + first, [])


def _raw_rows(piece: FileRange, shape: Shape, batch_rows: int, batch_bytes: int) -> Iterator[Records]:
    batches = read_row_groups(
        piece.url, piece.start, piece.stop, shape.columns(), batch_rows=batch_rows, batch_bytes=batch_bytes
    )
    for batch in batches:
        first_row = piece.first_row + batch.first_row
        if batch.table is None:
            lost = Rejection(first_row, Stage.READ, "UnreadableRowGroup", batch.rows)
            yield Records([], None, first_row, [lost])
        else:
            yield Records([], batch.table, first_row, [])


def _raw_lines(piece: FileRange, lines: LineBlock, batch_rows: int, batch_bytes: int) -> Iterator[Records]:
    rejections = [Rejection(fault.offset, Stage.READ, fault.error) for fault in lines.faults]
    if not lines.lines:
        yield Records([], None, 0, rejections)
    for few in _pieces(lines, batch_rows, batch_bytes):
        offsets = few.offsets
        if piece.layout.kind in ("array", "objects"):
            # What a record begins with in its file is not white space.
            offsets = [o + len(line) - len(line.lstrip()) for o, line in zip(*few[:2], strict=True)]
        if piece.layout.kind in OF_CELLS:
            records, unread = parse_cells(offsets, few.lines, piece.layout)
        else:
            records, unread = parse_lines(offsets, few.lines)
        yield Records(records, None, 0, rejections + unread)
        rejections = []


def _pieces(block: LineBlock, batch_rows: int, batch_bytes: int) -> Iterator[LineBlock]:
    first = 0
    while first < len(block.lines):
        full = bisect_left(block.offsets, block.offsets[first] + batch_bytes)
        last = max(first + 1, min(first + batch_rows, full))
        yield LineBlock(block.offsets[first:last], block.lines[first:last], [])
        first = last


def parse_lines(
    offsets: Sequence[int], lines: Sequence[bytes]
) -> tuple[list[tuple[int, Any]], list[Rejection]]:
    """Parse JSON lines one by one, so that two broken neighbours never pass as one good record."""
    records, rejections = [], []
    for offset, line in zip(offsets, lines, strict=True):
        try:
            records.append((offset, json_value(line)))
        except RecordError as error:
            rejections.append(Rejection(offset, Stage.READ, error.error))
        except ValueError:
            rejections.append(Rejection(offset, Stage.READ, _why(line)))
    return records, rejections


def parse_cells(
    offsets: Sequence[int], lines: Sequence[bytes], layout: Layout
) -> tuple[list[tuple[int, Any]], list[Rejection]]:
    """Parse the rows of a table, or texts that are records themselves; see :func:`parse_lines`."""
    records: list[tuple[int, Any]] = []
    rejections = []
    for offset, line in zip(offsets, lines, strict=True):
        try:
            text = plain_text(line)
            if layout.kind != "table":
                records.append((offset, {TEXT: text}))
                continue
            cells = cells_of(text, layout.delimiter)
        except UnicodeDecodeError:
            rejections.append(Rejection(offset, Stage.READ, "InvalidUtf8"))
            continue
        if cells is None:
            rejections.append(Rejection(offset, Stage.READ, "WrongQuotes"))
        elif len(cells) != len(layout.columns):
            rejections.append(Rejection(offset, Stage.READ, "WrongCells"))
        else:
            records.append((offset, dict(zip(layout.columns, cells, strict=True))))
    return records, rejections


def _why(line: bytes) -> str:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return "InvalidUtf8"
    try:
        json.loads(line, parse_float=_finite, parse_int=_finite)
    except OverflowError:
        return "NumberTooLarge"
    except (ValueError, RecursionError):
        pass
    return "InvalidJson"


def _finite(spelling: str) -> float:
    """The number, unless it is beyond the range of floats."""
    number = float(spelling)
    if math.isinf(number):
        raise OverflowError
    return number
