import gzip
import pickle
from itertools import pairwise

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from transforms.reading.planning import plan_input
from transforms.schema.errors import UserError
from transforms.shapes.options import ReadOptions
from transforms.storage.locating import locate

RECORD = {"id": "a", "turns": [{"speaker": "s", "text": "x" * 80}], "extra": 1}
LINE = orjson.dumps(RECORD) + b"\n"


def planned(folder, **options):
    return plan_input(locate([str(folder)]), ReadOptions(**options))


def test_files_are_cut_into_units_in_order(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(LINE * 10)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(LINE * 10))
    (tmp_path / "c.jsonl").write_bytes(b"")
    pq.write_table(pa.Table.from_pylist([RECORD] * 10), tmp_path / "d.parquet", row_group_size=3)
    size = len(LINE) * 10
    found = planned(tmp_path, unit_bytes=size // 4)
    assert found.shape.name == "conversation"
    by_file = {}
    for unit in found.units:
        by_file.setdefault(unit.url.rsplit("/", 1)[-1], []).append(unit)
    assert [unit.ordinal for unit in found.units] == list(range(len(found.units)))
    cuts = [(unit.start, unit.stop) for unit in by_file["a.jsonl"]]
    assert len(cuts) == 4
    assert cuts[0][0] == 0
    assert cuts[-1][1] == size
    assert all(left[1] == right[0] for left, right in pairwise(cuts))
    (whole,) = by_file["b.jsonl.gz"]
    assert (whole.compression, whole.start, whole.stop) == (
        "gzip",
        0,
        (tmp_path / "b.jsonl.gz").stat().st_size,
    )
    assert "c.jsonl" not in by_file
    assert pickle.loads(pickle.dumps(found)).units == found.units


def test_row_groups_are_gathered_up_to_the_size_of_a_unit(tmp_path):
    pq.write_table(pa.Table.from_pylist([RECORD] * 10), tmp_path / "d.parquet", row_group_size=3)
    assert [(u.start, u.stop, u.first_row) for u in planned(tmp_path).units] == [(0, 4, 0)]
    assert [(u.start, u.stop, u.first_row) for u in planned(tmp_path, unit_bytes=1).units] == [
        (0, 1, 0),
        (1, 2, 3),
        (2, 3, 6),
        (3, 4, 9),
    ]


def test_all_parquet_parts_have_one_schema(tmp_path):
    pq.write_table(pa.Table.from_pylist([{**RECORD, "context": "x"}]), tmp_path / "a.parquet")
    pq.write_table(pa.Table.from_pylist([{**RECORD, "extra": 1.5}]), tmp_path / "b.parquet")
    schema = planned(tmp_path, keep=("extra",)).schema
    assert schema.names == ["id", "turns", "extra", "context"]
    assert schema.field("extra").type == pa.float64()
    assert planned(tmp_path).schema.names == ["id", "turns", "context"]


def test_there_is_no_schema_without_parquet(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(LINE)
    assert planned(tmp_path).schema is None


def test_broken_lines_do_not_hide_the_shape(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{broken\n"text"\n\xff\n' + LINE)
    assert planned(tmp_path).shape.name == "conversation"


@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        ({"a.json": b'[{"text": "x"}]'}, {}, r"a\.json: holds a JSON array"),
        ({"a.json": b'[\n{"text": "x"}\n]'}, {}, r"a\.json: holds a JSON array"),
        ({"a.parquet": b"PAR1 cut"}, {}, r"a\.parquet: not a whole Parquet file"),
        ({"a.jsonl": b"{broken\n"}, {}, r"a\.jsonl: no record could be read in any input file"),
        ({"a.jsonl": b'{\n  "text": "x"\n}\n'}, {}, r"a\.jsonl: holds JSON over several lines"),
        ({"a.jsonl": LINE.decode().encode("utf-16")}, {}, r"a\.jsonl: is UTF-16 text; save it as UTF-8"),
        ({"a.jsonl": LINE.decode().encode("utf-16-le")}, {}, r"a\.jsonl: is UTF-16 text; save it as UTF-8"),
        ({"a.jsonl": gzip.compress(LINE)}, {}, r"a\.jsonl: is gzip and not JSON lines"),
        ({"a.jsonl.gz": LINE}, {}, r"a\.jsonl\.gz: is not gzip, whatever its name says"),
        ({"a.jsonl.gz": gzip.compress(LINE)[:12]}, {}, r"a\.jsonl\.gz: no record .* cut off"),
        ({"a.jsonl": b"", "b.jsonl": b"\n \n"}, {}, r"b\.jsonl: no record could be read"),
        (
            {"a.jsonl": LINE, "b.jsonl": b'{"text": "x"}\n'},
            {},
            r"b\.jsonl: has the shape document, but .*a\.jsonl",
        ),
        ({"a.jsonl": b'{"what": 1}\n'}, {}, r"a\.jsonl: fits no shape \(fields: what\)"),
        (
            {"a.jsonl": LINE},
            {"fields": {"words": "w"}},
            "field words: the shape conversation has no such field",
        ),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path, files, options, message):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=message) as told:
        planned(tmp_path, **options)
    assert "\n" not in str(told.value)


def test_empty_files_are_no_mistake(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"")
    assert planned(tmp_path).units == ()
    (tmp_path / "b.jsonl").write_bytes(b'{"text": "x"}\n')
    found = planned(tmp_path)
    assert found.shape.name == "document"
    assert [unit.url for unit in found.units] == [str(tmp_path / "b.jsonl")]


@pytest.mark.parametrize("name", ["b.jsonl.gz", "b.jsonl.zst"])
def test_a_stream_of_no_bytes_is_no_empty_file(tmp_path, name):
    (tmp_path / "a.jsonl").write_bytes(LINE)
    (tmp_path / name).touch()
    with pytest.raises(UserError, match=rf"{name}: is empty, and no \w+ stream is; copy it again"):
        planned(tmp_path)


def test_a_record_that_fits_no_shape_does_not_hide_the_others(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{}\n{"what": 1}\n' + LINE)
    assert planned(tmp_path).shape.name == "conversation"


def test_a_forced_shape_stands_where_nothing_can_be_read(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"{broken\n")
    assert planned(tmp_path, shape="chat").shape.name == "chat"


def test_two_columns_of_one_name_are_told(tmp_path):
    pq.write_table(
        pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], ["text", "text"]), tmp_path / "a.parquet"
    )
    with pytest.raises(UserError, match=r"a\.parquet: has two columns named text"):
        planned(tmp_path)


def test_columns_that_do_not_agree_are_told(tmp_path):
    pq.write_table(pa.Table.from_pylist([RECORD]), tmp_path / "a.parquet")
    pq.write_table(pa.Table.from_pylist([{**RECORD, "extra": "text"}]), tmp_path / "b.parquet")
    with pytest.raises(UserError, match=r"b\.parquet: has columns of other types"):
        planned(tmp_path, keep=("extra",))
