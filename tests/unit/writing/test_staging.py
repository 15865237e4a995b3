import gzip
import hashlib
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.writing import part_files
from tacenda.transforms.writing.part_files import assemble
from tacenda.transforms.writing.staging import (
    FINDINGS_SCHEMA,
    RISK_SCHEMA,
    TAG,
    RiskRecord,
    UnitWriter,
    findings_table,
    open_staged,
    quarantine_lines,
    risk_table,
)

BATCH = ConversationBatch(ids=["a"], first_cell=[0, 1], texts=["…"], turns=[0], parts=[None])
FOUND = [[Finding(0, 1, "AGE", Likelihood.LIKELY, "rules")]]
RISK = RiskRecord("a", "", "model", 0, [], False, None, [])
LOST = Rejection(3, Stage.READ, "NullText", file=0)
DOCUMENTS = make_shape("document", ReadOptions())


def _writer(unit: str) -> UnitWriter:
    return UnitWriter(unit, lambda file: f"{file}.jsonl", "jsonl.gz")


def _stage(folder: Path, unit: str, times: int = 1, text: str = "x") -> str:
    url = str(folder / "staged" / unit)
    batch, _ = DOCUMENTS.read_records([(0, {"id": unit, "text": text})], "key")
    with _writer(unit) as writer:
        for _ in range(times):
            writer.write_corpus(DOCUMENTS.write_records(batch, batch.texts, batch.speakers))
            writer.write_findings(BATCH, FOUND, [[1]])
            writer.write_risk([RISK])
            writer.write_quarantine([LOST])
        assert not Path(url).exists()
        writer.stage(url, {"unit": unit})
    return url


def test_a_part_is_what_its_units_staged_in_their_order(tmp_path: Path) -> None:
    staged = [_stage(tmp_path, "00003.00000", times=2), _stage(tmp_path, "00003.00001")]
    receipts, files, _ = assemble(str(tmp_path), "00003", staged)
    assert receipts == [{"unit": "00003.00000"}, {"unit": "00003.00001"}]
    assert set(files) == {
        "corpus/part-00003.jsonl.gz",
        "findings/part-00003.parquet",
        "findings-jsonl/part-00003.jsonl",
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
    lines = (tmp_path / "findings-jsonl/part-00003.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == rows
    assert len(rows) == 3
    units = [json.loads(line)["unit"] for line in (tmp_path / "quarantine/part-00003.jsonl").open()]
    assert units == ["00003.00000"] * 2 + ["00003.00001"]


def test_small_units_share_a_row_group(tmp_path: Path) -> None:
    assemble(str(tmp_path), "00000", [_stage(tmp_path, f"00000.{i:05d}") for i in range(20)])
    assert pq.ParquetFile(tmp_path / "risk/part-00000.parquet").metadata.num_row_groups == 1


def test_repeated_writing_gives_the_same_bytes(tmp_path: Path) -> None:
    first = assemble(str(tmp_path / "a"), "0", [_stage(tmp_path / "a", "0.0")])
    assert assemble(str(tmp_path / "b"), "0", [_stage(tmp_path / "b", "0.0")]) == first


def test_a_section_too_long_for_memory_is_staged_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = assemble(str(tmp_path / "a"), "0", [_stage(tmp_path / "a", "0.0", times=50)])
    monkeypatch.setattr("tacenda.transforms.writing.staging.IN_MEMORY_BYTES", 10)
    monkeypatch.setattr(part_files, "_COPIED_BYTES", 7)
    assert assemble(str(tmp_path / "b"), "0", [_stage(tmp_path / "b", "0.0", times=50)]) == whole


def test_a_failed_unit_stages_nothing(tmp_path: Path) -> None:
    def write() -> None:
        with _writer("0.0") as writer:
            writer.write_risk([RISK])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write()
    assert list(tmp_path.iterdir()) == []


def test_a_failed_part_leaves_nothing(tmp_path: Path) -> None:
    staged = [_stage(tmp_path, "0.0"), _stage(tmp_path, "0.1")]
    Path(staged[1]).write_bytes(Path(staged[1]).read_bytes()[:-9])
    with pytest.raises(EOFError):
        assemble(str(tmp_path), "0", staged)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["0.0", "0.1"]


def test_files_without_rows_exist(tmp_path: Path) -> None:
    url = str(tmp_path / "staged")
    empty = ConversationBatch()
    with _writer("0.0") as writer:
        writer.write_corpus([])
        writer.write_risk([])
        writer.write_quarantine([])
        writer.write_findings(empty, [], [])
        writer.stage(url, {})
    with open_staged(url) as staged:
        assert {section.rows for section in staged.sections} == {0}
    assemble(str(tmp_path), "0", [url])
    assert pq.read_table(tmp_path / "risk/part-0.parquet").num_rows == 0
    assert (tmp_path / "quarantine/part-0.jsonl").read_bytes() == b""
    assert gzip.decompress((tmp_path / "corpus/part-0.jsonl.gz").read_bytes()) == b""


def _finding(start: int, info_type: str = "URL") -> Finding:
    return Finding(start, start + 3, info_type, Likelihood.LIKELY, "rules")


def test_one_row_a_finding_in_the_order_of_the_text() -> None:
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


def test_nothing_found_is_a_table_without_rows() -> None:
    assert findings_table(ConversationBatch(), [], []).schema == FINDINGS_SCHEMA


RECORDS = [
    RiskRecord("a", "", "gold", 5, [("PERSON_NAME", False, 1, 5)], True, None, ["0f" * 8]),
    RiskRecord("b", "sales", "model", 0, [], False, None, []),
    RiskRecord(
        "c", "sales", "human", 3, [("AGE", True, 2, 2), ("LOCATION", False, 1, 1)], False, "1c" * 8, []
    ),
]


def test_records_are_rows_of_the_contracts_schema() -> None:
    table = risk_table(RECORDS)
    table.validate(full=True)
    assert table.schema == RISK_SCHEMA
    expected = [
        {**record._asdict(), "tags": [dict(zip(TAG.names, tag, strict=True)) for tag in record.tags]}
        for record in RECORDS
    ]
    assert table.to_pylist() == expected
    assert table == pa.Table.from_pylist(expected, schema=RISK_SCHEMA)
    assert RISK_SCHEMA.names == list(RiskRecord._fields)


def test_records_without_tags_and_none_at_all() -> None:
    assert risk_table(RECORDS[1:2]).to_pylist() == [RECORDS[1]._asdict()]
    assert risk_table([]) == RISK_SCHEMA.empty_table()


@pytest.mark.parametrize("missing", ["conversation_id", "score", "source"])
def test_nothing_in_it_may_be_missing(missing: str) -> None:
    assert not RISK_SCHEMA.field(missing).nullable


FILES = ("a.jsonl", "b.jsonl").__getitem__


def test_lines_are_sorted_by_place_and_name_the_file_of_the_position() -> None:
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


def test_an_empty_quarantine_has_no_lines() -> None:
    assert quarantine_lines("00000", FILES, []) == b""
