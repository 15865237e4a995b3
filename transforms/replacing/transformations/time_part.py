"""``time_part_config``: of a date or time only its year, month, day or hour."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Mention, Telling, Transform
from tacenda.transforms.replacing.written_date import WrittenDate
from tacenda.transforms.schema.errors import RecordError

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
"""``TimePart``; weeks and their days as ISO 8601 counts them, Monday the first."""


@dataclass(frozen=True, slots=True)
class TimePart:
    """Which part is left."""

    part: str

    def build(self) -> Transform:
        """The function; it raises ``RecordError`` for what does not say the part."""
        read = PARTS[self.part]

        def extracted(mention: Mention) -> str:
            part = read(WrittenDate.read(mention.text))
            if part is None:
                raise RecordError("NoSuchTimePart")
            return str(part)

        return extracted

    def keys(self) -> tuple[Key, ...]:
        """None."""
        return ()

    def telling(self) -> Telling:
        """What it means."""
        part = self.part.lower().replace("_", " ")
        return Telling(f"only the {part} of a date", f"the {part} of dates stays readable")
