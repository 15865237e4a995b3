import pytest

from tests.unit.linking.propagation.conftest import Said

PHONE = {"415-555-0199": "PHONE_NUMBER"}


def test_a_number_in_other_groups(said_again: Said) -> None:
    texts = ["call 415-555-0199", "4155550199, (415) 555.0199 or 4 1 5 5 5 5 0 1 9 9"]
    assert said_again(*texts, found=PHONE)[1] == ["4155550199", "415) 555.0199", "4 1 5 5 5 5 0 1 9 9"]


def test_the_last_digits(said_again: Said) -> None:
    assert said_again("415-555-0199", "ending in 0199", found=PHONE)[1] == ["0199"]


@pytest.mark.parametrize(
    "text",
    [
        "555 people",
        "415 now",
        "19",
        "in 2024",
        "$0199",
        "0199 dollars",
        "0199.50",
        "0198",
        "9910555514",
        "555 and 415",
    ],
)
def test_other_numbers_are_not_mentions(said_again: Said, text: str) -> None:
    found = {**PHONE, "1231112024": "MEDICAL_RECORD_NUMBER"}
    assert said_again("415-555-0199, 1231112024", text, found=found)[1] == []


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("20240199556", "on 2024-01-02"),
        ("20240199556", "01-99 it was on 2024-01-02, not 2024/01/19"),
        ("4155062024", "born 15.06.2024 in town"),
        ("4155062024", "4155 it is, 06 people, in 2024"),
        ("5550122024", "555 and 0122, since 2024"),
    ],
)
def test_dates_and_years_are_no_pieces_of_a_number(said_again: Said, number: str, text: str) -> None:
    assert not {"2024", "01", "2024-01", "06.2024", "15.06.2024"} & {
        piece for cell in said_again(number, text, found={number: "GENERIC_ID"})[1:] for piece in cell
    }


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("did you say 231?", ["231"]),
        ("231, yes", ["231"]),
        ("so 231", ["231"]),
        ("that makes 231 boxes", []),
        ("231 euros", []),
        ("a 231-page report", []),
        ("$231", []),
        ("231 %", []),
        ("23, 1", []),
    ],
)
def test_a_short_number_is_a_mention_unless_it_counts_something(
    said_again: Said, text: str, mentions: list[str]
) -> None:
    assert said_again("the code is 231.", text, found={"231": "US_SOCIAL_SECURITY_NUMBER"})[1] == mentions
