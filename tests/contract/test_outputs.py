"""Names and columns of a run's output."""

import hashlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

MANIFEST = {"manifest.json", "manifest-units.parquet", "manifest-files.parquet"}
SCORED = {"statistics.json", "report.html", "risk", "quarantine"}
WHOLE = {
    "anonymize": {
        *("_UNREVIEWED", *MANIFEST, *SCORED, "manifest-inputs.parquet", "README.md"),
        *("added_tokens.json", "corpus", "hashes"),
    },
    "inspect": {"_SUCCESS", *MANIFEST, "findings", "findings-jsonl", "quarantine"},
    "score": {"_HELD", *MANIFEST, *SCORED},
}
SUFFIXES = {
    **dict.fromkeys(("hashes", "risk", "findings"), ".parquet"),
    **dict.fromkeys(("quarantine", "findings-jsonl"), ".jsonl"),
    "corpus": ".jsonl.gz",
}


@pytest.mark.parametrize("command", WHOLE)
def test_the_folder(runs, command):
    folder = runs[command].folder
    assert {path.name for path in folder.iterdir()} == WHOLE[command]
    units = pq.read_table(folder / "manifest-units.parquet").to_pylist()
    assert len(units) == runs[command].json("manifest.json")["units"]["rows"] > 1
    parts = {unit["part"] for unit in units}
    assert 1 < len(parts) < len(units)
    for name in WHOLE[command] & set(SUFFIXES):
        names = {f"part-{part}{SUFFIXES[name]}" for part in parts}
        assert {path.name for path in (folder / name).iterdir()} == names


def test_risk_records(runs):
    schema = pq.read_schema(next((runs["anonymize"].folder / "risk").iterdir()))
    contract = ["conversation_id", "context", "source", "score", "tags", "direct_identifier"]
    assert schema.names == [*contract, "combination", "links"]
    kinds = {"conversation_id": "string", "score": "int32", "direct_identifier": "bool"}
    assert {name: str(schema.field(name).type) for name in kinds} == kinds


def test_findings(runs):
    folder = runs["inspect"].folder / "findings"
    kinds = {
        **dict.fromkeys(("conversation_id", "info_type", "likelihood", "detector"), "string"),
        **dict.fromkeys(("turn", "start", "end", "entity"), "int32"),
    }
    for path in folder.glob("*.parquet"):
        table = pq.read_table(path)
        assert {name: str(table.schema.field(name).type) for name in kinds} == kinds
        lines = (folder.parent / "findings-jsonl" / f"{path.stem}.jsonl").read_text().splitlines()
        assert [json.loads(line) for line in lines] == table.to_pylist()
    assert pq.read_table(folder).num_rows > 0


def test_quarantine_lines(runs):
    for command in WHOLE:
        lines = [
            json.loads(line)
            for path in sorted((runs[command].folder / "quarantine").iterdir())
            for line in path.read_text().splitlines()
        ]
        assert [(line["stage"], line["error"]) for line in lines] == [
            ("read", "InvalidJson"),
            ("read", "DuplicateConversationId"),
        ]
        assert {"unit", "position", "stage", "error"} <= set(lines[0])


def test_statistics(runs):
    statistics = runs["anonymize"].json("statistics.json")
    figures = statistics["sources"]["model"]
    names = {
        "count", "mean", "std", "p95", "max", "mu_plus_sigma", "mu_plus_2sigma",
        "share_at_or_over_threshold", "pass",
    }  # fmt: skip
    assert set(figures["contexts"]) == {"", "sales"}
    for group in (*figures["contexts"].values(), figures["total"]):
        assert names <= set(group)
    assert figures["total"]["count"] == 48
    assert (statistics["threshold"], statistics["ddof"]) == (5, 0)


@pytest.mark.parametrize("command", WHOLE)
def test_the_manifest_balances_and_hashes_every_part(runs, command):
    folder, manifest = runs[command].folder, runs[command].json("manifest.json")
    balance = {"in": 50, "out": 48, "quarantined": 2, "dropped": 0, "not_read": 0, "balanced": True}
    assert manifest["rows"] == balance
    assert {"tacenda", "config_hash", "score_table", "units", "files", "inputs"} <= set(manifest)
    files = pq.read_table(folder / "manifest-files.parquet").to_pylist()
    named = {file["path"]: file["sha256"] for file in files}
    written = {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.glob("*/*")
    }
    assert named == written


@pytest.mark.parametrize("command", ["anonymize", "score"])
def test_the_report_needs_no_network(runs, command):
    page = (runs[command].folder / "report.html").read_text(encoding="utf-8")
    for word in (' src="http', "@import", "<link", "url(http"):
        assert word not in page


def test_report_and_manifest_say_who_looked(runs):
    told = {c: runs[c].json("manifest.json")["config"]["detectors"] for c in runs}
    page = (runs["anonymize"].folder / "report.html").read_text(encoding="utf-8")
    (model,) = told["anonymize"]["models"]
    assert "were searched by rules and a model." in page
    assert f"{model['name']} {model['version']}</td>" in page
    assert told["score"] == {"names": [], "languages": {}}
    assert "were scored by their marks." in (runs["score"].folder / "report.html").read_text(encoding="utf-8")


def test_nothing_is_left_behind(runs):
    for run in runs.values():
        assert not list(Path(run.folder).rglob(".*"))
