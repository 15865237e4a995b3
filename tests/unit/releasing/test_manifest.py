import json

from transforms.releasing.manifest import RunIdentity, build_manifest
from transforms.releasing.merging import total
from transforms.schema.receipt import Receipt

IDENTITY = RunIdentity(
    command="anonymize",
    version="1.2.3",
    fingerprint="f" * 64,
    config={"risk": {"threshold": 5}},
    config_hash="c" * 64,
    score_table={"version": "1", "preset": "appendix"},
    shape="conversation",
    inputs=({"url": "in.jsonl", "start": 0, "stop": 9, "bytes": 9},),
)
RECEIPTS = [
    Receipt(
        "00001",
        source={"url": "in.jsonl"},
        rows_in=2,
        rows_out=1,
        rows_quarantined=1,
        conversations=1,
        files={"risk/part-00001.parquet": {"sha256": "b"}, "corpus/part-00001.parquet": {"sha256": "a"}},
        findings={"URL": 2},
        id_hashes=b"12345678",
    ),
    Receipt("00000", rows_in=1, rows_out=1, conversations=1),
]
VERDICT = {"released": True, "threshold": 5, "held_by": []}


def test_the_contracts_names() -> None:
    manifest = build_manifest(IDENTITY, RECEIPTS, total(RECEIPTS), VERDICT)
    assert manifest["tacet"] == "1.2.3"
    assert manifest["rows"] == {"in": 3, "out": 2, "quarantined": 1, "balanced": True}
    assert manifest["totals"]["conversations"] == 2
    assert manifest["totals"]["findings"] == {"URL": 2}
    assert "rows_in" not in manifest["totals"]
    assert manifest["verdict"] == VERDICT
    assert {"score_table", "config_hash", "config", "shape", "inputs", "command", "fingerprint"} < set(
        manifest
    )


def test_units_and_files_stand_in_order_and_without_ids() -> None:
    manifest = build_manifest(IDENTITY, RECEIPTS, total(RECEIPTS), VERDICT)
    assert [unit["unit"] for unit in manifest["units"]] == ["00000", "00001"]
    assert list(manifest["units"][1]["files"]) == ["corpus/part-00001.parquet", "risk/part-00001.parquet"]
    assert manifest["units"][1]["rows"] == {"in": 2, "out": 1, "quarantined": 1}
    told = json.dumps(manifest)
    assert "id_hashes" not in told
    assert json.dumps(build_manifest(IDENTITY, RECEIPTS[::-1], total(RECEIPTS[::-1]), VERDICT)) == told


def test_lost_rows_are_told() -> None:
    lost = [Receipt("00000", rows_in=2, rows_out=1)]
    assert not build_manifest(IDENTITY, lost, total(lost), VERDICT)["rows"]["balanced"]
