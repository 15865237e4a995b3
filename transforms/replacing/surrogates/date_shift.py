"""One offset for all dates and ages of a conversation, so that intervals are preserved."""

from collections.abc import Callable
from datetime import date, timedelta

from tacenda.transforms.generating.draw import Draw

LEAST_DAYS, MOST_DAYS = 366, 1095
"""Back in time by over a year, so that a bare year changes too, and by up to three years."""

_CANDIDATES = 24
PRESENT = 2024
"""The assumed year of a date without one; a leap year."""


def shifted(day: date, days: int) -> date:
    """A day shifted by a number of days, limited to the range of the calendar."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return day


def offset_in_days(draw: Draw, collisions: Callable[[int], int]) -> int:
    """The offset of a conversation: of several draws, the first that maps the fewest dates to originals.

    ``collisions`` counts, for an offset, the dates that would equal an original. Multiples of seven are
    excluded: they would keep the weekday.
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
