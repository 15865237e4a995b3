import gzip
import hashlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.writing.columns import batch_hashes
from tacenda.transforms.writing.erasing import Wanted, by_text
from tacenda.transforms.writing.part_files import assemble
from tacenda.transforms.writing.staging import (
    FINDINGS_SCHEMA,
    RiskRecord,
    UnitWriter,
    findings_table,
    quarantine_lines,
    risk_table,
)
from tacenda.transforms.writing.standoff import standoff_table

BATCH = ConversationBatch(ids=["a"], first_cell=[0, 1], texts=["…"], turns=[0], parts=[None])
FOUND = [[Finding(0, 1, "AGE", Likelihood.LIKELY, "rules")]]
RISK = RiskRecord("a", "", "model", 0, [], False, None, [])
LOST = Rejection(3, Stage.READ, "NullText", file=0)
DOCUMENTS = make_shape("document", ReadOptions())


def _stage(folder, unit, times=1, text="x"):
    url = str(folder / "staged" / unit)
    batch, _ = DOCUMENTS.read_records([(0, {"id": unit, "text": text})], "key")
    with UnitWriter("jsonl.gz") as writer:
        for _ in range(times):
            writer.corpus(DOCUMENTS.write_records(batch, batch.texts, batch.speakers))
            writer.table("findings", findings_table(BATCH, FOUND, [[1]]))
            writer.table("risk", risk_table([RISK]))
            writer.lines("quarantine", quarantine_lines(unit, str, [LOST]), 1)
        assert not Path(url).exists()
        writer.stage(url, {"unit": unit})
    return url


def test_a_part_is_what_its_units_staged_in_their_order(tmp_path):
    staged = [_stage(tmp_path, "00003.00000", times=2), _stage(tmp_path, "00003.00001")]
    receipts, files = assemble(str(tmp_path), "00003", staged)
    assert receipts == [{"unit": "00003.00000"}, {"unit": "00003.00001"}]
    assert set(files) == {
        "corpus/part-00003.jsonl.gz",
        "findings/part-00003.parquet",
        "risk/part-00003.parquet",
        "quarantine/part-00003.jsonl",
    }
    for path, entry in files.items():
        data = (tmp_path / path).read_bytes()
        assert entry == {"sha256": hashlib.sha256(data).hexdigest(), "rows": 3, "bytes": len(data)}
    corpus = gzip.decompress((tmp_path / "corpus/part-00003.jsonl.gz").read_bytes()).splitlines()
    assert [json.loads(line)["id"] for line in corpus] == ["00003.00000"] * 2 + ["00003.00001"]
    assert pq.read_table(tmp_path / "risk").to_pylist() == [RISK._asdict()] * 3
    rows = pq.read_table(tmp_path / "findings").to_pylist()
    assert len(rows) == 3
    units = [json.loads(line)["unit"] for line in (tmp_path / "quarantine/part-00003.jsonl").open()]
    assert units == ["00003.00000"] * 2 + ["00003.00001"]


def test_small_units_share_a_row_group(tmp_path):
    assemble(str(tmp_path), "00000", [_stage(tmp_path, f"00000.{i:05d}") for i in range(20)])
    assert pq.ParquetFile(tmp_path / "risk/part-00000.parquet").metadata.num_row_groups == 1


def test_a_section_too_long_for_memory_is_staged_all_the_same(tmp_path, monkeypatch):
    whole = assemble(str(tmp_path / "a"), "0", [_stage(tmp_path / "a", "0.0", times=50)])
    monkeypatch.setattr("tacenda.transforms.writing.staging.IN_MEMORY_BYTES", 10)
    assert assemble(str(tmp_path / "b"), "0", [_stage(tmp_path / "b", "0.0", times=50)]) == whole


def test_a_failed_part_leaves_nothing(tmp_path):
    staged = [_stage(tmp_path, "0.0"), _stage(tmp_path, "0.1")]
    Path(staged[1]).write_bytes(Path(staged[1]).read_bytes()[:-9])
    with pytest.raises(EOFError):
        assemble(str(tmp_path), "0", staged)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["0.0", "0.1"]


def _finding(start, info_type="URL"):
    return Finding(start, start + 3, info_type, Likelihood.LIKELY, "rules")


def test_one_row_a_finding_in_the_order_of_the_text():
    batch = ConversationBatch(
        ids=["a", "b"],
        first_cell=[0, 2, 4],
        texts=["…"] * 4,
        turns=[0, 1, 0, 0],
        parts=[None, None, "content.0.text", "tool_calls.0.arguments.to"],
    )
    findings = [[_finding(5), _finding(9, "AGE")], [], [], [_finding(0)]]
    table = findings_table(batch, findings, [[1, 2], [], [], [1]])
    assert table.schema == FINDINGS_SCHEMA
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("a", 0, None, 5, 8, "URL", "LIKELY", "rules", 1),
        ("a", 0, None, 9, 12, "AGE", "LIKELY", "rules", 2),
        ("b", 0, "tool_calls.0.arguments.to", 0, 3, "URL", "LIKELY", "rules", 1),
    ]


FILES = ("a.jsonl", "b.jsonl").__getitem__


def test_lines_are_sorted_by_place_and_name_the_file_of_the_position():
    rejections = [
        Rejection(7, Stage.SCORE, "UnknownTag", file=1),
        Rejection(30, Stage.READ, "NullText", rows=4, file=0),
        Rejection(7, Stage.READ, "NullText", file=1),
    ]
    lines = quarantine_lines("00001", FILES, rejections)
    assert [tuple(json.loads(line).values()) for line in lines.splitlines()] == [
        ("00001", "a.jsonl", 30, "read", "NullText", 4),
        ("00001", "b.jsonl", 7, "read", "NullText", 1),
        ("00001", "b.jsonl", 7, "score", "UnknownTag", 1),
    ]
    assert list(json.loads(lines.splitlines()[0])) == ["unit", "file", "position", "stage", "error", "rows"]
    assert quarantine_lines("00001", FILES, reversed(rejections)) == lines


def test_the_label_of_a_turn_has_one_row_before_its_text():
    """Also where a turn has several cells; and labels that were not replaced have none."""
    batch = ConversationBatch(
        ids=["a", "b"],
        first_cell=[0, 4, 5],
        texts=["…"] * 5,
        turns=[0, 0, 1, 2, 0],
        parts=["content.0.text", "content.1.text", None, None, None],
        speakers=["Pam", "Pam", "agent", "Pam", "Pam"],
    )
    findings = [[], [_finding(5)], [], [], []]
    written = ["[PERSON_NAME_1]", "[PERSON_NAME_1]", "agent", "[PERSON_NAME_1]", "Pam"]
    labels = {"a": {"Pam": (1, "PERSON_NAME")}}
    table = standoff_table(
        batch, findings, [[], [2], [], [], []], [[], ["[URL_1]"], [], [], []], written, labels
    )
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("a", 0, None, "speaker", 0, 3, 0, 15, "PERSON_NAME", 1),
        ("a", 0, "content.1.text", "text", 5, 8, 5, 12, "URL", 2),
        ("a", 2, None, "speaker", 0, 3, 0, 15, "PERSON_NAME", 1),
    ]


DOCUMENTS_OF_ERASING = [{"text": text} for text in ("a", "b", "a", "c", "a")]


def _hashes(records):
    shape = make_shape("document", ReadOptions("document"))
    batch: ConversationBatch = shape.read_records(list(enumerate(records)), "")[0]
    return batch_hashes(batch, batch.texts, batch.speakers)


def test_of_equal_texts_the_one_that_is_meant_goes():
    shape = make_shape("document", ReadOptions("document"))
    of_texts = by_text(list("vwxyz"), _hashes(DOCUMENTS_OF_ERASING), {"x", "y"})
    wanted = Wanted({"x", "y"}, of_texts)
    assert wanted.rows(shape, "", DOCUMENTS_OF_ERASING) == {2: "x", 3: "y"}
    # A second file of the part goes on counting.
    again = Wanted({"z"}, by_text(list("vwxyz"), _hashes(DOCUMENTS_OF_ERASING), {"z"}))
    assert again.rows(shape, "", DOCUMENTS_OF_ERASING[:3]) == {}
    assert again.rows(shape, "", DOCUMENTS_OF_ERASING[3:]) == {1: "z"}
