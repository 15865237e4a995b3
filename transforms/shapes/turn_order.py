"""Where a turn stands in its conversation: by its index or by a time, in any of the common spellings."""

import math
import re
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

from transforms.schema.errors import RecordError

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
MICROSECOND = timedelta(microseconds=1)
LARGEST = 2**63

WRITTEN_TIME = "[0-9:.,+TtZz -]{0,40}"
"""What a text that only says a time is made of; a time that is written as it was read must be so."""

_WRITTEN_TIME = re.compile(WRITTEN_TIME)


def index_order(value: Any) -> tuple[float, int]:
    """Return the sorting key of a turn index: a whole number, also one spelled as text or as a float.

    Raises:
        RecordError: ``WrongType``.
    """
    if type(value) is str and value.isascii() and value.isdigit():
        value = int(value)
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int:
        raise RecordError("WrongType")
    return _key(value)


def time_order(value: Any) -> tuple[float, int]:
    """Return the sorting key of a time: a number, an ISO 8601 date and time or clock time, a timestamp.

    A time without zone is taken as UTC.

    Raises:
        RecordError: ``WrongType``.
    """
    if type(value) is str:
        value = _read(value)
    if isinstance(value, datetime):
        zoned = value if value.tzinfo is not None else value.replace(tzinfo=timezone.utc)
        value = (zoned - EPOCH) // MICROSECOND
    elif isinstance(value, date):
        value = (datetime(value.year, value.month, value.day, tzinfo=timezone.utc) - EPOCH) // MICROSECOND
    elif isinstance(value, time):
        since = timedelta(
            hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond
        )
        value = since // MICROSECOND
    elif isinstance(value, timedelta):
        value = value // MICROSECOND
    if type(value) not in (int, float):
        raise RecordError("WrongType")
    return _key(value)


def is_time(value: Any) -> bool:
    """Say whether a value is nothing but a time, in figures, or nothing at all.

    >>> is_time("2025-01-01T00:00:00Z"), is_time(12.5), is_time("when Anna called")
    (True, True, False)
    """
    if type(value) is str:
        return bool(_WRITTEN_TIME.fullmatch(value))
    return value is None or isinstance(value, (int, float, date, time, timedelta))


def _read(text: str) -> float | datetime | time:
    for read in (float, _read_datetime, time.fromisoformat):
        try:
            return read(text.strip())
        except ValueError:
            continue
    raise RecordError("WrongType")


def _read_datetime(text: str) -> datetime:
    # Python 3.10 does not read the Z of ISO 8601.
    return datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith(("Z", "z")) else text)


def _key(value: int | float) -> tuple[float, int]:
    if not math.isfinite(value) or abs(value) >= LARGEST:
        raise RecordError("WrongType")
    return float(value), int(value)
