"""A work unit as a stream of conversation batches."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson
import pyarrow as pa

from transforms.reading.wide_numbers import has_wide_number
from transforms.schema.conversation import ConversationBatch
from transforms.schema.rejection import Rejection, Stage
from transforms.schema.work_unit import WorkUnit
from transforms.shapes.shape import Reading, Shape
from transforms.storage.json_lines import LineBlock, read_lines
from transforms.storage.parquet import read_row_groups

_MOST_LEVELS = 200
"""Fewer than orjson writes, of lists and objects in each other."""


class Records(NamedTuple):
    """Some records of a unit before their shape is known: parsed lines, or table rows from ``first_row``."""

    lines: list[tuple[int, Any]]
    table: pa.Table | None
    first_row: int
    rejections: list[Rejection]


def read_unit(
    unit: WorkUnit, shape: Shape, *, batch_conversations: int = 1000, batch_chars: int = 4_000_000
) -> Iterator[Reading]:
    """Read a work unit in batches of at most so many conversations and about so many characters.

    A bad record comes as a rejection beside the batch it would have been in. A row group that cannot be
    decoded is one rejection for all its missing rows.
    """
    # map holds on to nothing: while a batch is worked on, it is alive once and what it was read from is gone.
    return map(partial(_read, shape, unit.key), read_raw(unit, shape, batch_conversations, batch_chars))


def _read(shape: Shape, file_key: str, records: Records) -> Reading:
    if records.table is not None:
        batch, unread = shape.read_table(records.table, records.first_row, file_key)
    elif records.lines:
        batch, unread = shape.read_records(records.lines, file_key)
    else:
        batch, unread = ConversationBatch(), []
    return batch, sorted(records.rejections + unread)


def read_raw(unit: WorkUnit, shape: Shape, batch_rows: int, batch_bytes: int) -> Iterator[Records]:
    """Stream a unit's records in their own form."""
    if unit.encoding == "parquet":
        yield from _raw_rows(unit, shape, batch_rows, batch_bytes)
    else:
        yield from _raw_lines(unit, bool(shape.options.keep), batch_rows, batch_bytes)


def _raw_rows(unit: WorkUnit, shape: Shape, batch_rows: int, batch_bytes: int) -> Iterator[Records]:
    batches = read_row_groups(
        unit.url, unit.start, unit.stop, shape.columns(), batch_rows=batch_rows, batch_bytes=batch_bytes
    )
    for batch in batches:
        first_row = unit.first_row + batch.first_row
        if batch.table is None:
            lost = Rejection(first_row, Stage.READ, "UnreadableRowGroup", batch.rows)
            yield Records([], None, first_row, [lost])
        else:
            yield Records([], batch.table, first_row, [])


def _raw_lines(unit: WorkUnit, exact: bool, batch_rows: int, batch_bytes: int) -> Iterator[Records]:
    for block in read_lines(unit.url, unit.compression, unit.start, unit.stop):
        rejections = [Rejection(fault.offset, Stage.READ, fault.error) for fault in block.faults]
        if not block.lines:
            yield Records([], None, 0, rejections)
        for piece in _pieces(block, batch_rows, batch_bytes):
            records, unread = parse_lines(piece.offsets, piece.lines, exact)
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
    offsets: Sequence[int], lines: Sequence[bytes], exact: bool = False
) -> tuple[list[tuple[int, Any]], list[Rejection]]:
    """Parse JSON lines, each by itself: two broken neighbours must never pass as one good record.

    With ``exact``, as fields that are kept need it, a record is rejected that holds a number which could not be
    written as it was read.
    """
    try:
        values = list(map(orjson.loads, lines))
    except orjson.JSONDecodeError:
        pass
    else:
        if not any(map(_too_deep, lines, values)) and not (exact and any(map(has_wide_number, lines))):
            return list(zip(offsets, values, strict=True)), []
    records, rejections = [], []
    for offset, line in zip(offsets, lines, strict=True):
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            rejections.append(Rejection(offset, Stage.READ, _why(line)))
            continue
        if _too_deep(line, value):
            rejections.append(Rejection(offset, Stage.READ, "NestedTooDeep"))
        elif exact and has_wide_number(line):
            rejections.append(Rejection(offset, Stage.READ, "NumberTooLarge"))
        else:
            records.append((offset, value))
    return records, rejections


def _too_deep(line: bytes, value: Any) -> bool:
    """Say whether a record holds more levels than can be written again: reading takes more of them."""
    if line.count(b"[") + line.count(b"{") < _MOST_LEVELS:
        return False
    try:
        orjson.dumps(value)
    except TypeError:
        return True
    return False


def _why(line: bytes) -> str:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return "InvalidUtf8"
    return "InvalidJson"
