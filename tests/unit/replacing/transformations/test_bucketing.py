from datetime import date, time
from typing import Any

import pytest

from tacenda.transforms.replacing.transformations.transformation import Bucket, Bucketing, FixedSizeBucketing
from tacenda.transforms.schema.errors import RecordError

AGES = FixedSizeBucketing(10, 89, 10)
LEVELS = Bucketing((Bucket(1.0, 31.0, "LOW"), Bucket(31.0, 66.0, "MEDIUM"), Bucket(66.0, None, "HIGH")))


@pytest.mark.parametrize(
    ("text", "bucket"),
    [
        # The buckets of Google's reference: -10, 10-20, …, 80-89, 89+.
        ("9", "-10"),
        ("10", "10-20"),
        ("19.99", "10-20"),
        ("20", "20-30"),
        ("35 years", "30-40"),
        ("80", "80-89"),
        ("89", "80-89"),
        ("90", "89+"),
        ("-3", "-10"),
        ("1,200", "89+"),
    ],
)
def test_ranges_of_one_size(said: Any, text: str, bucket: str) -> None:
    assert said(AGES, text) == bucket


def test_sizes_of_two_decimals(said: Any) -> None:
    assert said(FixedSizeBucketing(0, 1, 0.1), "0.3") == "0.3-0.4"
    assert said(FixedSizeBucketing(0, 1, 0.25), "0.99") == "0.75-1"


@pytest.mark.parametrize("text", ["thirty", "3 of 5", "", "10.1.2.3", "a1b2"])
def test_what_is_no_one_number_is_an_error(said: Any, text: str) -> None:
    with pytest.raises(RecordError, match="NotANumber"):
        said(AGES, text)


@pytest.mark.parametrize(
    ("text", "bucket"), [("1", "LOW"), ("30.9", "LOW"), ("31", "MEDIUM"), ("1000", "HIGH")]
)
def test_custom_ranges(said: Any, text: str, bucket: str) -> None:
    assert said(LEVELS, text) == bucket


def test_what_lies_in_no_range_is_an_error(said: Any) -> None:
    for text in ("0", "nothing"):
        with pytest.raises(RecordError, match="InNoBucket"):
            said(LEVELS, text)


def test_dates_times_and_texts_have_ranges_too(said: Any) -> None:
    decades = Bucketing((Bucket(date(1980, 1, 1), date(1990, 1, 1), "the eighties"),))
    assert said(decades, "25 June 1984") == "the eighties"
    for text in ("25 June 1994", "25 June", "June"):
        with pytest.raises(RecordError, match="InNoBucket"):
            said(decades, text)
    assert said(Bucketing((Bucket(time(6), time(12), "morning"),)), "9:30") == "morning"
    assert (
        said(Bucketing((Bucket("a", "n", "first half"), Bucket(None, None, "other"))), "kim") == "first half"
    )
    assert said(Bucketing((Bucket("a", "n", "first half"), Bucket(None, None, "other"))), "zoe") == "other"
