import pytest

from tacenda.transforms.detecting.names.truecasing import truecased
from tacenda.transforms.text.column import TextColumn


@pytest.mark.parametrize(
    ("text", "restored"),
    [
        ("hi this is pamela beesly from scranton", "hi this is Pamela Beesly from Scranton"),
        ("HI THIS IS PAMELA BEESLY", "hi this is Pamela Beesly"),
        ("we will go and date it", None),
        ("Hi this is pamela", None),
        ("12 34", None),
        ("", None),
    ],
)
def test_names_in_turns_of_one_case_get_a_capital(text: str, restored: str | None) -> None:
    told = truecased(TextColumn([text]))
    assert (told and told.column.texts) == (restored and [restored])


def test_only_conversations_with_a_changed_turn_are_read_again_whole() -> None:
    texts = ["Nothing here.", "my name is pamela", "Who?", "ok", "it is jennifer"]
    told = truecased(TextColumn(texts, [0, 1, 3, 4, 5]))
    assert told is not None
    assert told.column.texts == ["my name is Pamela", "Who?", "ok", "it is Jennifer"]
    assert (list(told.column.first_cell), told.cells, told.changed) == ([0, 2, 3, 4], [1, 2, 3, 4], [0, 3])
