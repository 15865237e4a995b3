import gzip
import hashlib
import pickle

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.planning import plan_input
from tacenda.transforms.reading.regrouping import partition_of, partition_units
from tacenda.transforms.reading.units import parse, read_raw, read_unit
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.turn_rows import TurnRowsShape, regroup
from tacenda.transforms.storage.locating import locate


def record(number):
    return {"id": f"c{number}", "turns": [{"speaker": "s", "text": f"text {number}"}]}


def lines(count):
    return [orjson.dumps(record(number)) for number in range(count)]


def units(found):
    return [unit for part in found.parts for unit in units_of(part, found.shape.columns())]


def read(path, **options):
    found = plan_input(locate([str(path)]), ReadOptions(**options))
    return [reading for unit in units(found) for reading in read_unit(unit, found.shape)]


def flat(readings):
    ids = [name for batch, _ in readings for name in batch.ids]
    positions = [position for batch, _ in readings for position in batch.positions]
    return ids, positions, [one._replace(file=None) for _, lost in readings for one in lost]


BAD_LINES = [
    (b"{broken", "InvalidJson"),
    (b'{"id": "x", "turns": []', "InvalidJson"),
    (b'{"id": "x"}, {"id": "y"}', "InvalidJson"),
    (b'{"id": "x", "turns": [{"text": "\\ud800"}]}', "InvalidJson"),
    (b'{"id": NaN}', "InvalidJson"),
    (b'{"id": "x", "turns": [], "n": 1e400}', "InvalidJson"),
    (b'{"id": "x", "turns": [], "n": %s}' % (b"7" * 400), "InvalidJson"),
    (b'{"id": "x", "turns": [{"text": "Grace", "text": "b"}]}', "RepeatedKey"),
    (b'{"id": "\xff"}', "InvalidUtf8"),
    (b"[1]", "WrongType"),
    (b'"text"', "WrongType"),
    (b'{"id": "c9"}', "MissingField"),
    (b'{"id": "x", "turns": [{"text": null}]}', "NullText"),
    (b'{"id": "x", "turns": [{"text": "%s"}]}' % (b"x" * 1001), "TurnTooLong"),
]


@pytest.mark.parametrize(("bad", "error"), BAD_LINES)
@pytest.mark.parametrize("unit_bytes", [30, 1 << 20])
def test_a_bad_line_is_rejected_and_the_others_stay(tmp_path, bad, error, unit_bytes):
    good = lines(4)
    (tmp_path / "a.jsonl").write_bytes(b"\n".join([good[0], good[1], bad, good[2], good[3]]))
    found = flat(read(tmp_path, max_turn_chars=1000, unit_bytes=unit_bytes))
    place = len(good[0]) + len(good[1]) + 2
    assert found[0] == ["c0", "c1", "c2", "c3"]
    assert found[1][:2] == [0, len(good[0]) + 1]
    assert found[2] == [Rejection(place, Stage.READ, error)]


def test_broken_lines_are_not_joined():
    broken = [b'{"id": 1', b'"turns": []}', b'{"id": 2}, {"id": 3}']
    records, rejections = parse([0, 10, 20], broken)
    assert records == []
    assert [rejection.position for rejection in rejections] == [0, 10, 20]


@pytest.mark.parametrize("conversations", [1, 3, 1000])
@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_batches_hold_at_most_so_many_conversations(tmp_path, conversations, kind):
    if kind == "jsonl":
        (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines(10)) + b"\n")
    else:
        pq.write_table(pa.Table.from_pylist([record(n) for n in range(10)]), tmp_path / "a.parquet")
    found = plan_input(locate([str(tmp_path)]), ReadOptions())
    readings = list(read_unit(units(found)[0], found.shape, batch_conversations=conversations))
    assert max(len(batch) for batch, _ in readings) == min(conversations, 10)
    assert flat(readings)[0] == [f"c{n}" for n in range(10)]
    small = list(read_unit(units(found)[0], found.shape, batch_chars=1))
    assert [len(batch) for batch, _ in small] == [1] * 10


def test_parquet_positions_are_rows_of_the_file(tmp_path):
    rows = [record(n) for n in range(10)]
    rows[7]["turns"][0]["text"] = None
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet", row_group_size=3)
    for unit_bytes in (1, 1 << 20):
        _, positions, rejections = flat(read(tmp_path, unit_bytes=unit_bytes))
        assert positions == [0, 1, 2, 3, 4, 5, 6, 8, 9]
        assert rejections == [Rejection(7, Stage.READ, "NullText")]


def test_undeclared_fields_are_not_even_read(tmp_path):
    rows = [{**record(n), "secret": "x"} for n in range(3)]
    for row in rows:
        row["turns"][0]["words"] = [{"text": "w", "start": 1.5}]
        row["turns"][0]["channel"] = 1
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    found = plan_input(locate([str(tmp_path)]), ReadOptions(keep=("turns.channel",)))
    (raw,) = read_raw(units(found)[0].ranges[0], found.shape, 1000, 1 << 20)
    assert {tuple(record) for _, record in raw.records} == {("id", "turns")}
    assert {name for _, record in raw.records for name in record["turns"][0]} == {
        "speaker",
        "text",
        "channel",
    }
    ((batch, _),) = read_unit(units(found)[0], found.shape)
    written = found.shape.write_table(batch, batch.texts, batch.speakers, found.schema)
    assert written.to_pylist() == [
        {"id": f"c{n}", "turns": [{"channel": 1, "speaker": "s", "text": f"text {n}"}]} for n in range(3)
    ]


def test_ids_of_records_without_one_do_not_depend_on_units_or_folders(tmp_path):
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.jsonl").write_bytes(b'{"text": "one"}\n{"text": "two"}\n{"text": "three"}')
    key = hashlib.sha256(b"a.jsonl").hexdigest()[:8]
    expected = [f"{key}-0", f"{key}-16", f"{key}-32"]
    assert flat(read(tmp_path / "x"))[0] == expected
    assert flat(read(tmp_path / "y", unit_bytes=5))[0] == expected


@pytest.mark.parametrize("conversations", [1, 4, 1000])
def test_many_small_files_are_read_in_full_batches(tmp_path, conversations):
    for number, line in enumerate(lines(10)):
        (tmp_path / f"{number}.jsonl").write_bytes(line + b"\n{broken\n")
    found = plan_input(locate([str(tmp_path)]), ReadOptions())
    (unit,) = units(found)
    readings = list(read_unit(unit, found.shape, batch_conversations=conversations))
    assert [len(batch) for batch, _ in readings] == {1: [1] * 10, 4: [4, 4, 2], 1000: [10]}[conversations]
    assert flat(readings)[0] == [f"c{n}" for n in range(10)]
    assert [file for batch, _ in readings for file in batch.origins] == list(range(10))
    assert [lost.file for _, rejections in readings for lost in rejections] == list(range(10))
    for batch, _ in readings:
        assert batch.texts == [f"text {name[1:]}" for name in batch.ids]
        assert [list(batch.cells(i)) for i in range(len(batch))] == [[i] for i in range(len(batch))]


@pytest.mark.parametrize("kind", ["jsonl.gz", "jsonl.zst", "parquet"])
def test_blocks_are_read_as_the_file_is(tmp_path, kind):
    rows = [{**record(n), "extra": "x" * 999} for n in range(3000)]
    rows[7]["turns"][0]["text"] = None
    data = b"".join(orjson.dumps(row) + b"\n" for row in rows)
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet", use_dictionary=False)
    else:
        compressed = gzip.compress(data) if kind == "jsonl.gz" else pa.compress(data, "zstd", asbytes=True)
        (tmp_path / f"a.{kind}").write_bytes(compressed)
    whole = read(tmp_path, unit_bytes=1 << 30)
    cut = read(tmp_path, unit_bytes=1000)
    assert len(cut) > len(whole)
    assert flat(cut) == flat(whole)


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


def partitions(folder, count=3, **options):
    found = plan_input(locate([str(folder)]), ReadOptions(**options))
    tables = {}
    for unit in units(found):
        for number, table in partition_units([unit], found.shape, count, table_bytes=2000):
            tables.setdefault(number, []).append(table)
    return found, tables


def test_partitions_are_the_same_on_every_machine():
    assert [partition_of(name, 1000) for name in ("a", "å", "c1")] == [907, 349, 457]


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
