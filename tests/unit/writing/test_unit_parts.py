import hashlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from transforms.schema.conversation import ConversationBatch
from transforms.schema.finding import Finding
from transforms.schema.likelihood import Likelihood
from transforms.schema.rejection import Rejection, Stage
from transforms.writing.risk import RiskRecord
from transforms.writing.unit_parts import UnitParts

BATCH = ConversationBatch(ids=["a"], first_cell=[0, 1], texts=["…"], turns=[0], parts=[None])
FOUND = [[Finding(0, 1, "AGE", Likelihood.LIKELY, "rules")]]
RISK = RiskRecord("a", "", "model", 0, [], False)
LOST = Rejection(3, Stage.READ, "NullText")


def _write(output: Path, unit: str = "00003", times: int = 1) -> UnitParts:
    with UnitParts(str(output), unit) as parts:
        for _ in range(times):
            parts.write_findings(BATCH, FOUND, [[1]])
            parts.write_risk([RISK])
            parts.write_quarantine([LOST])
        assert not any(path.name.startswith("part") for path in output.rglob("*"))
    return parts


def test_all_files_appear_at_the_end_and_are_told(tmp_path: Path) -> None:
    parts = _write(tmp_path, times=2)
    assert set(parts.files) == {
        "findings/part-00003.parquet",
        "findings/part-00003.jsonl",
        "risk/part-00003.parquet",
        "quarantine/part-00003.jsonl",
    }
    for path, entry in parts.files.items():
        data = (tmp_path / path).read_bytes()
        assert entry == {"sha256": hashlib.sha256(data).hexdigest(), "rows": 2, "bytes": len(data)}
    assert pq.read_table(tmp_path / "risk/part-00003.parquet").to_pylist() == [RISK._asdict()] * 2
    rows = pq.read_table(tmp_path / "findings/part-00003.parquet").to_pylist()
    lines = (tmp_path / "findings/part-00003.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == rows
    assert len(rows) == 2


def test_the_same_again_is_the_same_bytes(tmp_path: Path) -> None:
    assert _write(tmp_path / "a").files == _write(tmp_path / "b").files


def test_a_unit_that_breaks_leaves_nothing(tmp_path: Path) -> None:
    parts = UnitParts(str(tmp_path), "00000")

    def write() -> None:
        with parts:
            parts.write_risk([RISK])
            parts.write_quarantine([LOST])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert parts.files == {}


def test_files_without_rows_exist(tmp_path: Path) -> None:
    with UnitParts(str(tmp_path), "00000") as parts:
        parts.write_risk([])
        parts.write_quarantine([])
        parts.write_findings(ConversationBatch(), [], [])
    assert {entry["rows"] for entry in parts.files.values()} == {0}
    assert pq.read_table(tmp_path / "risk/part-00000.parquet").num_rows == 0
    assert (tmp_path / "quarantine/part-00000.jsonl").read_bytes() == b""
