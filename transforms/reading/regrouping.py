"""Regroup turn-a-row input: hash partitions as tables, then whole conversations; and read input of any kind."""

import zlib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from tacenda.transforms.reading.units import read_raw, read_unit
from tacenda.transforms.schema.rejection import NOT_READ
from tacenda.transforms.schema.work_unit import WorkUnit
from tacenda.transforms.shapes.shape import Reading, Shape
from tacenda.transforms.shapes.turn_rows import TurnRowsShape, error_row, regroup, row_table

READ_ROWS = 20_000
READ_BYTES = 16 << 20
TABLE_BYTES = 64 << 20  # before partitioning; a larger unit gives several tables a partition


def partition_units(
    units: Iterable[WorkUnit], shape: Shape, partitions: int, *, table_bytes: int = TABLE_BYTES
) -> Iterator[tuple[int, pa.Table]]:
    """Read the rows of units and partition them by conversation.

    Yields ``(partition, row table)``; all rows of a conversation are in the same partition, regardless of
    their file. Unreadable rows of unknown conversations are in partition 0. Rows of several units share a
    table, so that there are not as many tables as units times partitions.
    """
    assert isinstance(shape, TurnRowsShape), "others have a conversation a row"
    held: list[pa.Table] = []
    size = 0
    for unit in units:
        for table in row_tables(unit, shape):
            held.extend(_chosen(table, shape.only))
            size += table.nbytes
            if size >= table_bytes:
                yield from _deal(held, partitions)
                held, size = [], 0
    yield from _deal(held, partitions)


def read_units(
    units: Iterable[WorkUnit], shape: Shape, partitions: int, batch_conversations: int = 1000
) -> Iterator[Reading]:
    """Read the conversations of units in this process, in order; with ``partitions``, those of turn rows."""
    if not partitions:
        for unit in units:
            yield from read_unit(unit, shape, batch_conversations=batch_conversations)
        return
    tables: dict[int, list[pa.Table]] = {}
    for number, table in partition_units(units, shape, partitions):
        tables.setdefault(number, []).append(table)
    for number in sorted(tables):
        yield from regroup(tables.pop(number), shape)


def row_tables(unit: WorkUnit, shape: TurnRowsShape) -> Iterator[pa.Table]:
    """The rows of a unit as row tables, in order."""
    for piece in unit.ranges:
        for records in read_raw(piece, shape, READ_ROWS, READ_BYTES):
            if records.rejections:
                lost = records.rejections
                yield row_table(error_row(piece.file, one.position, one.error, one.rows) for one in lost)
            if records.records:
                yield shape.read_rows(records.records, piece.file)


def _chosen(rows: pa.Table, only: frozenset[str] | None) -> Iterator[pa.Table]:
    """The rows of the wanted and of unknown conversations, and one row that counts all others."""
    if only is None or not rows.num_rows:
        yield rows
        return
    wanted = np.array([one is None or one in only for one in rows["conversation_id"].to_pylist()])
    others = rows.filter(pa.array(~wanted))
    if others.num_rows:
        place = others["file"][0].as_py(), others["position"][0].as_py()
        yield row_table([error_row(*place, NOT_READ, int(others["rows"].to_numpy().sum()))])
    yield rows.filter(pa.array(wanted))


def partition_of(conversation_id: str, partitions: int) -> int:
    """The partition of a conversation, the same on every machine and in every run."""
    return zlib.crc32(conversation_id.encode()) % partitions


def _deal(tables: Sequence[pa.Table], partitions: int) -> Iterator[tuple[int, pa.Table]]:
    rows = pa.concat_tables(tables) if tables else row_table([])
    ids = rows["conversation_id"].combine_chunks().dictionary_encode()
    of_id = [partition_of(name, partitions) for name in ids.dictionary.to_pylist()]
    codes = ids.indices.fill_null(len(of_id)).to_numpy()
    part = np.array([*of_id, 0], np.int64)[codes]
    for number in np.unique(part).tolist():
        # take, not slice: a slice would send the whole table's buffers to every partition.
        yield number, rows.take(pa.array(np.flatnonzero(part == number))).combine_chunks()
