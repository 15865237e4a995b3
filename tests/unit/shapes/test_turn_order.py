from datetime import date, datetime, time, timedelta, timezone

import pyarrow as pa
import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.turn_order import index_order, is_time, time_numbers, time_order


@pytest.mark.parametrize(
    ("value", "order"), [(3, 3), (0, 0), (-1, -1), (2.0, 2), ("12", 12), (1700000000000000001,) * 2]
)
def test_an_index_is_a_whole_number(value, order):
    assert index_order(value) == (float(order), order)


@pytest.mark.parametrize("value", [1.5, "1.5", "a", "²", True, None, [], float("nan")])
def test_other_values_are_not_an_index(value):
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
def test_other_values_are_not_a_time(value):
    with pytest.raises(RecordError, match="WrongType"):
        time_order(value)


NUMBERS_OF_PEOPLE = [46701234567, 22334455, 2125551234, 919812345678, 4111111111111111, 5500000000000004]


@pytest.mark.parametrize("number", [*NUMBERS_OF_PEOPLE, 2**63, -46701234567])
def test_a_number_that_may_be_of_a_telephone_or_a_card_is_neither_time_nor_index(number):
    with pytest.raises(RecordError, match="NoTurnIndex"):
        index_order(number)
    with pytest.raises(RecordError, match="NoTurnIndex"):
        index_order(float(number))
    for value in (number, float(number), str(number)):
        assert not is_time(value)
        with pytest.raises(RecordError, match=r"NoTime|WrongType"):
            time_order(value)


@pytest.mark.parametrize(
    "text", ["+46 70 123 45 67", "070-123 45 67", "811218-9876", "4111 1111 1111 1111", "1Z9"]
)
def test_a_text_of_digits_is_not_a_time(text):
    assert not is_time(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "2025-01-01", "2025-01-01T10:00:00.123456Z", "2025-01-01 10:00:00 +0200", "20250101T100000Z",
        "00:01:02.250", "1:02", "10:00+02", "12.5", "0", "1700000000", "1700000000.123", "1700000000000",
    ],
)  # fmt: skip
def test_times_as_they_are_written(text):
    assert is_time(text)


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64()])
def test_a_column_keeps_the_numbers_that_are_times(kind):
    times = [0, -5, 12, 19_999_999, 1700000000, 1700000000000, None]
    column = time_numbers(pa.array([*times, *NUMBERS_OF_PEOPLE], kind))
    assert column.type == kind
    assert column.to_pylist() == [*times, *[None] * len(NUMBERS_OF_PEOPLE)]
