import pytest

from tacenda.transforms.detecting.fitting.numbers import date_around, whole_number
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _whole(text: str, digits: str) -> str | None:
    start = text.index(digits)
    fitted = whole_number(text, Finding(start, start + len(digits), "NUMERIC", Likelihood.POSSIBLE, "rules"))
    return None if fitted is None else text[fitted.start : fitted.end]


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("it was $129.99 in all", "129"),
        ("about $2,822.18 a month", "822"),
        ("they want 1 299 kr for it", "299"),
        ("pay 250 euros", "250"),
        ("charged 461 99 dollars twice", "461"),
        ("EUR 1.250,00", "250"),
        ("grew by 120 %", "120"),
        ("on 25/06/1984", "1984"),
        ("from 2019-2023 there", "2019"),
        ("at 2024-03-18T09:30", "2024"),
        ("[2017-06-09 20:10:45,123]", "123"),
        ("on 18.03.2024.", "2024"),
        ("May 4th, 2023", "2023"),
        ("19 de mayo de 2001", "2001"),
        ("the 8th of December 2023", "2023"),
        ("12-Mar-2019", "2019"),
        ("took 250ms", "250"),
        ("a 640x480 picture", "640"),
        ("rises to 281.6 units", "281"),
    ],
)
def test_a_price_a_date_or_a_measure_is_left_whole(text: str, digits: str) -> None:
    assert _whole(text, digits) is None


@pytest.mark.parametrize(
    ("text", "digits", "whole"),
    [
        ("B. 231 C.", "231", "231"),
        ("id 06fe1234e17c here", "1234", "06fe1234e17c"),
        ("call 555-0134", "0134", "555-0134"),
        ("ref ABC-1234", "1234", "ABC-1234"),
        ("no 12,345,678 is", "345", "12,345,678"),
        ("host 10.1.200.3", "200", "10.1.200.3"),
        ("route-101 north", "101", "101"),
        ("[1,0,181,32]", "181", "181"),
        ("the code is 2024", "2024", "2024"),
        ("card 4111 2019-2023", "2019", "2019-2023"),
        ("番号は1234です", "1234", "1234"),
    ],
)
def test_a_number_or_code_is_found_whole(text: str, digits: str, whole: str) -> None:
    assert _whole(text, digits) == whole


@pytest.mark.parametrize(
    ("text", "digits", "date"),
    [
        ("born 2024-03-18T09:30", "2024", "2024-03-18T09:30"),
        ("on 2024-03-18T09:30, born", "30", "2024-03-18T09:30"),
        ("born 25/06/1984.", "1984", "25/06/1984"),
        ("born in 1984.", "1984", None),
        ("aged 30-35", "30", None),
        ("born 25/06/1984.", "25/06/1984", None),
    ],
)
def test_digits_of_a_written_date(text: str, digits: str, date: str | None) -> None:
    start = text.index(digits)
    found = Finding(start, start + len(digits), "DATE_OF_BIRTH", Likelihood.LIKELY, "rules")
    limits = date_around(text, found)
    assert (limits and text[slice(*limits)]) == date
