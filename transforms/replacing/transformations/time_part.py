"""``time_part_config``: keep only the year, month, day or hour of a date or time."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.text.written_date import WrittenDate

PARTS: Mapping[str, Callable[[WrittenDate], int | None]] = {
    "YEAR": lambda written: written.day.year if written.has_year else None,
    "MONTH": lambda written: written.day.month,
    "DAY_OF_MONTH": lambda written: written.day.day if written.has_day else None,
    "DAY_OF_WEEK": lambda written: written.day.isoweekday() if written.has_year and written.has_day else None,
    "WEEK_OF_YEAR": lambda written: (
        written.day.isocalendar().week if written.has_year and written.has_day else None
    ),
    "HOUR_OF_DAY": lambda written: written.hour,
}
"""``TimePart``; weeks and weekdays as in ISO 8601, Monday first."""

_YEAR = re.compile(r"\D*(1[5-9]\d\d|20\d\d)\D*")
"""A text with a year and no other number: "1998", "the summer of 2017", "May 2011"."""


@dataclass(frozen=True, slots=True)
class TimePart:
    """The part that is kept."""

    part: str

    def build(self) -> Transform:
        """The function; it raises ``RecordError`` for text without that part."""
        read = PARTS[self.part]

        def extracted(mention: Mention) -> str:
            year = _YEAR.fullmatch(mention.text) if self.part == "YEAR" else None
            if year is not None:
                return year[1]
            part = read(WrittenDate.read(mention.text))
            if part is None:
                raise RecordError("NoSuchTimePart")
            return str(part)

        return extracted

    def keys(self) -> tuple[Key, ...]:
        """There are none."""
        return ()

    def telling(self) -> Telling:
        """Description for manifest and report."""
        part = self.part.lower().replace("_", " ")
        return Telling(f"only the {part} of a date", f"the {part} of dates stays readable")
