import gzip
import json
import math
import random
from itertools import pairwise
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.reading.cutting import first_conversations, first_records, units_of
from tacenda.transforms.reading.heads import fields_of_records
from tacenda.transforms.reading.planning import dropped, file_keys, plan_input, unseen
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.work_unit import planned_part
from tacenda.transforms.shapes.arrow_fields import example_of
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage import json_lines
from tacenda.transforms.storage.locating import locate
from tacenda.transforms.storage.tables import from_stream
from tests.cases import cases

RECORD = {"id": "a", "turns": [{"speaker": "s", "text": "x" * 80}], "extra": 1}
LINE = orjson.dumps(RECORD) + b"\n"
RANDOM = b"".join(
    orjson.dumps({**RECORD, "id": random.Random(n).randbytes(300).hex()}) + b"\n" for n in range(1000)
)
"""Lines that are not compressed to next to nothing: decompressors give some ten kilobytes at a time."""


def planned(folder, **options):
    return plan_input(locate([str(folder)]), ReadOptions(**options))


def units(found):
    return [unit for part in found.parts for unit in units_of(part, found.shape.columns())]


def cuts(found):
    return [
        [(one["url"].rsplit("/", 1)[-1], one["start"], one["stop"]) for one in u.sources()]
        for u in units(found)
    ]


def test_the_last_units_of_a_long_range_are_smaller(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(RANDOM)
    size = len(RANDOM) // 10
    found = units(planned(tmp_path, unit_bytes=size))
    sizes = [source["stop"] - source["start"] for unit in found for source in unit.sources()]
    assert all(size * 0.7 < one < size * 1.5 for one in sizes[:-8])
    assert len(sizes) >= 14
    assert all(one < size * 0.4 for one in sizes[-8:])


def test_names_sort_in_the_order_of_the_input(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.jsonl").write_bytes(LINE * 30)
    (tmp_path / "d.jsonl.gz").write_bytes(gzip.compress(RANDOM))
    found = planned(tmp_path, unit_bytes=len(LINE), part_bytes=len(LINE) * 10)
    names = [unit.name for unit in units(found)]
    assert names == sorted(names)
    assert len(set(names)) == len(names)
    assert len({unit.part for unit in units(found)}) > 15
    assert {planned_part(unit.part) for unit in units(found)} == {part.name for part in found.parts}


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz"])
def test_small_files_are_packed_into_one_unit(tmp_path, suffix):
    for number in range(50):
        data = LINE if suffix == "jsonl" else gzip.compress(LINE)
        (tmp_path / f"{number:02d}.{suffix}").write_bytes(data)
    (unit,) = units(planned(tmp_path))
    assert [piece.file for piece in unit.ranges] == list(range(50))
    few = planned(tmp_path, unit_bytes=10 * unit.ranges[0].text_bytes)
    assert [len(unit.ranges) for unit in units(few)] == [10] * 5


def test_parts_hold_one_encoding_and_about_so_much_text(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(LINE * 100)
    pq.write_table(pa.Table.from_pylist([RECORD] * 10), tmp_path / "b.parquet")
    found = planned(tmp_path, unit_bytes=len(LINE), part_bytes=len(LINE) * 40)
    assert [part.encoding for part in found.parts] == ["jsonl"] * 3 + ["parquet"]
    assert all(abs(part.text_bytes - len(LINE) * 100 / 3) < 1 for part in found.parts[:3])


@pytest.mark.parametrize("suffix", ["jsonl.gz", "jsonl.zst"])
def test_a_compressed_file_is_read_once_and_cut(tmp_path, suffix, monkeypatch):
    stored = gzip.compress(RANDOM) if suffix == "jsonl.gz" else pa.compress(RANDOM, "zstd", asbytes=True)
    (tmp_path / f"a.{suffix}").write_bytes(stored)
    found = planned(tmp_path, unit_bytes=1000)
    opened = []

    def open_read(url):
        opened.append(url)
        return Path(url).open("rb")

    monkeypatch.setattr(json_lines, "open_read", open_read)
    blocks = [unit.block for unit in units(found)]
    assert len(opened) == 1
    assert len(blocks) > 5
    assert b"\n".join(block.data for block in blocks) + b"\n" == RANDOM
    assert all(left.stop + 1 == right.start for left, right in pairwise(blocks))


def test_a_long_compressed_file_goes_on_in_continuations_of_its_part(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(RANDOM))
    (tmp_path / "b.jsonl").write_bytes(LINE)
    found = planned(tmp_path, unit_bytes=1000, part_bytes=200_000)
    parts = list(dict.fromkeys(unit.part for unit in units(found)))
    assert 3 < len(parts) <= len(RANDOM) // 200_000 + 2
    assert parts == ["00000", *(f"00000_{n:05d}" for n in range(1, len(parts) - 1)), "00001"]


def test_small_row_groups_are_gathered_and_large_ones_cut(tmp_path):
    pq.write_table(pa.Table.from_pylist([RECORD] * 10), tmp_path / "data.parquet", row_group_size=3)
    assert cuts(planned(tmp_path)) == [[("data.parquet", 0, 4)]]
    sizes = [
        pq.ParquetFile(tmp_path / "data.parquet").metadata.row_group(i).total_byte_size for i in range(4)
    ]
    assert cuts(planned(tmp_path, unit_bytes=max(sizes))) == [[("data.parquet", i, i + 1)] for i in range(4)]
    # Rows of one group now, each with what it holds.
    by_row = units(planned(tmp_path, unit_bytes=1))
    assert [tuple(one.values())[1:] for unit in by_row[:3] for one in unit.sources()] == [
        (0, 1, "rows"),
        (1, 2, "rows"),
        (2, 3, "rows"),
    ]
    assert [from_stream(unit.block.data).num_rows for unit in by_row[:3]] == [1, 1, 1]


def test_all_parquet_parts_have_one_schema(tmp_path):
    pq.write_table(pa.Table.from_pylist([{**RECORD, "context": "x"}]), tmp_path / "a.parquet")
    pq.write_table(pa.Table.from_pylist([{**RECORD, "extra": 1.5}]), tmp_path / "b.parquet")
    schema = planned(tmp_path, keep=("extra",)).schema
    assert schema.names == ["id", "turns", "extra", "context"]
    assert schema.field("extra").type == pa.float64()
    assert planned(tmp_path).schema.names == ["id", "turns", "context"]


@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        ({"a.jsonl": LINE.decode().encode("utf-16")}, {}, r"a\.jsonl: is UTF-16 text; save it as UTF-8"),
        ({"a.jsonl": gzip.compress(LINE)}, {}, r"a\.jsonl: is gzip, not JSON lines"),
        ({"a.jsonl.gz": gzip.compress(LINE)[:12]}, {}, r"a\.jsonl\.gz: no record .* truncated"),
        (
            {"a.jsonl": LINE, "b.jsonl.gz": b""},
            {},
            r"b\.jsonl\.gz: is empty, so not valid gzip; copy it again",
        ),
        ({"a.jsonl": LINE, "b.jsonl.zst": b""}, {}, r"b\.jsonl\.zst: is empty, so not valid zstd"),
        *cases(__file__, "test_a_mistake_is_reported_in_one_line"),
    ],
)
def test_a_mistake_is_reported_in_one_line(tmp_path, files, options, message):
    for name, content in files.items():
        (tmp_path / name).write_bytes(
            content if type(content) is bytes else content.encode().replace(b"{LINE}", LINE)
        )
    with pytest.raises(UserError, match=message) as told:
        planned(tmp_path, **options)
    assert "\n" not in str(told.value)


def test_a_record_that_fits_no_shape_does_not_hide_the_others(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{}\n{"what": 1}\n' + LINE)
    assert planned(tmp_path).shape.name == "conversation"


def test_a_given_shape_is_used_if_nothing_can_be_read(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"{broken\n")
    assert planned(tmp_path, shape="chat").shape.name == "chat"


def test_two_columns_of_one_name_are_reported(tmp_path):
    pq.write_table(
        pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], ["text", "text"]), tmp_path / "a.parquet"
    )
    with pytest.raises(UserError, match=r"a\.parquet: has two columns named text"):
        planned(tmp_path)


def test_columns_that_do_not_agree_are_reported(tmp_path):
    pq.write_table(pa.Table.from_pylist([RECORD]), tmp_path / "a.parquet")
    pq.write_table(pa.Table.from_pylist([{**RECORD, "extra": "text"}]), tmp_path / "b.parquet")
    with pytest.raises(UserError, match=r"b\.parquet: its columns have other types"):
        planned(tmp_path, keep=("extra",))


def saved(folder, columns, features=None):
    """What ``save_to_disk`` writes for a dataset."""
    folder.mkdir(parents=True)
    table = pa.table(columns)
    if features is not None:
        noted = json.dumps({"info": {"features": features}})
        table = table.replace_schema_metadata({"huggingface": noted, "pandas": "Anna"})
    for name in ("data-00000-of-00001.arrow", "cache-1f.arrow"):
        with pa.ipc.new_stream(str(folder / name), table.schema) as writer:
            writer.write_table(table)
    for name in ("state.json", "dataset_info.json"):
        (folder / name).write_text("{}")


def test_a_saved_dataset_has_parts_by_its_splits(tmp_path):
    (tmp_path / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    for split in ("train", "test"):
        saved(tmp_path / split, {"text": ["x", "y"]})
    found = planned(tmp_path)
    assert [part.name for part in found.parts] == ["00000-test", "00001-train"]
    assert [unit.name for part in found.parts for unit in units_of(part, ["text"])] == [
        "00000-test.00000",
        "00001-train.00000",
    ]
    assert [part.name for part in planned(tmp_path / "train").parts] == ["00000"]


def test_a_turn_a_row_has_no_splits(tmp_path):
    for split in ("train", "test"):
        saved(tmp_path / split, {"conversation_id": ["a"], "turn_index": [0], "text": ["x"]})
    with pytest.raises(UserError, match="run each split by itself"):
        planned(tmp_path)


def test_names_of_classes_are_kept_with_opaque_columns_alone(tmp_path):
    classes = {"names": ["account", "shipping"], "_type": "ClassLabel"}
    features = {"topic": classes, "who": {"names": ["Anna"], "_type": "ClassLabel"}, "text": {"a": "Anna"}}
    saved(tmp_path / "d", {"text": ["x"], "topic": [0], "who": [0]}, features)
    schema = planned(tmp_path, keep=("topic", "who"), opaque={"topic": "a label"}).schema
    assert json.loads(schema.metadata[b"huggingface"]) == {"info": {"features": {"topic": classes}}}
    assert list(schema.metadata) == [b"huggingface"]
    assert planned(tmp_path).schema.metadata is None


@pytest.mark.parametrize("sizes", [[1000], [7, 430, 1, 2, 560], [9] * 111, [130, 120, 140, 110, 500]])
@pytest.mark.parametrize("part_lines", [90, 100, 128, 333])
def test_parts_are_even_and_do_not_depend_on_the_size_of_units(tmp_path, sizes, part_lines):
    for number, count in enumerate(sizes):
        (tmp_path / f"{number:03d}.jsonl").write_bytes(LINE * count)
    ends = set()
    for unit_lines in (1, 5, 40):
        found = planned(tmp_path, unit_bytes=len(LINE) * unit_lines, part_bytes=len(LINE) * part_lines)
        told = [part.text_bytes for part in found.parts]
        assert sum(told) == len(LINE) * sum(sizes)
        assert len(told) == math.ceil(sum(sizes) / part_lines)
        assert max(told) <= 1.1 * sum(told) / len(told)
        assert min(told) >= 0.9 * sum(told) / len(told)
        ends.add(tuple((part.ranges[0].url, part.ranges[0].start) for part in found.parts))
    assert len(ends) == 1


def test_row_groups_are_shared_out_evenly_whatever_the_size_of_units(tmp_path):
    pq.write_table(pa.Table.from_pylist([RECORD] * 1000), tmp_path / "a.parquet", row_group_size=10)
    (group,) = {piece.text_bytes for piece in planned(tmp_path, unit_bytes=1).parts[0].ranges}
    ends = set()
    for units in (1, 3, 7):
        found = planned(tmp_path, unit_bytes=group * units, part_bytes=group * 30)
        told = [part.text_bytes // group for part in found.parts]
        assert told == [25] * 4
        ends.add(tuple(part.ranges[0].start for part in found.parts))
        of_rows = [piece.first_row for part in found.parts for piece in part.ranges]
        assert of_rows == [10 * piece.start for part in found.parts for piece in part.ranges]
    assert ends == {(0, 25, 50, 75)}


def test_the_key_of_a_file_is_of_its_name_and_of_its_folder_only_where_it_must():
    assert file_keys(["/a/x.jsonl", "/a/y.jsonl"]) == file_keys(["s3://b/c/x.jsonl", "s3://b/d/y.jsonl"])
    here = file_keys(["/a/2025/x.jsonl", "/a/2026/x.jsonl", "/a/y.jsonl"])
    assert len(set(here)) == 3
    assert file_keys(["gs://b/2025/x.jsonl", "gs://b/2026/x.jsonl", "gs://b/y.jsonl"]) == here
    # Names with the same first digits.
    one, other, third = file_keys(["/a/023804.jsonl", "/a/028333.jsonl", "/a/x.jsonl"])
    assert (one != other, one[:8], third) == (True, other[:8], file_keys(["/b/x.jsonl"])[0])


def test_fields_are_those_at_the_top_and_those_of_entries():
    turns = [{"text": "x", "start": 1}, {"text": "y", "end": 2}]
    record = {"id": "a", "meta": {"x": 1}, "turns": turns}
    fields = {"id", "meta", "meta.x", "turns", "turns.text", "turns.start", "turns.end"}
    assert fields_of_records([7, [], record]) == fields
    assert fields_of_records([example_of(pa.Table.from_pylist([record]).schema)]) == fields


def test_a_list_may_be_called_by_our_name_or_the_files():
    options = ReadOptions(fields={"turns": "said"}, keep=("turns.start", "said.start", "turns.strat", "nots"))
    assert unseen(options, {"said", "said.start"}) == ("turns.strat", "nots")


def test_the_fields_of_the_parts_of_messages_are_said_as_well():
    part = {"type": "text", "text": "x", "signature": "s", "source": {"kind": "y"}}
    record = {"messages": [{"role": "user", "content": [part]}], "meta": {"deep": {"er": 1}}}
    found = fields_of_records([record])
    assert found == fields_of_records([example_of(pa.Table.from_pylist([record]).schema)])
    written = {"messages", "messages.role", "messages.content", "messages.content.text"}
    left = ["messages.content.signature", "messages.content.source", "messages.content.type", "meta"]
    assert dropped(found, written) == (left, 0)
    # A field that nobody writes in part is said once.
    assert dropped(found, {"messages"}) == (["meta"], 0)


RECORDS = [
    {"conversation_id": f"c{i:03d}", "turns": [{"speaker": "a", "text": f"{i} {'x' * (i % 7) * 40}"}]}
    for i in range(100)
]


def write(path, records):
    lines = b"".join(orjson.dumps(record) + b"\n" for record in records)
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(records), path, row_group_size=17)
    else:
        path.write_bytes(gzip.compress(lines) if path.suffix == ".gz" else lines)


@pytest.mark.parametrize("unit_bytes", [300, 5_000, 1 << 20])
@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "parquet"])
@pytest.mark.parametrize("limit", [1, 16, 17, 18, 39, 40, 41, 99, 100, 101])
def test_the_first_records_are_read_and_all_others_counted(tmp_path, suffix, unit_bytes, limit):
    write(tmp_path / f"a.{suffix}", RECORDS[:40])
    write(tmp_path / f"b.{suffix}", RECORDS[40:])
    found = plan_input(locate([str(tmp_path)]), ReadOptions(unit_bytes=unit_bytes, part_bytes=4 * unit_bytes))
    limited = first_records(found, limit)
    columns = limited.shape.columns()
    units = [unit for part in limited.parts for unit in units_of(part, columns)]
    read = [name for unit in units for batch, lost in read_unit(unit, limited.shape) for name in batch.ids]
    assert read == [record["conversation_id"] for record in RECORDS[:limit]]
    assert limited.rows_not_read == 100 - len(read)


def test_a_record_that_cannot_be_read_counts_and_a_blank_line_does_not(tmp_path):
    lines = [orjson.dumps(record) for record in RECORDS[:4]]
    (tmp_path / "a.jsonl").write_bytes(b"\n".join([lines[0], b"", b"{oops", *lines[1:]]) + b"\n\n")
    found = plan_input(locate([str(tmp_path)]), ReadOptions())
    limited = first_records(found, 3)
    (unit,) = units_of(limited.parts[0], limited.shape.columns())
    ((batch, lost),) = read_unit(unit, limited.shape)
    assert batch.ids == ["c000", "c001"]
    assert [rejection.error for rejection in lost] == ["InvalidJson"]
    assert limited.rows_not_read == 2


def test_of_an_unreadable_row_group_only_the_rows_before_the_limit_are_reported(tmp_path):
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


def test_the_first_conversations_of_turns_are_those_whose_first_rows_come_first(tmp_path):
    order = ["b", "a", "b", "c", "a", "d"]
    rows = [{"conversation_id": name, "turn_index": i, "text": "x"} for i, name in enumerate(order)]
    write(tmp_path / "a.jsonl", rows[:4])
    write(tmp_path / "b.parquet", rows[4:])
    found = plan_input(locate([str(tmp_path)]), ReadOptions())
    assert isinstance(found.shape, TurnRowsShape)
    for limit in range(1, 6):
        chosen = first_conversations(found.parts, found.shape, limit)
        assert chosen == set(list("bacd")[:limit])
