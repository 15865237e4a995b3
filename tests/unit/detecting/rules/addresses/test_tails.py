"""What follows a street and its number, up to the end of the address."""

import pytest

from tacenda.transforms.detecting.rules.addresses.tails import closing_names, tail, town_after


@pytest.mark.parametrize(
    ("core", "follows", "rest"),
    [
        ("12 Oak Street", ", apt 4", " and call me"),
        ("12 Oak Street", ", Suite 200, Dallas, TX 75201", ", thanks"),
        ("Vesterbrogade 12", ", 2. tv, 1620 København V", " i dag"),
        ("Storgatan 5", " lgh 1102", ""),
        ("Calle Mayor 3", "", " y luego"),
        ("12 Oak Street", "", " is closed"),
    ],
)
def test_a_tail_ends_where_the_address_ends(core: str, follows: str, rest: str) -> None:
    text = core + follows + rest
    assert text[len(core) : tail(text, len(core))] == follows


@pytest.mark.parametrize(("text", "town"), [("28001 Madrid y", " Madrid"), ("28001 the town", "")])
def test_a_town_after_a_code_is_capitalised(text: str, town: str) -> None:
    assert text[5 : town_after(text, 5)] == town


@pytest.mark.parametrize(
    ("text", "name"), [("12 fourth street namakkal", " namakkal"), ("12 fourth street please", "")]
)
def test_a_town_closes_a_text_in_lower_case(text: str, name: str) -> None:
    end = len("12 fourth street")
    assert text[end : closing_names(text, end)] == name
