"""Cut a part into its work units, in order.

Ranges that allow random access are cut evenly if long, and packed together if short, as with many small
files. Ranges that can only be read sequentially are read here, once, and their units carry the content. So that
workers finish at about the same time, these are half as large, and the last of ranges cut evenly a quarter.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise, takewhile

from tacenda.transforms.reading.planning import InputPlan
from tacenda.transforms.reading.regrouping import row_tables
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.schema.work_unit import (
    Block,
    FileRange,
    Part,
    WorkUnit,
    continuation,
    unit_name,
)
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage.json_lines import read_blocks, read_lines
from tacenda.transforms.storage.tables import read_footer, read_row_groups, to_stream

_MOST_ROWS = 1 << 30  # no limit on the rows of a block; only its bytes are limited

_LAST, _PIECES = 2, 4
"""Number of units at the end of a long range that are cut smaller, and pieces of each. With 14 units and two
workers, the slower one finishes 2 % after the other, instead of 7 % with whole units."""


def units_of(part: Part, columns: Sequence[str]) -> Iterator[WorkUnit]:
    """Cut a part into its work units: at least one, and the same in every run.

    ``columns`` are the columns to read from a Parquet file, as in :meth:`Shape.columns`.
    """
    packed: list[list[FileRange]] = []
    size = 0
    for cut in (cut for piece in part.ranges for cut in _evenly(piece, part.unit_bytes)):
        last = packed[-1][-1] if packed else cut
        # Units are full, or have what can only be read in sequence, or one range of a file.
        is_full = last.sequential or cut.sequential or size + max(1, cut.text_bytes) > part.unit_bytes
        if not packed or is_full or last.url == cut.url:
            packed.append([])
            size = 0
        packed[-1].append(cut)
        size += cut.text_bytes
    for index, ranges in enumerate(packed):
        if ranges[0].sequential:
            yield from _blocks(part, index, ranges[0], columns)
        else:
            yield WorkUnit(unit_name(part.name, index), tuple(ranges))


def _evenly(whole: FileRange, unit_bytes: int) -> Iterator[FileRange]:
    """Cut a range of plain JSON lines into ranges of about one unit, and smaller ones at the end of many."""
    if not whole.is_plain_lines:
        yield whole
        return
    count = max(1, round((whole.stop - whole.start) / unit_bytes))
    cuts = _cut_points(whole.start, whole.stop, count)
    if count > _LAST:
        cuts[-_LAST - 1 :] = _cut_points(cuts[-_LAST - 1], whole.stop, _LAST * _PIECES)
    for start, stop in pairwise(cuts):
        yield whole.cut(start, stop)


def _cut_points(start: int, stop: int, count: int) -> list[int]:
    """The ends of ``count`` equal ranges, and the start of the first."""
    return [start + (stop - start) * index // count for index in range(count + 1)]


def _blocks(part: Part, index: int, whole: FileRange, columns: Sequence[str]) -> Iterator[WorkUnit]:
    """Read a sequential range in units; beyond the size of a part, they belong to its continuations."""
    continued = number = written = 0
    for block in _read(whole, columns, max(1, part.unit_bytes // 2)):
        # Only a range that is alone in its part may be continued, to keep the order of ranges.
        if whole.text_bytes > part.part_bytes and written >= part.part_bytes:
            continued, number, written = continued + 1, 0, 0
        yield WorkUnit(unit_name(continuation(part.name, continued), index, number), (whole,), block)
        number, written = number + 1, written + len(block.data)
    if not continued and not number:
        yield WorkUnit(unit_name(part.name, index, 0), (whole,), Block(0, 0, b""))


def _read(whole: FileRange, columns: Sequence[str], block_bytes: int) -> Iterator[Block]:
    end = math.inf if whole.until is None else whole.until
    if whole.encoding == "jsonl":
        blocks = read_blocks(whole.url, whole.compression, layout=whole.layout, block_bytes=block_bytes)
        yield from takewhile(lambda block: block.start < end, blocks)
        return
    rows = read_row_groups(
        whole.url, whole.start, whole.stop, columns, batch_rows=_MOST_ROWS, batch_bytes=block_bytes
    )
    for batch in rows:
        first = whole.first_row + batch.first_row
        if first >= end:
            return
        data = b"" if batch.table is None else to_stream(batch.table)
        lost = Rejection(first, Stage.READ, "UnreadableRowGroup", batch.rows)
        yield Block(first, first + batch.rows, data, (lost,) if batch.table is None else ())


def first_records(plan: InputPlan, limit: int) -> InputPlan:
    """Limit a plan to the first ``limit`` records.

    All rows are counted: Parquet rows from footers, JSON lines by reading the files.
    """
    read = rows = 0
    parts: list[Part] = []
    for part in plan.parts:
        ranges: list[FileRange] = []
        for piece in part.ranges:
            taken, count = _first_of_range(piece, limit - read)
            ranges += [taken] if taken is not None else []
            read, rows = min(limit, read + count), rows + count
        if ranges:
            parts.append(replace(part, ranges=tuple(ranges)))
    return replace(plan, parts=tuple(parts), rows_not_read=rows - read)


def first_conversations(parts: Sequence[Part], shape: TurnRowsShape, limit: int) -> frozenset[str]:
    """The ids of the first ``limit`` conversations of turn-a-row input."""
    found: dict[str, None] = {}
    units = (unit for part in parts for unit in units_of(part, shape.columns()))
    for table in (table for unit in units for table in row_tables(unit, shape)):
        found |= dict.fromkeys(table["conversation_id"].unique().drop_null().to_pylist())
        if len(found) >= limit:
            break
    return frozenset(islice(found, limit))


def _first_of_range(piece: FileRange, left: int) -> tuple[FileRange | None, int]:
    """A range cut off after its first ``left`` records (None if ``left`` is 0), and its number of rows."""
    rows = until = 0
    if piece.encoding == "parquet":
        rows = sum(group.rows for group in read_footer(piece.url).row_groups[piece.start : piece.stop])
        until = piece.first_row + left
    else:
        for block in read_lines(piece.url, piece.compression, piece.start, piece.stop, layout=piece.layout):
            places = sorted((*block.offsets, *(fault.position for fault in block.faults)))
            if rows <= left < rows + len(places):
                until = places[left - rows]
            rows += len(places)
    if not left:
        return None, rows
    if rows <= left:
        return piece, rows
    if piece.is_plain_lines:
        return piece.cut(piece.start, until), rows
    return replace(piece, until=until, text_bytes=max(1, piece.text_bytes * left // rows)), rows
