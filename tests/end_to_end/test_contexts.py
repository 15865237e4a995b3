"""``tacenda lab contexts`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command import call

CALM = "hello, you can write to {} about the order that we sent you last week"
ODD = "zebras in the attic of {} ate all of our violins again"


def test_conversations_with_unusual_words_around_their_data_are_graded(
    tacenda: Callable[..., Any],
    lines: Callable[..., Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    texts = [*(CALM.format(f"p{i}@example.org") for i in range(4)), ODD.format("q@example.org")]
    source = lines(
        *(
            {"conversation_id": f"c{i}", "turns": [{"speaker": "a", "text": text}]}
            for i, text in enumerate(texts)
        )
    )
    folder = tacenda("anonymize", "--input", source, "--detector", "rules").folder
    words = ["contexts", folder, "--json", "--output", tmp_path / "contexts.json"]
    code, out, _ = call(capsys, "lab", *words)
    figures = json.loads(out)
    assert code == 0
    assert figures["levels"] == {"green": 4, "yellow": 0, "red": 1, "undefined": 0}
    assert figures["by_conversation"][0]["percent"] == 100
    assert json.loads((tmp_path / "contexts.json").read_text()) == figures
    assert "4 green, 1 red" in call(capsys, "lab", "contexts", folder)[1]
    alone = json.loads(call(capsys, "lab", "contexts", folder, "--conversations", 1, "--json")[1])
    assert alone["levels"]["undefined"] == 1


def test_a_corpus_without_tokens_is_an_error_in_one_line(
    tacenda: Callable[..., Any], lines: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    source = lines({"conversation_id": "c", "turns": [{"speaker": "a", "text": "hello"}]})
    folder = tacenda("anonymize", "--input", source, "--detector", "rules").folder
    code, _, err = call(capsys, "lab", "contexts", folder)
    assert (code, "has no tokens" in err, err.count("\n")) == (2, True, 1)
