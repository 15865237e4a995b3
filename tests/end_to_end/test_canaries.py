"""``tacenda lab canaries`` as a user runs it: plant, score by a model that memorised, report."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command import call


def _call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    return call(capsys, "lab", "canaries", *words)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def corpus(lines: Callable[..., Path]) -> Path:
    chats = (
        {
            "id": f"k{i}",
            "messages": [{"role": "user", "content": f"hello {i}"}, {"role": "assistant", "content": "hi"}],
            "weight": 1.5,
        }
        for i in range(30)
    )
    return lines(*chats, name="chats.jsonl")


def _planted(corpus: Path, output: Path, capsys: pytest.CaptureFixture[str], *words: object) -> Path:
    options = ["--count", 6, "--copies", 2, "--candidates", 127, *words]
    assert _call(capsys, "plant", "--input", corpus, "--output", output, *options)[0] == 0
    return output


def test_canaries_are_planted_and_everything_else_is_the_input(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    folder = _planted(corpus, tmp_path / "planted", capsys)
    about = json.loads((folder / "canaries.json").read_text())
    texts = {row["candidate"]: row["text"] for row in _rows(folder / "candidates.jsonl")}
    sentences = [texts[one["planted"]] for one in about["canaries"]]
    before, after = _rows(corpus), _rows(*(folder / "corpus").iterdir())
    said = [row["messages"][-1]["content"] for row in after]
    assert [sum(sentence in text for text in said) for sentence in sentences] == [2] * 6
    for row in after:
        row["messages"][-1]["content"] = "hi"
    assert after == before
    assert (about["records"], about["planted"]) == (30, 12)
    # Known by hashes, never as text.
    assert not any(sentence in (folder / "canaries.json").read_text() for sentence in sentences)
    again = _planted(corpus, tmp_path / "again", capsys, "--workers", 2, "--unit-bytes", 300)
    in_parts = [row for path in sorted((again / "corpus").iterdir()) for row in _rows(path)]
    assert in_parts == _rows(*(folder / "corpus").iterdir())


def test_gold_is_not_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn = {"text": "I am Ann", "spans": [{"start": 5, "end": 8, "label": "PERSON_NAME"}]}
    lines = [
        {"conversation_id": f"c{i}", "gold": "complete", "level": "A", "turns": [turn]} for i in range(30)
    ]
    corpus = tmp_path / "gold.jsonl"
    corpus.write_text("".join(json.dumps(line) + "\n" for line in lines))
    folder = _planted(corpus, tmp_path / "planted", capsys)
    (written,) = (folder / "corpus").iterdir()
    assert {(row["level"], "gold" in row, "spans" in row["turns"][0]) for row in _rows(written)} == {
        ("A", False, False)
    }


def test_exposure_separates_a_memorising_model_from_another(
    corpus: Path, lines: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    folder = _planted(corpus, tmp_path / "planted", capsys)
    own = {one["planted"] for one in json.loads((folder / "canaries.json").read_text())["canaries"]}
    rows = _rows(folder / "candidates.jsonl")

    def figures(score: Callable[[int, str], float]) -> dict[str, Any]:
        scored = lines(
            *(
                {"canary": row["canary"], "candidate": row["candidate"], "score": score(i, row["candidate"])}
                for i, row in enumerate(rows)
            ),
            name="scores.jsonl",
        )
        words = ("--planted", folder / "canaries.json", "--scores", scored)
        code, out, _ = _call(capsys, "exposure", *words, "--json")
        assert code == 0
        assert "mean bits" in _call(capsys, "exposure", *words)[1]
        found: dict[str, Any] = json.loads(out)
        return found

    memorised = figures(lambda i, candidate: 1.0 if candidate in own else 5.0 + i % 7)
    assert (memorised["total"]["mean"], memorised["total"]["canaries"]) == (7.0, 6)
    assert memorised["total"]["p"] < 1e-6
    assert {one["rank"] for one in memorised["canaries"]} == {1.0}
    ignorant = figures(lambda i, candidate: float(int(candidate, 16) % 997))
    assert ignorant["total"]["p"] > 0.01


def test_too_small_a_corpus_and_missing_scores_are_errors(
    corpus: Path, lines: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    code, _, err = _call(capsys, "plant", "--input", corpus, "--output", tmp_path / "x", "--count", 31)
    assert (code, "plant fewer" in err) == (2, True)
    folder = _planted(corpus, tmp_path / "planted", capsys)
    scores = lines({"canary": "c0000", "candidate": "0", "score": 1}, name="scores.jsonl")
    code, _, err = _call(capsys, "exposure", "--planted", folder / "canaries.json", "--scores", scores)
    assert (code, "have no score" in err) == (2, True)
    wrong = lines({"canary": "c0000", "candidate": "0", "score": "high"}, name="wrong.jsonl")
    code, _, err = _call(capsys, "exposure", "--planted", folder / "canaries.json", "--scores", wrong)
    assert (code, "not a number" in err, err.count("\n")) == (2, True, 1)
    assert _call(capsys, "exposure", "--planted", scores, "--scores", scores)[0] == 2
