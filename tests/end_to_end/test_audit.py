"""``tacenda lab audit`` as a user runs it: a synthetic corpus beside its source, and answers of two people."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command import call

WORDS = [
    "order",
    "bill",
    "call",
    "address",
    "account",
    "card",
    "payment",
    "window",
    "phone",
    "ticket",
    "plan",
]


def _record(kind: str, number: int, **more: Any) -> dict[str, Any]:
    words = " ".join(WORDS[(number * (k + 2) + k * len(kind)) % len(WORDS)] + str(number) for k in range(20))
    return {
        "conversation_id": f"{kind}{number}",
        "turns": [{"speaker": "a", "text": f"{kind} {words}"}],
        **more,
    }


@pytest.fixture
def corpora(lines: Callable[..., Path]) -> tuple[Path, Path]:
    """The synthetic one has an exact copy, a near one, and a record twice."""
    source = [_record("source", i, drug=f"d{i % 2}", effect=f"e{i % 3}") for i in range(40)]
    synthetic = [_record("made", i, drug=f"d{i % 2}", effect=f"e{i % 5}") for i in range(20)]
    exact = {**source[3], "conversation_id": "exact"}
    near = json.loads(json.dumps({**source[7], "conversation_id": "near"}).replace("bill", "bills"))
    twice = {**synthetic[0], "conversation_id": "twice"}
    return lines(*source, name="source.jsonl"), lines(*synthetic, exact, near, twice, name="synthetic.jsonl")


def _call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    return call(capsys, "lab", "audit", *words)


def test_copies_are_found_listed_and_hold_the_corpus(
    corpora: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    pytest.importorskip("scipy")
    source, synthetic = corpora
    words = ["compare", "--source", source, "--synthetic", synthetic, "--events", "drug,effect"]
    code, out, _ = _call(capsys, *words, "--output", tmp_path / "one")
    assert code == 3
    assert "HELD" in out
    report = json.loads((tmp_path / "one" / "audit.json").read_text())
    assert report["copies"] == {
        "threshold": 0.9,
        "searched": 40,
        "share_of_source_searched": 1.0,
        "exact": 1,
        "near_hits": 2,
        "near_distinct": 2,
        "distinct": 2,
        "repeated_within_synthetic": 1,
    }
    copies = [json.loads(line) for line in (tmp_path / "one" / "copies.jsonl").read_text().splitlines()]
    assert [(copy["synthetic"], copy["source"], copy["exact"]) for copy in copies] == [
        ("exact", "source3", True),
        ("near", "source7", False),
    ]
    assert report["diversity"]["source"]["samples"] == 5
    assert report["diversity"]["source"]["records"] == [23.0, 0.0]
    assert report["frequencies"]["not_in_source"]
    assert not (tmp_path / "one" / "work").exists()
    there = tmp_path / "other"
    assert _call(capsys, *words, "--output", there, "--unit-bytes", "900", "--workers", "2")[0] == 3
    for name in ("audit.json", "copies.jsonl"):
        assert (there / name).read_bytes() == (tmp_path / "one" / name).read_bytes()


def test_a_corpus_without_copies_passes_and_what_is_unreadable_is_reported(
    lines: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source = lines(*(_record("source", i) for i in range(9)), name="source.jsonl")
    source.write_text(source.read_text() + "{broken\n")
    synthetic = lines(*(_record("made", i) for i in range(5)), name="made.jsonl")
    code, out, _ = _call(
        capsys, "compare", "--source", source, "--synthetic", synthetic, "--output", tmp_path / "out"
    )
    assert code == 0
    assert "9 that could be read of the source (90.0% of it)" in out
    assert "1 record, not compared" in out


def test_blinded_questions_are_drawn_and_answers_evaluated(
    corpora: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source, synthetic = corpora
    words = ["questions", "--source", source, "--synthetic", synthetic, "--count", "8"]
    assert _call(capsys, *words, "--output", tmp_path / "asked")[0] == 0
    with (tmp_path / "asked" / "sheet.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16
    assert set(rows[0]) == {"number", "text", "natural", "comprehensible", "correct", "identifying"}
    key = json.loads((tmp_path / "asked" / "key.json").read_text())["records"]
    assert sorted(record["origin"] for record in key.values()) == ["source"] * 8 + ["synthetic"] * 8

    def sheet(name: str, identifying: set[str]) -> Path:
        with (tmp_path / name).open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            for row in rows:
                said = dict.fromkeys(("natural", "comprehensible", "correct"), "Yes")
                writer.writerow(
                    {**row, **said, "identifying": "yes" if row["number"] in identifying else "no"}
                )
        return tmp_path / name

    one, other = sheet("one.csv", {"3", "7"}), sheet("other.csv", {"3"})
    answers = ["answers", "--key", tmp_path / "asked" / "key.json", "--sheets", one, other]
    code, out, _ = _call(capsys, *answers, "--json")
    assert code == 0
    report = json.loads(out)
    figures = report["questions"]["identifying"]
    assert figures["cells"]["yes_yes"]["total"] == figures["cells"]["yes_no"]["total"] == 1
    assert figures["kappa"] == pytest.approx(0.6364, abs=1e-4)
    assert report["questions"]["natural"]["kappa"] is None
    assert report["identifying"] == sorted(key[number]["id"] for number in ("3", "7"))
    assert "identifying" in _call(capsys, *answers)[1]
    one.write_text(one.read_text().replace("Yes", "perhaps", 1))
    code, _, err = _call(capsys, *answers)
    assert (code, len(err.strip().splitlines()), "answer yes or no" in err) == (2, 1, True)


COMPARE = ["compare", "--source", "a.jsonl", "--synthetic", "a.jsonl", "--output", "o"]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["compare", "--source", "a.jsonl"], "are required: --synthetic"),
        ([*COMPARE[:-1], "."], "is not empty"),
        ([*COMPARE, "--events", "x"], "two fields"),
        ([*COMPARE, "--threshold", "2"], "from 0 to 1"),
        ([*COMPARE, "--source", "rows.jsonl"], "has a row a turn"),
        (["answers", "--key", "a.jsonl", "--sheets", "a.jsonl", "a.jsonl"], "is not a key.json"),
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
    Path("a.jsonl").write_text(json.dumps(_record("a", 1)) + "\n")
    Path("rows.jsonl").write_text('{"conversation_id": "a", "turn_index": 0, "speaker": "a", "text": "b"}\n')
    code, _, err = _call(capsys, *words)
    assert code == 2
    assert what in err
    assert len(err.strip().splitlines()) == 1
