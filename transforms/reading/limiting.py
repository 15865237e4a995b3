"""Limit a plan to the first conversations of the input, and count the rows that are left out.

A limit counts records, readable or not, in the order of files and positions. For turn-a-row input, it counts
conversation ids by their first row. The result does not depend on units or workers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pyarrow as pa

from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.planning import InputPlan
from tacenda.transforms.reading.regrouping import row_tables
from tacenda.transforms.schema.work_unit import LINES, FileRange, Part
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage.json_lines import read_lines
from tacenda.transforms.storage.tables import read_footer


def first_records(plan: InputPlan, limit: int) -> InputPlan:
    """Limit a plan to the first ``limit`` records.

    All rows are counted: Parquet rows from footers, JSON lines by reading the files.
    """
    left, unread = limit, 0
    parts: list[Part] = []
    for part in plan.parts:
        ranges: list[FileRange] = []
        for piece in part.ranges:
            taken, rows = _first_of_range(piece, left)
            if taken is not None:
                ranges.append(taken)
            read = min(left, rows)
            left, unread = left - read, unread + rows - read
        if ranges:
            parts.append(replace(part, ranges=tuple(ranges)))
    return replace(plan, parts=tuple(parts), rows_not_read=unread)


def first_conversations(parts: Sequence[Part], shape: TurnRowsShape, limit: int) -> frozenset[str]:
    """The ids of the first ``limit`` conversations of turn-a-row input."""
    found: dict[str, None] = {}
    for table in _row_tables(parts, shape):
        for name in table["conversation_id"].unique().drop_null().to_pylist():
            found.setdefault(name)
            if len(found) == limit:
                return frozenset(found)
    return frozenset(found)


def _row_tables(parts: Sequence[Part], shape: TurnRowsShape) -> Iterator[pa.Table]:
    for part in parts:
        for unit in units_of(part, shape.columns()):
            yield from row_tables(unit, shape)


def _first_of_range(piece: FileRange, left: int) -> tuple[FileRange | None, int]:
    """A range cut off after its first ``left`` records (None if ``left`` is 0), and its number of rows."""
    rows, until = (
        _rows_of_parquet(piece, left) if piece.encoding == "parquet" else _rows_of_lines(piece, left)
    )
    if not left:
        return None, rows
    if rows <= left:
        return piece, rows
    if piece.encoding == "jsonl" and piece.compression is None and piece.layout == LINES:
        return replace(piece, stop=until, text_bytes=until - piece.start), rows
    return replace(piece, until=until, text_bytes=max(1, piece.text_bytes * left // rows)), rows


def _rows_of_parquet(piece: FileRange, left: int) -> tuple[int, int]:
    """Number of rows in a range of row groups, and the row number in the file after the first ``left``."""
    groups = read_footer(piece.url).row_groups[piece.start : piece.stop]
    return sum(group.rows for group in groups), piece.first_row + left


def _rows_of_lines(piece: FileRange, left: int) -> tuple[int, int]:
    """Number of records in a range of lines, and the offset of the record after the first ``left``."""
    rows = until = 0
    for block in read_lines(piece.url, piece.compression, piece.start, piece.stop, layout=piece.layout):
        places = sorted((*block.offsets, *(fault.offset for fault in block.faults)))
        if rows <= left < rows + len(places):
            until = places[left - rows]
        rows += len(places)
    return rows, until
