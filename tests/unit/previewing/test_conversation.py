import re
from collections.abc import Callable

import pytest

from tacenda.transforms.previewing.conversation import (
    Entity,
    Previewed,
    display_width,
    place_name,
    side_by_side,
)
from tacenda.transforms.previewing.explanation import (
    ExplainedEntity,
    ExplainedMention,
    ExplainedResidual,
    Explanation,
    Sight,
    lines,
)

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


ANN_CONVERSATION, BO = (1, "[PERSON_NAME_1]"), (2, "")


def test_pieces_say_what_was_replaced_by_what(talk: Callable[..., Previewed]) -> None:
    told = talk(("Pam", "Ann, ask Bo.", {"Ann": ANN_CONVERSATION, "Bo": BO}), (None, "", {}))
    first, second = told.cells
    assert [(piece.text, piece.mention and piece.mention.entity) for piece in first.before] == [
        ("Ann", 1),
        (", ask ", None),
        ("Bo", 2),
        (".", None),
    ]
    assert [piece.text for piece in first.after] == ["[PERSON_NAME_1]", ", ask ", "", "."]
    assert (second.before, second.after, second.speaker_before.text) == ((), (), "")
    assert told.entities == (
        Entity(1, "PERSON_NAME", "[PERSON_NAME_1]", 1),
        Entity(2, "PERSON_NAME", "", 1),
    )


def test_a_speaker_counts_as_a_mention_in_each_turn(talk: Callable[..., Previewed]) -> None:
    told = talk(
        ("Ann Lee", "Hi", {}),
        ("Ann Lee", "Ann here", {"Ann": ANN_CONVERSATION}),
        labels={"Ann Lee": ANN_CONVERSATION},
    )
    assert told.cells[0].speaker_before.text == "Ann Lee"
    assert told.cells[0].speaker_after.text == "[PERSON_NAME_1]"
    assert told.entities == (Entity(1, "PERSON_NAME", "[PERSON_NAME_1]", 3),)


@pytest.mark.parametrize(
    ("turn", "part", "name"),
    [(3, None, "3"), (3, "tool_calls.0.arguments.to", "3 tool_calls.0.arguments.to"), (-1, "title", "title")],
)
def test_cells_are_called_by_turn_and_part(turn: int, part: str | None, name: str) -> None:
    assert place_name(turn, part) == name


SIGHTS = (
    Sight("rules", "EMAIL_ADDRESS", "VERY_LIKELY", 3, 9, ("pattern 1 of 2, LIKELY", 'hotword "mail"')),
    Sight("model", "URL", "POSSIBLE", 5, 9),
)
MENTIONS = (
    ExplainedMention("turn 0 and 3 more", None, None, "a@b.se", "", "speaker label", (), "the first mention"),
    ExplainedMention(
        "turn 1", 3, 9, "a@b\n\x1b", "VERY_LIKELY", "rules", SIGHTS, "the same value, as in turn 0"
    ),
)


def explained(score: int | None = 3) -> Explanation:
    residuals = (
        ExplainedResidual("turn 2", "Ann", "PERSON_NAME", True, False, "PERSON_NAME", 3),
        ExplainedResidual("turn 4", "Ann", "PERSON_NAME", True, True, "PERSON_NAME", 0),
        ExplainedResidual("turn 5", "7", "NUMERIC", False, False, None, 0),
    )
    entity = ExplainedEntity(1, "EMAIL_ADDRESS", "[EMAIL_ADDRESS_1]", MENTIONS)
    return Explanation("c1", "sales", (entity,), score, "model", residuals if score is not None else ())


def test_each_span_number_and_point_has_a_reason() -> None:
    assert list(lines(explained())) == [
        "c1 · sales",
        "",
        "What was replaced",
        "",
        "[EMAIL_ADDRESS_1]  EMAIL_ADDRESS, 2 mentions",
        '  turn 0 and 3 more  "a@b.se"  by speaker label',
        "      its number: the first mention",
        '  turn 1, 3-9  "a@b\\n\\u001b"  by rules, VERY_LIKELY',
        '      rules saw EMAIL_ADDRESS, VERY_LIKELY: pattern 1 of 2, LIKELY; hotword "mail"',
        "      model saw URL, POSSIBLE, 5-9",
        "      its number: the same value, as in turn 0",
        "",
        "What is left: risk 3, by model",
        '  turn 2  "Ann"  PERSON_NAME partial, PERSON_NAME: 3 points',
        '  turn 4  "Ann"  PERSON_NAME partial of a speaker, PERSON_NAME: no points, counted with another',
        '  turn 5  "7"  NUMERIC, not scored: no points',
    ]


def test_nothing_is_reported_as_nothing() -> None:
    told = Explanation("c1", "", (), None, None, ())
    assert list(lines(told)) == ["c1", "", "Nothing was replaced", "", "What is left: nobody looked"]
