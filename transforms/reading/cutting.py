"""Cut a part into its work units, in order.

Ranges that allow random access are cut evenly if long, and packed together if short, as with many small
files. Ranges that can only be read sequentially are read here, once, and their units carry the content. Units
at the end of a long range are four times smaller, so that workers finish at about the same time.
"""

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from tacenda.transforms.schema.work_unit import (
    LINES,
    Block,
    FileRange,
    Part,
    WorkUnit,
    continuation,
    unit_name,
)
from tacenda.transforms.storage.arrow_stream import from_stream, to_stream
from tacenda.transforms.storage.json_lines import read_slices
from tacenda.transforms.storage.tables import read_row_groups

_MOST_ROWS = 1 << 30
"""No limit on the rows of a block; only its bytes are limited."""

_LAST, _PIECES = 2, 4
"""Number of units at the end of a long range that are cut smaller, and pieces of each. With 14 units and two
workers, the slower one finishes 2 % after the other, instead of 7 % with whole units."""


def units_of(part: Part, columns: Sequence[str]) -> Iterator[WorkUnit]:
    """Cut a part into its work units: at least one, and the same in every run.

    ``columns`` are the columns to read from a Parquet file, as in :meth:`Shape.columns`.
    """
    unit_bytes = part.unit_bytes
    packed: list[FileRange] = []
    size = index = 0
    for piece in part.ranges:
        if packed and (piece.sequential or size >= unit_bytes):
            yield WorkUnit(unit_name(part.name, index), tuple(packed))
            packed, size, index = [], 0, index + 1
        if piece.sequential:
            yield from _blocks(part, index, piece, columns)
            index += 1
            continue
        for cut in _evenly(piece, unit_bytes):
            if packed and (size + cut.text_bytes > unit_bytes or packed[-1].url == cut.url):
                yield WorkUnit(unit_name(part.name, index), tuple(packed))
                packed, size, index = [], 0, index + 1
            packed.append(cut)
            size += cut.text_bytes
    if packed:
        yield WorkUnit(unit_name(part.name, index), tuple(packed))


def _evenly(whole: FileRange, unit_bytes: int) -> Iterator[FileRange]:
    """Cut a range of plain JSON lines into ranges of about one unit, and smaller ones at the end of many."""
    if whole.encoding != "jsonl" or whole.compression is not None or whole.layout != LINES:
        yield whole
        return
    size = whole.stop - whole.start
    count = max(1, round(size / unit_bytes))
    cuts = _cut_points(whole.start, whole.stop, count)
    if count > _LAST:
        cuts[-_LAST - 1 :] = _cut_points(cuts[-_LAST - 1], whole.stop, _LAST * _PIECES)
    for start, stop in pairwise(cuts):
        yield replace(whole, start=start, stop=stop, text_bytes=stop - start)


def _cut_points(start: int, stop: int, count: int) -> list[int]:
    """The ends of ``count`` equal ranges, and the start of the first."""
    return [start + (stop - start) * index // count for index in range(count + 1)]


def _blocks(part: Part, index: int, whole: FileRange, columns: Sequence[str]) -> Iterator[WorkUnit]:
    """Read a sequential range in units; beyond the size of a part, they belong to its continuations."""
    continued = number = written = 0
    for block in _smaller_at_the_end(_read(whole, columns, part.unit_bytes), whole):
        # Only a range that is alone in its part may be continued, to keep the order of ranges.
        if whole.text_bytes > part.part_bytes and written >= part.part_bytes:
            continued, number, written = continued + 1, 0, 0
        yield WorkUnit(unit_name(continuation(part.name, continued), index, number), (whole,), block)
        number, written = number + 1, written + len(block.data)
    if not continued and not number:
        yield WorkUnit(unit_name(part.name, index, 0), (whole,), Block(0, 0, b"", ()))


def _smaller_at_the_end(blocks: Iterator[Block], whole: FileRange) -> Iterator[Block]:
    last: deque[Block] = deque()
    many = False
    for block in blocks:
        last.append(block)
        if len(last) > _LAST:
            many = True
            yield last.popleft()
    for block in last:
        # After a loss, positions cannot be computed from the content.
        if not many or block.lost:
            yield block
        elif whole.encoding == "jsonl":
            yield from _pieces_of_lines(block)
        else:
            yield from _pieces_of_rows(block)


def _pieces_of_lines(block: Block) -> Iterator[Block]:
    start = 0
    for end in _cut_points(0, len(block.data), _PIECES)[1:]:
        # As between blocks, the line feed between two pieces belongs to neither.
        stop = len(block.data) if end == len(block.data) else block.data.rfind(b"\n", 0, end)
        if stop > start:
            yield Block(block.start + start, block.start + stop, block.data[start:stop], ())
            start = stop + 1


def _pieces_of_rows(block: Block) -> Iterator[Block]:
    table = from_stream(block.data)
    for start, stop in pairwise(_cut_points(0, len(table), _PIECES)):
        if stop > start:
            piece = to_stream(table.slice(start, stop - start))
            yield Block(block.start + start, block.start + stop, piece, ())


def _read(whole: FileRange, columns: Sequence[str], unit_bytes: int) -> Iterator[Block]:
    end = math.inf if whole.until is None else whole.until
    if whole.encoding == "jsonl":
        for piece in read_slices(whole.url, whole.compression, layout=whole.layout, slice_bytes=unit_bytes):
            if piece.offset >= end:
                return
            lost = tuple((fault.offset, fault.error, 1) for fault in piece.faults)
            yield Block(piece.offset, piece.offset + len(piece.data), piece.data, lost)
        return
    rows = read_row_groups(
        whole.url, whole.start, whole.stop, columns, batch_rows=_MOST_ROWS, batch_bytes=unit_bytes
    )
    for batch in rows:
        first = whole.first_row + batch.first_row
        if first >= end:
            return
        if batch.table is None:
            yield Block(first, first + batch.rows, b"", ((first, "UnreadableRowGroup", batch.rows),))
        else:
            yield Block(first, first + batch.rows, to_stream(batch.table), ())
