import re

import pytest

from tacenda.transforms.replacing.surrogates.times import ShiftedTimes
from tests.marked_conversations import context


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
