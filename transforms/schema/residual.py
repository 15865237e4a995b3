"""Residual finding: personal data still readable after replacement."""

from typing import NamedTuple

Place = tuple[int, int, int]
"""A cell of a conversation, and a half-open range of code points in its text."""


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


class Meaning(NamedTuple):
    """What a suspicion turned out to be where it was right, in this share of the cases."""

    label: str
    partial: bool
    speaker: bool
    share: float


class Suspicion(NamedTuple):
    """A place of the replaced text, or a part of a conversation in which no look saw anything.

    ``probability`` is that of personal data there. ``meanings``, whose shares sum to at most 1, say of which
    kinds; empty for the residual's own label.
    """

    residual: Residual
    probability: float
    meanings: tuple[Meaning, ...] = ()


KINDS_SEEN = ("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME")
"""The kinds that both look for; places include addresses."""

THOUSAND = 1000
"""Thousandths of an entity that the second look alone sees, which has a probability."""


class Dependence(NamedTuple):
    """What the calibration knows of two looks at entities of one kind.

    ``right_both`` and ``right_first`` are the shares of what both saw, and of what the first saw alone, that is
    personal data; ``middle``, ``least`` and ``most`` are odds ratios in text of different makers
    (``scoring.dual_system``). ``meanings`` are what entities of this kind are that the second look did not see.
    """

    right_both: float
    right_first: float
    middle: float
    least: float
    most: float
    meanings: tuple[Meaning, ...] = ()


def counted(number: int, noun: str, plural: str = "") -> str:
    """The number with thousands separated, and the noun in singular or plural.

    >>> counted(1, "row"), counted(1200, "row"), counted(0, "entry", "entries")
    ('1 row', '1,200 rows', '0 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
