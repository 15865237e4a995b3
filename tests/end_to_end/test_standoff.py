"""Positions of replacements: written to a restricted folder, and nowhere else."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

MAILS = ["ann.smith@example.com", "bo@example.com"]
TALK = {
    "conversation_id": "c1",
    "turns": [
        {"speaker": "agent", "text": f"Write to {MAILS[0]} or {MAILS[1]}, please 😀."},
        {"speaker": "customer", "text": "No."},
        {"speaker": MAILS[1], "text": f"{MAILS[0]}?"},
    ],
}
RULES = ("--detector", "rules")


def rows_in(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(folder.rglob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_positions_before_and_after_lead_to_the_same_place(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    run = tacenda("anonymize", "--input", lines(TALK), *RULES, "--standoff", secret)
    assert run.code == 0, run.err
    rows = rows_in(secret)
    [written] = run.corpus()
    told = []
    for row in rows:
        before, after = (record["turns"][row["turn"]][row["field"]] for record in (TALK, written))
        told.append((before[row["start"] : row["end"]], after[row["output_start"] : row["output_end"]]))
    tokens = ["[EMAIL_ADDRESS_1]", "[EMAIL_ADDRESS_2]"]
    ann, bo = zip(MAILS, tokens, strict=True)
    assert told == [ann, bo, bo, ann]
    assert [row["field"] for row in rows] == ["text", "text", "speaker", "text"]
    assert [(row["conversation_id"], row["info_type"], row["entity"]) for row in rows] == [
        ("c1", "EMAIL_ADDRESS", 1),
        ("c1", "EMAIL_ADDRESS", 2),
        ("c1", "EMAIL_ADDRESS", 2),
        ("c1", "EMAIL_ADDRESS", 1),
    ]
    manifest = run.json("manifest.json")
    assert manifest["standoff"]["rows"] == 4
    assert Path(manifest["standoff"]["folder"]) == secret / manifest["fingerprint"][:16]
    for path in secret.rglob("*.parquet"):
        assert path.stat().st_mode & 0o077 == 0
        assert not [mail for mail in MAILS if mail.encode() in path.read_bytes()]


def test_the_corpus_is_the_same_with_and_without(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path
) -> None:
    path = lines(TALK)
    config = tmp_path / "config.yaml"
    config.write_text(f"output: {{standoff: {tmp_path / 'secret'}}}\n")
    plain = tacenda("anonymize", "--input", path, *RULES, output=tmp_path / "plain")
    told = tacenda("anonymize", "--input", path, *RULES, "--config", config, output=tmp_path / "told")
    assert (plain.code, told.code) == (0, 0), told.err
    assert told.corpus() == plain.corpus()
    assert len(rows_in(tmp_path / "secret")) == 4
    assert "standoff" not in plain.json("manifest.json")
    assert not [name for name in told.files() if "standoff" in name]


@pytest.mark.parametrize("place", ["out", "out/standoff", "in/secret"])
def test_the_stand_off_folder_must_be_outside_input_and_output(
    tacenda: Callable[..., Any], tmp_path: Path, place: str
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    with gzip.open(folder / "a.jsonl.gz", "wt") as file:
        file.write(json.dumps(TALK))
    run = tacenda(
        "anonymize", "--input", folder, *RULES, "--standoff", tmp_path / place, output=tmp_path / "out"
    )
    assert run.code == 2
    assert run.err.startswith("tacenda: --standoff")
    assert len(run.err.splitlines()) == 1
    assert not (tmp_path / place).exists()
