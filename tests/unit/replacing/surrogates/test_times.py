import re

import pytest

from tacenda.transforms.replacing.surrogates.context import SurrogateSettings
from tacenda.transforms.replacing.surrogates.times import ShiftedAges, ShiftedTimes
from tests.marked_conversations import context, values


def _years(text: str) -> int:
    return int("".join(filter(str.isdigit, text)))


@pytest.mark.parametrize("conversation", [f"call {n}" for n in range(20)])
def test_an_age_is_two_or_three_years_off(conversation: str) -> None:
    moved = ShiftedAges(context(conversation_id=conversation)).value("40 år")
    assert moved is not None
    assert abs(_years(moved) - 40) in (2, 3)
    assert moved.endswith(" år")


def test_ages_keep_their_distance() -> None:
    old, young = values("He is <AGE:81>, she is <AGE:79 years old>.")
    assert _years(old) - _years(young) == 2


@pytest.mark.parametrize("conversation", [f"call {n}" for n in range(20)])
def test_no_age_is_negative(conversation: str) -> None:
    moved = ShiftedAges(context(conversation_id=conversation)).value("1")
    assert moved in ("3", "4")


def test_what_is_said_in_words_stays_in_words() -> None:
    moved = ShiftedAges(context()).value("fifty eight years old")
    assert moved in {f"{n} years old" for n in ("fifty five", "fifty six", "sixty", "sixty one")}
    assert ShiftedAges(context()).value("Thirty-nine") in {
        "Thirty-six",
        "Thirty-seven",
        "Forty-one",
        "Forty-two",
    }


def test_a_decade_moves_by_ten() -> None:
    assert ShiftedAges(context()).value("70-årene") in ("60-årene", "80-årene")


def test_surrogate_ages_are_not_original_ages() -> None:
    # All four of 2 and 3 more or less are taken.
    taken = context(mentions={"AGE": ["40", "42", "43", "38", "37"]})
    assert ShiftedAges(taken).value("40") is None


def test_ages_over_the_limit_are_replaced_by_one() -> None:
    ages = ShiftedAges(context(settings=SurrogateSettings(oldest_age=89)))
    assert ages.value("97 years") == "90 years"
    assert ages.value("104") == "90"


@pytest.mark.parametrize("oldest", [None, 89])
@pytest.mark.parametrize("conversation", [f"call {n}" for n in range(20)])
def test_nobody_becomes_older_than_89_by_a_shift(conversation: str, oldest: int | None) -> None:
    settings = SurrogateSettings(oldest_age=oldest)
    ages = ShiftedAges(context(conversation_id=conversation, settings=settings))
    assert ages.value("87 years") in ("84 years", "85 years", "89 years")
    assert ages.value("89") in ("86", "87")
    assert ages.value("eighty nine") in ("eighty six", "eighty seven")
    assert ages.value("80-årene") == "70-årene"


@pytest.mark.parametrize("conversation", [f"call {n}" for n in range(20)])
def test_nor_younger_than_90(conversation: str) -> None:
    assert ShiftedAges(context(conversation_id=conversation)).value("91") in ("93", "94")


def test_text_without_an_age_has_no_surrogate() -> None:
    assert ShiftedAges(context()).value("elderly") is None


@pytest.mark.parametrize(
    ("text", "form"),
    [("9:30 am", r"\d\d?:30 am"), ("14:05", r"\d\d:05"), ("3 pm", r"\d\d? pm"), ("09.15", r"\d\d\.15")],
)
def test_minutes_and_form_stay(text: str, form: str) -> None:
    moved = ShiftedTimes(context()).value(text)
    assert moved is not None
    assert moved != text
    assert re.fullmatch(form, moved)


def test_an_hour_that_is_said_stays_said() -> None:
    moved = ShiftedTimes(context()).value("Three in the afternoon")
    assert moved is not None
    assert moved.endswith(" in the afternoon")
    assert not moved.startswith("Three")


def test_times_keep_their_distance() -> None:
    times = ShiftedTimes(context())
    first, second = times.value("13:10"), times.value("15:20")
    assert first is not None
    assert second is not None
    assert int(second[:2]) - int(first[:2]) == 2


def test_what_is_not_understood_has_none() -> None:
    assert ShiftedTimes(context()).value("noon") is None
