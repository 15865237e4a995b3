"""``bucketing_config`` and ``fixed_size_bucketing_config``: replace a number or date by a range."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import NamedTuple

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.text.written_date import WrittenDate

Bound = float | date | time | str
"""A bound for comparison; values are parsed as the type of their bound."""

_NUMBER = re.compile(r"(?<![\d.,])[-+]?(?:\d{1,3}(?:[ ,]\d{3})+|\d+)(?:\.\d+)?(?![\d]|[.,]\d)")


class Bucket(NamedTuple):
    """A range from ``least`` to below ``most``; None is unbounded."""

    least: Bound | None
    most: Bound | None
    value: str


@dataclass(frozen=True, slots=True)
class Bucketing:
    """The buckets, in order; a value outside of them cannot be replaced."""

    buckets: tuple[Bucket, ...]

    def build(self) -> Transform:
        """The function; it raises ``RecordError`` for a value in no bucket."""

        def bucket_of(mention: Mention) -> str:
            for bucket in self.buckets:
                if _within(mention.text, bucket):
                    return bucket.value
            raise RecordError("InNoBucket")

        return bucket_of

    def keys(self) -> tuple[Key, ...]:
        """There are none."""
        return ()

    def telling(self) -> Telling:
        """Description for manifest and report."""
        return Telling(f"one of {len(self.buckets)} ranges", "the range of values stays readable")


@dataclass(frozen=True, slots=True)
class FixedSizeBucketing:
    """Ranges of one size between two bounds, plus one below and one above."""

    lower: float
    upper: float
    size: float

    def build(self) -> Transform:
        """The function; it raises ``RecordError`` for text that is not a number."""
        return lambda mention: self._bucket(_number(mention.text))

    def keys(self) -> tuple[Key, ...]:
        """There are none."""
        return ()

    def telling(self) -> Telling:
        """Description for manifest and report."""
        what = f"ranges of {self.size:g} from {self.lower:g} to {self.upper:g}"
        return Telling(what, "the range of values stays readable")

    def _bucket(self, number: float) -> str:
        if number < self.lower:
            return f"-{_written(self.lower)}"
        if number > self.upper or (number == self.upper and self.upper == self.lower):
            return f"{_written(self.upper)}+"
        # In integer hundredths, the precision of sizes: 0.1 has no exact binary form.
        low, high, size = (round(100 * value) for value in (self.lower, self.upper, self.size))
        last = max(0, -(-(high - low) // size) - 1)
        place = min(int((100 * number - low) // size), last)
        start = low + place * size
        return f"{_written(start / 100)}-{_written(min(start + size, high) / 100)}"


def _within(text: str, bucket: Bucket) -> bool:
    like = bucket.least if bucket.least is not None else bucket.most
    if like is None:
        return True
    try:
        value = _read(text, like)
    except RecordError:
        return False
    return (bucket.least is None or bucket.least <= value) and (  # type: ignore[operator]
        bucket.most is None or value < bucket.most  # type: ignore[operator]
    )


def _read(text: str, like: Bound) -> Bound:
    if isinstance(like, str):
        return text
    if isinstance(like, date):
        written = WrittenDate.read(text)
        if not written.has_year:
            raise RecordError("NotADate")
        return written.day
    if isinstance(like, time):
        found = re.fullmatch(r"\s*([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?\s*", text)
        if found is None:
            raise RecordError("NotATime")
        return time(int(found[1]), int(found[2]), int(found[3] or 0))
    return _number(text)


def _number(text: str) -> float:
    found: Sequence[re.Match[str]] = list(_NUMBER.finditer(text))
    if len(found) != 1 or sum(map(str.isdigit, text)) != sum(map(str.isdigit, found[0][0])):
        raise RecordError("NotANumber")
    return float(re.sub("[ ,]", "", found[0][0]))


def _written(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
