"""Residual finding: personal data still readable after replacement."""

from typing import NamedTuple

Place = tuple[int, int, int]  # a cell of a conversation, and a half-open range of code points in its text


class Residual(NamedTuple):
    """One readable range in a conversation.

    ``label`` is an infoType, a gold label or a ``MISSED_…`` tag, unchanged; the score table resolves it.
    ``partial``: only part of the value is readable. ``speaker``: it is a speaker's own data. ``value`` is the
    readable text, kept only in memory to distinguish entities; it is never written anywhere. ``entity`` is
    the annotator's entity id, and takes precedence over ``value``. ``place`` is its position: of several that
    overlap in one text, one counts.
    """

    label: str
    value: str
    partial: bool = False
    speaker: bool = False
    entity: str | None = None
    place: Place | None = None


def counted(number: int, noun: str, plural: str = "") -> str:
    """The number with thousands separated, and the noun in singular or plural.

    >>> counted(1, "row"), counted(1200, "row"), counted(0, "entry", "entries")
    ('1 row', '1,200 rows', '0 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
