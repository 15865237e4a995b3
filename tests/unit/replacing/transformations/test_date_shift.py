from collections import Counter
from datetime import date
from typing import Any

import pytest

from tacenda.transforms.replacing.transformations.transformation import DateShift
from tacenda.transforms.schema.errors import RecordError


def test_a_conversation_moves_as_a_whole(said: Any, key: Any) -> None:
    shift = DateShift(-30, 30, key)
    dates = [
        date.fromisoformat(said(shift, text, "c7")) for text in ("2024-01-01", "2024-01-15", "2025-01-01")
    ]
    assert [(day - dates[0]).days for day in dates] == [0, 14, 366]


def test_the_bounds_are_included_and_nothing_beyond(key: Any) -> None:
    drawn = Counter(DateShift(-2, 3, key).days(key.read(), f"c{i}") for i in range(600))
    assert {*drawn} == {-2, -1, 0, 1, 2, 3}
    assert min(drawn.values()) > 60
    assert DateShift(5, 5, key).days(key.read(), "c1") == 5


def test_another_key_gives_other_shifts(said: Any, key: Any, other_key: Any) -> None:
    far = [DateShift(-9999, 9999, one) for one in (key, other_key)]
    assert said(far[0], "2024-01-01") != said(far[1], "2024-01-01")


def test_what_is_no_date_is_an_error(said: Any, key: Any) -> None:
    with pytest.raises(RecordError, match="NotADate"):
        said(DateShift(-5, 5, key), "10.1.2.3")
