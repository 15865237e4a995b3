"""``tacenda lab leak-scan`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import call

MAIL = "ann.smith@example-mail.com"


def _call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    return call(capsys, "lab", "leak-scan", *words, "--detector", "rules")


@pytest.fixture
def outputs(lines: Callable[..., Path]) -> Path:
    texts = [f"[PERSON_NAME_1] called about order {i}." for i in range(39)]
    texts.append(f"Write to {MAIL}, or again to {MAIL}.")
    return lines(
        *({"id": f"o{i}", "text": text, "task": "ab"[i % 2]} for i, text in enumerate(texts)),
        name="out.jsonl",
    )


def test_outputs_with_findings_are_counted_by_task_and_bounded(
    outputs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    words = ["--input", outputs, "--task", "task", "--output", tmp_path / "leaks.json"]
    code, out, _ = _call(capsys, *words, "--json")
    assert code == 0
    figures = json.loads(out)
    assert figures["total"]["outputs"] == 40
    assert figures["total"]["info_types"] == {"EMAIL_ADDRESS": 1}
    assert figures["total"]["at_most"] == pytest.approx(0.1132, abs=1e-4)
    assert [figures["tasks"][task]["leaking"] for task in "ab"] == [0, 1]
    written = (tmp_path / "leaks.json").read_text()
    assert json.loads(written)["leaking"] == {"b": ["o39"]}
    assert MAIL not in written + out
    assert json.loads(_call(capsys, *words, "--json", "--workers", 2, "--unit-bytes", 300)[1]) == figures


def test_exit_code_is_3_if_the_bound_may_be_exceeded(outputs: Path, capsys: pytest.CaptureFixture[str]):
    assert _call(capsys, "--input", outputs, "--at-most", ".2")[0] == 0
    code, out, _ = _call(capsys, "--input", outputs, "--at-most", ".1")
    assert (code, "HELD" in out) == (3, True)


def test_only_generated_turns_are_searched(lines: Callable[..., Path], capsys: pytest.CaptureFixture[str]):
    chat = {
        "messages": [{"role": "user", "content": f"I am {MAIL}"}, {"role": "assistant", "content": "Hello"}]
    }
    file = lines({"id": "a", **chat}, {"id": "b", "messages": chat["messages"][:1]}, name="chat.jsonl")
    figures = json.loads(_call(capsys, "--input", file, "--generated", "assistant", "--json")[1])
    assert (figures["total"]["outputs"], figures["total"]["leaking"]) == (1, 0)
    assert json.loads(_call(capsys, "--input", file, "--json")[1])["total"]["leaking"] == 2


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--task", "none"], "has the field"),
        (["--generated", "nobody"], "no output with a turn of nobody"),
        (["--at-most", "7"], "is not a number from 0 to 1"),
    ],
)
def test_user_errors_are_one_line(
    outputs: Path, words: list[str], what: str, capsys: pytest.CaptureFixture[str]
):
    code, _, err = _call(capsys, "--input", outputs, *words)
    assert code == 2
    assert what in err
    assert len(err.strip().splitlines()) == 1
