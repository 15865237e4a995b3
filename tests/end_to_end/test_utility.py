"""``tacenda lab utility`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import call

SAID = {"booking": "i want to book a table for two", "billing": "there is an error on the bill"}


def _call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    return call(capsys, "lab", "utility", *words)


@pytest.fixture
def corpora(lines: Callable[..., Path]) -> dict[str, Path]:
    def written(name: str, first: int, count: int, person: str) -> Path:
        return lines(
            *(
                {"id": f"c{i}", "text": f"{SAID[task]}, i am {person}", "task": task}
                for i in range(first, first + count)
                for task in [sorted(SAID)[i % 2]]
            ),
            name=f"{name}.jsonl",
        )

    return {
        "original": written("original", 0, 40, "Ann Lee"),
        "tokens": written("tokens", 0, 39, "[PERSON_NAME_1]"),
        "held": written("held", 100, 20, "Ann Lee"),
    }


def test_the_cost_of_a_version_is_told_and_written(
    corpora: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    words = ["--original", corpora["original"], "--anonymized", f"tokens={corpora['tokens']}"]
    words += ["--held-out", corpora["held"], "--task", "task", "--bootstrap", 50]
    code, out, _ = _call(capsys, *words, "--json")
    figures = json.loads(out)
    # A conversation that the version lacks is used of no version.
    assert (code, figures["records"], figures["held_out"], figures["classes"]) == (0, 39, 20, 2)
    version = figures["versions"]["tokens"]
    # Ann and Lee are gone of ten or eleven words, and a token is there.
    assert 0.8 < version["rouge_1"]["recall"] < 0.85
    assert version["f1_cost"] == 0
    told = _call(capsys, *words, "--output", tmp_path / "utility.json")[1]
    assert "ROUGE-1" in told
    assert json.loads((tmp_path / "utility.json").read_text()) == figures
    assert "lee" not in out.lower() + told.lower()
    in_parts = _call(capsys, *words, "--json", "--workers", 2, "--unit-bytes", 500)[1]
    assert json.loads(in_parts) == figures


def test_corpora_that_cannot_be_compared_are_errors(
    corpora: dict[str, Path], capsys: pytest.CaptureFixture[str]
):
    original, held = corpora["original"], corpora["held"]
    for words, message in (
        (["--original", original, "--anonymized", held, "--held-out", held], "NAME=URL"),
        (["--original", original, "--anonymized", f"x={held}", "--held-out", held], "no conversation of"),
        (["--original", original, "--anonymized", f"x={original}", "--held-out", original], "give others"),
        (["--original", original, "--anonymized", f"original={held}", "--held-out", held], "choose one"),
        (
            ["--original", original, "--anonymized", f"x={original}", "--held-out", held, "--task", "no"],
            "no record of --original has the field no",
        ),
    ):
        code, _, err = _call(capsys, *words)
        assert (code, message in err, err.count("\n")) == (2, True, 1)
