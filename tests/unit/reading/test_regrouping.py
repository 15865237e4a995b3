import pickle

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.planning import plan_input
from tacenda.transforms.reading.regrouping import partition_of, partition_unit, regroup
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage.locating import locate

ROWS = [
    {
        "conversation_id": f"c{n % 7}",
        "turn_index": n // 7,
        "speaker": "s",
        "text": f"c{n % 7} t{n // 7}",
        "n": n,
    }
    for n in range(70)
]


def units(found):
    return [unit for part in found.parts for unit in units_of(part, found.shape.columns())]


def partitions(folder, count=3, **options):
    found = plan_input(locate([str(folder)]), ReadOptions(**options))
    tables = {}
    for unit in units(found):
        for number, table in partition_unit(unit, found.shape, count, table_bytes=2000):
            tables.setdefault(number, []).append(table)
    return found, tables


def test_a_conversation_lies_in_one_partition_and_none_is_lost(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(map(orjson.dumps, ROWS[:40])))
    pq.write_table(pa.Table.from_pylist(ROWS[40:]), tmp_path / "b.parquet")
    found, tables = partitions(tmp_path, unit_bytes=1000, keep=("n",))
    conversations = {}
    for number, held in tables.items():
        for batch, rejections in regroup(held, TurnRowsShape(ReadOptions())):
            assert rejections == []
            for index, name in enumerate(batch.ids):
                assert number == partition_of(name, 3)
                conversations[name] = [batch.texts[cell] for cell in batch.cells(index)]
                written = found.shape.write_records(batch, batch.texts, batch.speakers)
            assert {row["n"] for row in written} <= set(range(70))
    assert conversations == {f"c{c}": [f"c{c} t{t}" for t in range(10)] for c in range(7)}


def test_partitions_are_the_same_on_every_machine():
    assert [partition_of(name, 1000) for name in ("a", "å", "c1")] == [907, 349, 457]


def test_the_order_of_tables_does_not_matter(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(map(orjson.dumps, [*ROWS[::-1], {"broken": 1}])))
    _, tables = partitions(tmp_path, 1, unit_bytes=40)
    assert len(tables[0]) > 5
    first, second = (
        list(regroup(tables[0], TurnRowsShape(ReadOptions()))),
        list(regroup(tables[0][::-1], TurnRowsShape(ReadOptions()))),
    )
    assert first == second
    assert first[0][0].ids == ["c6", "c5", "c4", "c3", "c2", "c1", "c0"]
    assert [
        len(batch) for batch, _ in regroup(tables[0], TurnRowsShape(ReadOptions()), batch_conversations=3)
    ] == [3, 3, 1]
    assert [len(batch) for batch, _ in regroup(tables[0], TurnRowsShape(ReadOptions()), batch_chars=1)] == [
        1
    ] * 7


def test_unreadable_places_are_counted_once(tmp_path):
    good = list(map(orjson.dumps, ROWS))
    (tmp_path / "a.jsonl").write_bytes(b"\n".join([*good, b"{broken", b'{"conversation_id": "c3"}']))
    _, tables = partitions(tmp_path)
    batches = [reading for held in tables.values() for reading in regroup(held, TurnRowsShape(ReadOptions()))]
    rejections = sorted(rejection for _, lost in batches for rejection in lost)
    place = sum(len(line) + 1 for line in good)
    assert rejections == [
        Rejection(sum(len(line) + 1 for line in good[:3]), Stage.READ, "MissingField", 11, 0),
        Rejection(place, Stage.READ, "InvalidJson", 1, 0),
    ]
    assert sum(sum(batch.rows) for batch, _ in batches) + 12 == 72


def test_tables_carry_their_own_rows_alone(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(map(orjson.dumps, ROWS * 20)))
    _, tables = partitions(tmp_path, 7)
    for held in tables.values():
        for table in held:
            assert len(pickle.dumps(table)) < table.num_rows * 250 + 3000


def test_nothing_to_group_gives_nothing():
    assert list(regroup([], TurnRowsShape(ReadOptions()))) == []


@pytest.mark.parametrize("count", [1, 2, 50])
def test_rows_in_are_rows_out(tmp_path, count):
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(map(orjson.dumps, ROWS)))
    _, tables = partitions(tmp_path, count)
    assert set(tables) <= set(range(count))
    assert sum(table.num_rows for held in tables.values() for table in held) == 70
