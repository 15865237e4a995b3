import re

import pytest

from tacenda.transforms.detecting.rules.bare_numbers import bare_number, no_amount


def _bare(text: str) -> list[str]:
    found = (bare_number(text, *run.span()) for run in re.finditer(r"\d{3,}", text))
    return [text[slice(*place)] for place in found if place is not None]


@pytest.mark.parametrize("text", ["it was 4471 then", "4471", "#4471", "on line 4471.", "(4471)"])
def test_bare_digits(text: str) -> None:
    assert _bare(text) == ["4471"]


@pytest.mark.parametrize(
    "text",
    [
        "a salary of 22 000", "22 000 kr", "1 250 000 of them", "35,000 seats", "3.500 Euro", "€390", "USD 390",
        "390 dollars", "45% or 390 %", "390 kg", "390 people", "since 2009 they play", "2014-03-01",
        "01/03/2014", "1998-2004", "0.475 of it", "S100", "vx1000", "a1b2c345",
    ],
)  # fmt: skip
def test_amounts_measures_dates_and_codes_are_none(text: str) -> None:
    assert _bare(text) == []


def test_a_number_is_taken_whole() -> None:
    assert _bare("file 121-02 here") == ["121-02"]
    assert _bare("1998") == ["1998"]


def test_an_answer_may_be_an_amount() -> None:
    assert no_amount("22 000", 0, 6) is None
    assert no_amount("4471 0932", 0, 9) == (0, 9)
