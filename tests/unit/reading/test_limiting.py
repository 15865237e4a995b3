"""The first records of an input, for any format and any ranges, units and blocks."""

import gzip
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.reading.cutting import first_conversations, first_records, units_of
from tacenda.transforms.reading.planning import plan_input
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage.locating import locate

RECORDS = [
    {"conversation_id": f"c{i:03d}", "turns": [{"speaker": "a", "text": f"{i} {'x' * (i % 7) * 40}"}]}
    for i in range(100)
]


def write(path: Path, records: list[dict[str, Any]]) -> None:
    lines = b"".join(orjson.dumps(record) + b"\n" for record in records)
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(records), path, row_group_size=17)
    else:
        path.write_bytes(gzip.compress(lines) if path.suffix == ".gz" else lines)


@pytest.mark.parametrize("unit_bytes", [300, 5_000, 1 << 20])
@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "parquet"])
@pytest.mark.parametrize("limit", [1, 16, 17, 18, 39, 40, 41, 99, 100, 101])
def test_the_first_records_are_read_and_all_others_counted(
    tmp_path: Path, suffix: str, unit_bytes: int, limit: int
) -> None:
    write(tmp_path / f"a.{suffix}", RECORDS[:40])
    write(tmp_path / f"b.{suffix}", RECORDS[40:])
    found = plan_input(locate([str(tmp_path)]), ReadOptions(unit_bytes=unit_bytes, part_bytes=4 * unit_bytes))
    limited = first_records(found, limit)
    columns = limited.shape.columns()
    units = [unit for part in limited.parts for unit in units_of(part, columns)]
    read = [name for unit in units for batch, lost in read_unit(unit, limited.shape) for name in batch.ids]
    assert read == [record["conversation_id"] for record in RECORDS[:limit]]
    assert limited.rows_not_read == 100 - len(read)


def test_a_record_that_cannot_be_read_counts_and_a_blank_line_does_not(tmp_path: Path) -> None:
    lines = [orjson.dumps(record) for record in RECORDS[:4]]
    (tmp_path / "a.jsonl").write_bytes(b"\n".join([lines[0], b"", b"{oops", *lines[1:]]) + b"\n\n")
    found = plan_input(locate([str(tmp_path)]), ReadOptions())
    limited = first_records(found, 3)
    (unit,) = units_of(limited.parts[0], limited.shape.columns())
    ((batch, lost),) = read_unit(unit, limited.shape)
    assert batch.ids == ["c000", "c001"]
    assert [rejection.error for rejection in lost] == ["InvalidJson"]
    assert limited.rows_not_read == 2


def test_of_an_unreadable_row_group_only_the_rows_before_the_limit_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    pq.write_table(pa.Table.from_pylist(RECORDS), path, row_group_size=25, compression="zstd")
    place = pq.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset
    data = bytearray(path.read_bytes())
    data[place : place + 60] = b"\xff" * 60
    path.write_bytes(data)
    limited = first_records(plan_input(locate([str(path)]), ReadOptions()), 35)
    (unit,) = units_of(limited.parts[0], limited.shape.columns())
    readings = list(read_unit(unit, limited.shape))
    assert sum(len(batch) for batch, _ in readings) == 25
    assert [(r.position, r.rows) for _, lost in readings for r in lost] == [(25, 10)]
    assert limited.rows_not_read == 65


def test_the_first_conversations_of_turns_are_those_whose_first_rows_come_first(tmp_path: Path) -> None:
    order = ["b", "a", "b", "c", "a", "d"]
    rows = [{"conversation_id": name, "turn_index": i, "text": "x"} for i, name in enumerate(order)]
    write(tmp_path / "a.jsonl", rows[:4])
    write(tmp_path / "b.parquet", rows[4:])
    found = plan_input(locate([str(tmp_path)]), ReadOptions())
    assert isinstance(found.shape, TurnRowsShape)
    for limit in range(1, 6):
        chosen = first_conversations(found.parts, found.shape, limit)
        assert chosen == set(list("bacd")[:limit])
