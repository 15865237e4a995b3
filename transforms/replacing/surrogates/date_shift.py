"""One offset for all dates of a conversation, and for its ages: intervals stay what they were."""

from collections.abc import Callable
from datetime import date, timedelta

from tacenda.transforms.generating.draw import Draw

LEAST_DAYS, MOST_DAYS = 366, 1095
"""Back in time by more than a year, so that a year by itself changes too, and by up to three."""

_CANDIDATES = 24
PRESENT = 2024
"""The year of a date that names none, a leap year."""


def shifted(day: date, days: int) -> date:
    """A day so many days later; the calendar's ends stop it."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return day


def offset_in_days(draw: Draw, collisions: Callable[[int], int]) -> int:
    """The offset of a conversation: of some drawn ones, the first that makes fewest of its dates its own again.

    ``collisions`` counts, for an offset, the dates that would be equal to an original. No offset is a multiple
    of seven: it would leave each weekday as it is.
    """
    offsets: list[int] = []
    while len(offsets) < _CANDIDATES:
        days = -draw.between(LEAST_DAYS, MOST_DAYS)
        if days % 7:
            offsets.append(days)
    best = offsets[0]
    least = collisions(best)
    for days in offsets[1:]:
        if least == 0:
            break
        if (count := collisions(days)) < least:
            best, least = days, count
    return best
