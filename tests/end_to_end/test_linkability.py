"""``tacenda lab linkability`` as a user runs it."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacenda.pipelines.lab import linkability
from tests.command import call

WORDS = ("the", "order", "a", "call", "bill", "we", "you", "it", "is", "not", "and", "what", "when", "phone")
HABITS = ("!!! ", " ... ", " -- ", ", y'know, ", " ;) ", "?? ")


def _call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    return call(capsys, "lab", "linkability", *words)


def _said(rng: random.Random, habit: str) -> str:
    return "".join(rng.choice(WORDS) + (habit if rng.random() < 0.3 else " ") for _ in range(60))


@pytest.fixture
def corpus(lines: Callable[..., Path]) -> Path:
    """Six people with a habit each, in two conversations with an agent who speaks like all agents."""
    rng = random.Random(3)
    records: list[dict[str, Any]] = []
    for number in range(12):
        turns = [
            {"speaker": speaker, "text": _said(rng, HABITS[number % 6] if speaker == "Caller" else " ")}
            for _ in range(2)
            for speaker in ("Agent", "Caller")
        ]
        records.append({"conversation_id": f"c{number}", "customer": f"p{number % 6}", "turns": turns})
    return lines(*records, name="corpus.jsonl")


def test_a_habit_joins_conversations_of_one_person(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    words = ["--input", corpus, "--person", "customer", "--speaker", "Caller"]
    code, out, _ = _call(capsys, *words, "--json", "--output", tmp_path / "style.json")
    figures = json.loads(out)
    assert code == 0
    assert (figures["compared"], figures["texts"], figures["joined"]) == (6, 12, 6)
    assert figures["by_chance"] == pytest.approx(1 / 11, abs=1e-6)
    assert figures["above_chance"]
    assert json.loads((tmp_path / "style.json").read_text()) == figures
    again = _call(capsys, *words, "--json", "--workers", 2, "--unit-bytes", 2000)[1]
    assert json.loads(again) == figures
    assert "more often than chance" in _call(capsys, *words)[1]
    # Agents, who are alike, are not told apart by it.
    of_agents = json.loads(_call(capsys, *words[:-1], "Agent", "--json")[1])
    assert not of_agents["above_chance"]


def test_the_figures_are_entered_into_manifest_and_report(
    corpus: Path, tacenda: Callable[..., Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    out = tacenda("anonymize", "--input", corpus, "--detector", "rules").folder
    words = ["--input", out / "corpus", "--speaker", "Caller", "--json"]
    capsys.readouterr()
    code, told, _ = _call(capsys, *words, "--into", out)
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    assert code == 0
    assert manifest["linkability"] == {**json.loads(told), "speakers": ["Caller"]}
    told = f"style joins {manifest['linkability']['joined']} of"
    assert told in (out / "report.html").read_text("utf-8")
    assert call(capsys, "verify", out)[0] == 0
    true = (out / "manifest.json").read_text("utf-8")
    manifest["linkability"]["joined"] += 1
    (out / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    assert call(capsys, "verify", out)[0] == 3
    (out / "manifest.json").write_text(true, "utf-8")
    (tmp_path / "ids.txt").write_text("c3\n", "utf-8")
    call(capsys, "corpus", "erase", out, "--conversations", tmp_path / "ids.txt")
    assert "linkability" not in json.loads((out / "manifest.json").read_text("utf-8"))
    assert call(capsys, "verify", out)[0] == 0
    code, _, err = _call(capsys, "--input", corpus, "--into", out)
    assert code == 2
    assert "give --input" in err


def test_what_keeps_the_figures_out_is_told_before_anything_is_measured(
    corpus: Path,
    tacenda: Callable[..., Any],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    out = tacenda("anonymize", "--input", corpus, "--detector", "rules").folder
    words = ["--input", out / "corpus", "--into", out]
    measured = []
    monkeypatch.setattr(linkability, "fold", lambda *_: measured.append(1))
    (out / "history.jsonl").touch()
    code, _, err = _call(capsys, *words)
    assert (code, err.count("\n"), measured) == (2, 1, [])
    assert "has a signed history, which every change continues; add --signing-key KEY" in err
    (out / "history.jsonl").unlink()
    (out / "report.html").write_text("other", "utf-8")
    code, _, err = _call(capsys, *words)
    assert (code, err.count("\n"), measured) == (2, 1, [])
    assert "'tacenda verify' has the details" in err


def test_a_folder_that_is_changed_while_it_is_measured_gets_no_figures(
    corpus: Path,
    tacenda: Callable[..., Any],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    out = tacenda("anonymize", "--input", corpus, "--detector", "rules").folder
    (out.parent / "ids.txt").write_text("c3\n", "utf-8")
    measure = linkability.fold

    def erase_and_measure(*arguments: Any) -> Any:
        measured = measure(*arguments)
        assert call(capsys, "corpus", "erase", out, "--conversations", out.parent / "ids.txt")[0] == 0
        return measured

    monkeypatch.setattr(linkability, "fold", erase_and_measure)
    code, _, err = _call(capsys, "--input", out / "corpus", "--into", out)
    assert code == 2
    assert "was changed while it was measured; measure it again" in err
    assert "linkability" not in json.loads((out / "manifest.json").read_text("utf-8"))


def test_without_people_the_halves_of_conversations_are_compared(
    corpus: Path, capsys: pytest.CaptureFixture[str]
):
    figures = json.loads(_call(capsys, "--input", corpus, "--speaker", "Caller", "--json")[1])
    assert (figures["compared"], figures["texts"], figures["by"]) == (12, 24, None)
    assert figures["joined"] > 0
    fewer = json.loads(_call(capsys, "--input", corpus, "--speaker", "Caller", "--people", 5, "--json")[1])
    assert (fewer["compared"], fewer["is_sample"]) == (5, True)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--person", "name"], "--person: no record of --input has the field name"),
        (["--speaker", "Nobody"], "no conversation has enough text to compare; each text needs 100 letters"),
    ],
)
def test_user_errors_are_one_line(
    corpus: Path, words: list[str], what: str, capsys: pytest.CaptureFixture[str]
):
    code, _, err = _call(capsys, "--input", corpus, *words)
    assert (code, len(err.strip().splitlines())) == (2, 1)
    assert what in err


def test_one_conversation_cannot_be_told_from_others(
    lines: Callable[..., Path], capsys: pytest.CaptureFixture[str]
):
    turns = [{"speaker": "Caller", "text": _said(random.Random(1), "!!! ")} for _ in range(2)]
    corpus = lines({"conversation_id": "c0", "customer": "p", "turns": turns}, name="one.jsonl")
    code, _, err = _call(capsys, "--input", corpus)
    assert (code, len(err.strip().splitlines())) == (2, 1)
    assert "only one conversation has enough text to compare, so it cannot be told" in err
    twice = [{"conversation_id": f"c{i}", "customer": "p", "turns": turns} for i in range(2)]
    code, _, err = _call(capsys, "--input", lines(*twice, name="two.jsonl"), "--person", "customer")
    assert code == 2
    assert "only one person has enough text" in err


def test_unreadable_records_are_counted(
    lines: Callable[..., Path], corpus: Path, capsys: pytest.CaptureFixture[str]
):
    records = corpus.read_text("utf-8").splitlines()
    broken = lines(*(json.loads(line) for line in records), b"{oops", name="broken.jsonl")
    assert json.loads(_call(capsys, "--input", broken, "--json")[1])["unreadable"] == 1
    assert "unreadable 1 record, not compared" in _call(capsys, "--input", broken)[1]
