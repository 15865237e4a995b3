import pytest

from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.readable import breaks_a_value, without_marks_in_values


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("> call 555-867\n> 5309", "> call 555-867\n  5309"),
        ("> 070-\r\n>> 123", "> 070-\r\n   123"),
        ("> ann@\n> example.com", "> ann@\n  example.com"),
    ],
)
def test_marks_within_a_number_or_address_become_spaces(text: str, read: str) -> None:
    assert breaks_a_value(text)
    assert without_marks_in_values(text) == read
    assert TextColumn([text]).readable.texts == [read]


@pytest.mark.parametrize(
    "text", ["> at 5\n> or 6", "5 >\n> 6", "a\n>b", "> 5.\n> 6 more", "5\n\n> 6", "5\n6"]
)
def test_other_quoted_lines_are_read_as_they_are(text: str) -> None:
    assert not breaks_a_value(text)
    assert without_marks_in_values(text) == text
    column = TextColumn([text])
    assert column.readable is column


def test_turns_are_no_lines_of_one_number() -> None:
    column = TextColumn(["is it 5", "> 6"])
    assert column.readable.texts == ["is it 5", "> 6"]
