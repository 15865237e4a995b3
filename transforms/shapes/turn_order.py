"""The order of turns in a conversation: by index or time, in any of the common formats."""

import math
import re
from contextlib import suppress
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.declared import refuse
from tacenda.transforms.storage.json_values import NUMBERS

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
MICROSECOND = timedelta(microseconds=1)
LARGEST = 2**63

_CLOCK = r"[0-9]{1,3}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?"
_COMPACT = r"[0-9]{8}[Tt][0-9]{6}(?:[.,][0-9]{1,9})?"
_ZONE = r"(?: ?(?:[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?))?"
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_NUMBER = r"[+-]?(?:[01]?[0-9]{1,7}|1[0-9]{9}|1[0-9]{12}|1[0-9]{15}|1[0-9]{18})(?:[.,][0-9]{0,9})?"

WRITTEN_TIME = rf" *(?:{_DATE}(?:[Tt ]{_CLOCK}{_ZONE})?|{_COMPACT}{_ZONE}|{_CLOCK}{_ZONE}|{_NUMBER}|) *"
"""RE2 pattern of a text that is only a time: an ISO 8601 date, date and time or clock time, or a number as
for :func:`is_time_number`. Times are written unchanged, so no other text may pass."""

_WRITTEN_TIME = re.compile(WRITTEN_TIME)

_MOST_COUNTED = 20_000_000
"""Limit for counts of turns, seconds or milliseconds (five hours); eight-digit telephone numbers are above."""

_EPOCHS = tuple((10**digits, 2 * 10**digits) for digits in (9, 12, 15, 18))
"""From September 2001 to May 2033 in seconds, milli-, micro- and nanoseconds since 1970. No card number, and
hardly a telephone number, has that many digits and begins with 1."""


def index_order(value: Any) -> tuple[float, int]:
    """Return the sorting key of a turn index: an integer, possibly as text or float."""
    if type(value) is str and value.isascii() and value.isdigit():
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    refuse(type(value) is not int, "WrongType")
    refuse(not is_time_number(value), "NoTurnIndex")
    return _key(value)


def time_order(value: Any) -> tuple[float, int]:
    """Return the sorting key of a time: a number, an ISO 8601 date and time or clock time, a timestamp.

    Times without a zone are taken as UTC.
    """
    given = value
    if type(value) is str:
        value = _read(value)
    if isinstance(value, time):
        value = datetime.combine(EPOCH, value, EPOCH.tzinfo)
    elif isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    if isinstance(value, datetime):
        value = (value if value.tzinfo is not None else value.replace(tzinfo=timezone.utc)) - EPOCH
    if isinstance(value, timedelta):
        value = value // MICROSECOND
    refuse(type(value) not in NUMBERS, "WrongType")
    key = _key(value)
    refuse(not is_time(given), "NoTime")
    return key


def is_time(value: Any) -> bool:
    """Whether a value is only a time in figures, or empty.

    >>> is_time("2025-01-01T00:00:00Z"), is_time(12.5), is_time("when Anna called"), is_time(46701234567)
    (True, True, False, False)
    """
    if type(value) is str:
        return bool(_WRITTEN_TIME.fullmatch(value))
    if type(value) in NUMBERS:
        return is_time_number(value)
    return value is None or isinstance(value, (bool, date, time, timedelta))


def is_time_number(value: int | float) -> bool:
    """Whether a number can be a count (of turns, seconds, milliseconds) or a time since 1970.

    Any other number in such a field may be a telephone, account or card number.

    >>> is_time_number(12.5), is_time_number(1700000000), is_time_number(4111111111111111)
    (True, True, False)
    """
    return abs(value) < _MOST_COUNTED or any(first <= value < last for first, last in _EPOCHS)


def _read(text: str) -> float | datetime | time:
    text = text.strip()
    # Python 3.10 does not read the Z of ISO 8601.
    zoned = text[:-1] + "+00:00" if text.endswith(("Z", "z")) else text
    for read, written in ((float, text), (datetime.fromisoformat, zoned), (time.fromisoformat, text)):
        with suppress(ValueError):
            return read(written)
    raise RecordError("WrongType")


def _key(value: int | float) -> tuple[float, int]:
    refuse(not math.isfinite(value) or abs(value) >= LARGEST, "WrongType")
    return float(value), int(value)
