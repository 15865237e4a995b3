import pytest

from tests.unit.linking.propagation.conftest import Said

PHONE = {"415-555-0199": "PHONE_NUMBER"}


def test_a_number_in_other_groups(said_again: Said) -> None:
    texts = ["call 415-555-0199", "4155550199, (415) 555.0199 or 4 1 5 5 5 5 0 1 9 9"]
    assert said_again(*texts, found=PHONE)[1] == ["4155550199", "415) 555.0199", "4 1 5 5 5 5 0 1 9 9"]


def test_pieces_across_interruptions(said_again: Said) -> None:
    texts = ["call 415-555-0199", "so 415", "mhm", "555", "and then?", "0199 right"]
    assert said_again(*texts, found=PHONE)[1:] == [["415"], [], ["555"], [], ["0199"]]


def test_pieces_in_one_turn(said_again: Said) -> None:
    assert said_again("415-555-0199", "it was 415 and then 555 and 0199", found=PHONE)[1] == [
        "415",
        "555",
        "0199",
    ]


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


def test_a_number_of_the_form_of_a_date_and_one_that_ends_in_a_year(said_again: Said) -> None:
    assert said_again("20240102", "20240102, or 2024-01-02", found={"20240102": "GENERIC_ID"})[1] == [
        "20240102",
        "2024-01-02",
    ]
    assert said_again(
        "call 415-555-2015", "415", "yes", "555", "yes", "2015", found={"415-555-2015": "PHONE_NUMBER"}
    )[1:] == [["415"], [], ["555"], [], ["2015"]]


def test_digits_far_apart_are_not_a_number(said_again: Said) -> None:
    texts = ["415-555-0199", "room 415", *["yes"] * 6, "row 555"]
    assert not any(said_again(*texts, found=PHONE)[1:])


def test_a_short_number_is_found_whole(said_again: Said) -> None:
    assert said_again("the PIN is 4471", "did you say 4471? or 447", found={"4471": "GENERIC_ID"})[1] == [
        "4471"
    ]


def test_a_partly_found_number_is_extended(said_again: Said) -> None:
    texts = ["415-555-0199", "415 then 5550199"]
    found = {**PHONE, "5550199": "PHONE_NUMBER"}
    assert said_again(*texts, found=found)[1] == ["415"]
