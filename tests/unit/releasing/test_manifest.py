import hashlib
import json
import subprocess

from tacenda.transforms.releasing.manifest import (
    RunIdentity,
    build_manifest,
    corpus_hash,
    files_table,
    units_table,
)
from tacenda.transforms.releasing.merging import combine
from tacenda.transforms.schema.receipt import Receipt

IDENTITY = RunIdentity(
    command="anonymize",
    version="1.2.3",
    fingerprint="f" * 64,
    config={"risk": {"threshold": 5}},
    config_hash="c" * 64,
    score_table={"version": "1", "preset": "appendix"},
    shape="conversation",
    inputs={"files": 1, "bytes": 9, "sha256": "d" * 64},
)
SOURCE = {"url": "in.jsonl", "start": 0, "stop": 9, "counts": "bytes"}
RECEIPTS = [
    Receipt(
        "00000.00001",
        sources=[SOURCE],
        rows_in=2,
        rows_out=1,
        rows_quarantined=1,
        conversations=1,
        findings={"URL": 2},
        id_hashes=b"12345678",
    ),
    Receipt("00000.00000", rows_in=1, rows_out=1, conversations=1),
]
VERDICT = {"released": True, "threshold": 5, "held_by": []}


def test_manifest_names_of_the_contract() -> None:
    tables = {"units": {"file": "x", "rows": 2}}
    manifest = build_manifest(IDENTITY, combine("", RECEIPTS), VERDICT, tables)
    assert manifest["tacenda"] == "1.2.3"
    assert manifest["rows"] == {
        "in": 3,
        "out": 2,
        "quarantined": 1,
        "dropped": 0,
        "not_read": 0,
        "balanced": True,
    }
    assert manifest["totals"]["conversations"] == 2
    assert manifest["totals"]["findings"] == {"URL": 2}
    assert "rows_in" not in manifest["totals"]
    assert manifest["verdict"] == VERDICT
    assert manifest["units"] == tables["units"]
    assert {"score_table", "config_hash", "config", "shape", "inputs", "command", "fingerprint"} < set(
        manifest
    )
    again = build_manifest(IDENTITY, combine("", RECEIPTS[::-1]), VERDICT, tables)
    assert json.dumps(again) == json.dumps(manifest)


def test_units_and_files_are_tables_without_ids() -> None:
    units = units_table("00000", RECEIPTS)
    assert "id_hashes" not in units.column_names
    assert units.to_pylist()[0] == {
        "unit": "00000.00001",
        "part": "00000",
        "sources": [SOURCE],
        "rows_in": 2,
        "rows_out": 1,
        "rows_quarantined": 1,
        "rows_dropped": 0,
        "conversations": 1,
    }
    told = {"sha256": "a", "rows": 1, "bytes": 2}
    part = Receipt("00000", files={"risk/part-00000.parquet": told, "corpus/part-00000.parquet": told})
    assert files_table(part).to_pylist() == [
        {"path": path, "part": "00000", **told}
        for path in ("corpus/part-00000.parquet", "risk/part-00000.parquet")
    ]


def test_lost_rows_are_reported() -> None:
    lost = Receipt("00000", rows_in=2, rows_out=1)
    assert not build_manifest(IDENTITY, lost, VERDICT, {})["rows"]["balanced"]


def test_the_hash_of_a_corpus_is_that_of_sha256sum(tmp_path):
    files = {"part-00001.jsonl.gz": b"two", "part-00000.jsonl.gz": b"one"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    printed = subprocess.run(
        "sha256sum part-* | sha256sum", shell=True, cwd=tmp_path, capture_output=True, check=True
    ).stdout.split()[0]
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    assert corpus_hash(hashes) == printed.decode()
