import re
from collections.abc import Callable

import pytest

from tacenda.transforms.previewing.conversation import Previewed, display_width, side_by_side

ANN = (1, "[PERSON_NAME_1]")
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def test_before_and_after_are_shown_side_by_side(talk: Callable[..., Previewed]) -> None:
    told = talk(("Pam", "Hello Ann", {"Ann": ANN}))
    assert list(side_by_side(told, 60, coloured=False)) == [
        "c1 · sales · risk 3, by model",
        "before                       │ after",
        "─" * 28 + "─┼─" + "─" * 28,
        "Pam: Hello «Ann»             │ Pam: Hello [PERSON_NAME_1]",
        "",
    ]


@pytest.mark.parametrize("coloured", [True, False])
@pytest.mark.parametrize("width", [10, 40, 73, 200])
def test_lines_are_wrapped_without_losing_characters(
    talk: Callable[..., Previewed], coloured: bool, width: int
) -> None:
    text = "Ann " + "中文字" * 30 + " e\u0301" * 40 + " word" * 20 + "\nnext\tline " + "x" * 150
    told = talk(("Pam Beesly", text, {"Ann": ANN}))
    lines = [ANSI.sub("", line) for line in side_by_side(told, width, coloured)]
    assert max(map(display_width, lines)) <= max(width, 40)
    left = "".join(line.partition("│")[0] for line in lines[3:])
    said = re.sub(r"[\s«»]", "", left)
    assert re.sub(r"\s", "", f"PamBeesly:{text}") == said
    assert len({display_width(line.partition("│")[0]) for line in lines[3:] if line}) == 1


def test_entities_have_distinct_colours_that_end_with_them(talk: Callable[..., Previewed]) -> None:
    told = talk((None, "Ann and Bo", {"Ann": ANN, "Bo": (2, "[PERSON_NAME_2]")}))
    line = list(side_by_side(told, 80, coloured=True))[3]
    first, second = re.findall(r"\x1b\[1;38;5;(\d+)m(?:Ann|Bo)\x1b\[0m", line)
    assert first != second


def test_control_characters_are_not_sent_to_the_terminal(talk: Callable[..., Previewed]) -> None:
    told = talk(("\x1b[2J", "a\x1b]0;x\x07b\u202ec", {}), name="\x1b[31mid")
    shown = "\n".join(side_by_side(told, 80, coloured=False))
    assert not set("\x1b\x07\u202e") & set(shown)
    assert "\\u001b[2J" in shown
