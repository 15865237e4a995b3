from datetime import date, datetime, time, timedelta, timezone

import pytest

from transforms.schema.errors import RecordError
from transforms.shapes.turn_order import index_order, time_order


@pytest.mark.parametrize(
    ("value", "order"), [(3, 3), (0, 0), (-1, -1), (2.0, 2), ("12", 12), (2**62 + 1, 2**62 + 1)]
)
def test_an_index_is_a_whole_number(value, order):
    assert index_order(value) == (float(order), order)


@pytest.mark.parametrize("value", [1.5, "1.5", "a", "²", True, None, [], float("nan"), 2**63])
def test_nothing_else_is_an_index(value):
    with pytest.raises(RecordError, match="WrongType"):
        index_order(value)


@pytest.mark.parametrize(
    "rising",
    [
        [0, 0.5, 1, "1.5", 2],
        [1700000000000000001, 1700000000000000002],
        ["2025-01-01T00:00:00Z", "2025-01-01T01:00:00+00:00", "2025-01-01T01:30:00", "2025-01-01T02:00:00.5"],
        ["2025-01-01T05:00:00+04:00", "2025-01-01T02:00:00+00:00"],
        ["00:00:01", "00:00:01.250", "00:01:00", "01:00:00"],
        [date(2025, 1, 1), datetime(2025, 1, 1, 1), datetime(2025, 1, 1, 2, tzinfo=timezone.utc)],
        [time(1), time(1, 0, 1)],
        [timedelta(0), timedelta(microseconds=1)],
    ],
)
def test_times_sort_as_they_run(rising):
    keys = [time_order(value) for value in rising]
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("value", ["noon", "", True, None, {}, float("inf"), "nan", 1e300])
def test_nothing_else_is_a_time(value):
    with pytest.raises(RecordError, match="WrongType"):
        time_order(value)
