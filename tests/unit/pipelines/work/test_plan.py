import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.pipelines.work.plan import make_plan, not_read_entry
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.options import ReadOptions

RECORD = {"id": "a", "meta": {"x": 1}, "turns": [{"text": "x", "start": 1}, {"text": "y", "end": 2}]}


def _plan(paths, *keep):
    return make_plan([str(path) for path in paths], ReadOptions(keep=keep))


def _lines(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def _parquet(path):
    pq.write_table(pa.Table.from_pylist([RECORD]), path)
    return path


def test_a_kept_field_may_occur_later_in_json_lines(tmp_path):
    late = [RECORD] * 5 + [{**RECORD, "channel": "phone"}]
    source = _lines(tmp_path / "a.jsonl", *late)
    assert _plan([source], "channel", "turns.end").unseen == ()
    assert _plan([source], "chanel", "turns.start", "turns.strat").unseen == ("chanel", "turns.strat")
    assert _plan([_parquet(tmp_path / "a.parquet"), source], "chanel").unseen == ("chanel",)


def test_the_columns_of_parquet_are_known(tmp_path):
    source = _parquet(tmp_path / "a.parquet")
    assert _plan([source], "meta", "turns.start").unseen == ()
    with pytest.raises(
        UserError, match=r"^--keep chanel: no input file has such a column; they have id, meta, "
    ):
        _plan([source], "meta", "chanel")


def test_empty_input_needs_no_kept_field(tmp_path):
    (tmp_path / "a.jsonl").touch()
    options = ReadOptions(shape="chat", keep=("chanel",))
    assert make_plan([str(tmp_path)], options).unseen == ("chanel",)


def test_files_that_are_not_read_are_counted_without_their_names():
    entry = not_read_entry(["/in/Ann Lee.xlsx", "/in/b.csv", "/in/c.CSV", "/in/d", "/in/e.12345678"])
    assert entry["suffixes"] == {".csv": 2, ".xlsx": 1, "none": 1, "other": 1}
    assert entry["files"] == 5
    assert not any("Ann" in name for name in entry["names"])
