from collections.abc import Callable

import pytest

from tacenda.transforms.previewing.conversation import Entity, Previewed, place_name

ANN, BO = (1, "[PERSON_NAME_1]"), (2, "")


def test_pieces_say_what_was_replaced_by_what(talk: Callable[..., Previewed]) -> None:
    told = talk(("Pam", "Ann, ask Bo.", {"Ann": ANN, "Bo": BO}), (None, "", {}))
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
    told = talk(("Ann Lee", "Hi", {}), ("Ann Lee", "Ann here", {"Ann": ANN}), labels={"Ann Lee": ANN})
    assert told.cells[0].speaker_before.text == "Ann Lee"
    assert told.cells[0].speaker_after.text == "[PERSON_NAME_1]"
    assert told.entities == (Entity(1, "PERSON_NAME", "[PERSON_NAME_1]", 3),)


@pytest.mark.parametrize(
    ("turn", "part", "name"),
    [(3, None, "3"), (3, "tool_calls.0.arguments.to", "3 tool_calls.0.arguments.to"), (-1, "title", "title")],
)
def test_cells_are_called_by_turn_and_part(turn: int, part: str | None, name: str) -> None:
    assert place_name(turn, part) == name
