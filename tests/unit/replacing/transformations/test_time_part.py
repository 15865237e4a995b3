from typing import Any

import pytest

from tacenda.transforms.replacing.transformations.transformation import TimePart
from tacenda.transforms.schema.errors import RecordError


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("YEAR", "2024"),
        ("MONTH", "3"),
        ("DAY_OF_MONTH", "4"),
        ("DAY_OF_WEEK", "1"),
        ("WEEK_OF_YEAR", "10"),
        ("HOUR_OF_DAY", "17"),
    ],
)
def test_only_the_part_is_left(said: Any, part: str, value: str) -> None:
    assert said(TimePart(part), "4 March 2024, 5:15 pm") == value


@pytest.mark.parametrize(
    ("text", "year"),
    [("1998", "1998"), ("summer of 2017", "2017"), ("vuonna 1997", "1997"), ("5/6/98", "1998")],
)
def test_a_year_alone_is_the_year(said: Any, text: str, year: str) -> None:
    assert said(TimePart("YEAR"), text) == year


@pytest.mark.parametrize(
    ("part", "text"), [("YEAR", "4 March"), ("HOUR_OF_DAY", "4 March 2024"), ("DAY_OF_WEEK", "March 2024")]
)
def test_a_part_that_is_not_said_is_an_error(said: Any, part: str, text: str) -> None:
    with pytest.raises(RecordError, match="NoSuchTimePart"):
        said(TimePart(part), text)
