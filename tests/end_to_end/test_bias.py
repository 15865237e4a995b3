"""``tacenda lab bias`` as a user runs it: variants out, a classifier's predictions in, our own detectors."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command import call


def _essay(number: int, name: str = "Emil", **more: Any) -> dict[str, Any]:
    text = f"Essay {number} was written by {name}, who likes trains"
    start = text.index(name)
    span = {"start": start, "end": start + len(name), "label": "PERSON_NAME"}
    return {
        "conversation_id": f"e{number}",
        "gold": "complete",
        "turns": [{"speaker": "pupil", "text": text, "spans": [span]}],
        **more,
    }


@pytest.fixture
def essays(lines: Callable[..., Path]) -> Path:
    return lines(*(_essay(number, level="A1") for number in range(7)), _essay(8, "Emil Berg"))


def _call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    return call(capsys, "lab", "bias", *words)


def _variants(folder: Path) -> list[dict[str, Any]]:
    files = sorted((folder / "variants").iterdir())
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def test_variants_are_the_same_in_several_processes(
    essays: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    here, there = tmp_path / "here", tmp_path / "there"
    code, out, _ = _call(capsys, "variants", "--input", essays, "--output", here, "--keep", "level")
    assert code == 0
    assert "7 of 8 conversations have one given name; left out: 1 a name of several words" in out
    cut = ["--workers", "2", "--unit-bytes", "300"]
    assert _call(capsys, "variants", "--input", essays, "--output", there, "--keep", "level", *cut)[0] == 0
    made = _variants(here)
    assert len(made) == 560
    assert made == _variants(there)
    assert (here / "counts.json").read_bytes() == (there / "counts.json").read_bytes()
    assert {row["level"] for row in made} == {"A1"}
    assert all(file.stat().st_mode & 0o077 == 0 for file in (here / "variants").iterdir())
    again, _, err = _call(capsys, "variants", "--input", essays, "--output", here)
    assert (again, "is not empty" in err) == (2, True)


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_classifiers_predictions_on_the_variants_are_judged(
    essays: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
):
    _call(capsys, "variants", "--input", essays, "--output", tmp_path / "made", "--keep", "level")
    rows = [
        {
            "variant_of": row["variant_of"],
            "group": row["group"],
            "gender": row["gender"],
            "gold": row["level"],
            "prediction": "A2" if row["group"] == "arabic" and row["variant_of"] == "e3" else "A1",
        }
        for row in _variants(tmp_path / "made")
    ]
    file = tmp_path / f"predictions.{suffix}"
    if suffix == "jsonl":
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        with file.open("w", newline="") as sink:
            writer = csv.DictWriter(sink, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    code, out, _ = _call(capsys, "report", "--predictions", file, "--output", tmp_path / "report.json")
    assert code == 0
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["groups"]["arabic"]["eq_opp"] == pytest.approx(-1 / 7, abs=1e-4)
    assert report["flip_rate"] == pytest.approx(1 / 7, abs=1e-4)
    assert "warning: only 7 documents" in out


def test_our_own_detectors_are_tried_on_the_variants(essays: Path, capsys: pytest.CaptureFixture[str]):
    words = ["detector", "--input", essays, "--detector", "gazetteer", "--json"]
    code, out, _ = _call(capsys, *words)
    assert code == 0
    report = json.loads(out)
    assert (report["documents"], report["variants"], report["eligible"]) == (7, 560, 7)
    assert report["recall"] > 0.5
    assert json.loads(_call(capsys, *words, "--workers", 2, "--unit-bytes", 300)[1]) == report


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["variants", "--output", "out"], "are required: --input"),
        (["report"], "are required: --predictions"),
        (["report", "--predictions", "none.jsonl"], "none.jsonl: no such file"),
        (["report", "--predictions", "here.txt"], "ends in .jsonl, .csv or .tsv"),
        (
            ["report", "--predictions", "short.jsonl"],
            "row 1: needs variant_of, group, gender, gold, prediction",
        ),
        (["report", "--predictions", "two.jsonl"], "have different golds"),
        (["report", "--predictions", "empty.jsonl"], "no rows"),
        (["report", "--predictions", "empty.jsonl", "--colour"], "unknown option --colour"),
        (["detector", "--input", "unmarked.jsonl"], "one given name"),
    ],
)
def test_user_errors_are_one_line(
    words: list[str],
    what: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    row = {"variant_of": "a", "group": "g", "gender": "women", "gold": "x", "prediction": "x"}
    Path("here.txt").write_text("x")
    Path("short.jsonl").write_text('{"variant_of": "a"}\n')
    Path("two.jsonl").write_text(json.dumps(row) + "\n" + json.dumps({**row, "gold": "y"}) + "\n")
    Path("empty.jsonl").write_text("")
    Path("unmarked.jsonl").write_text(json.dumps(_essay(1, "Emil Berg")) + "\n")
    code, _, err = _call(capsys, *words)
    assert code == 2
    assert what in err
    assert len(err.strip().splitlines()) == 1
