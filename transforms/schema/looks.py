"""What two looks at a conversation count, by kind: entities that both saw, and that each saw alone.

Three numbers for each kind, in this order: both, the first alone, and thousandths of the second alone, whose
entities have probabilities.
"""

from typing import NamedTuple

from tacenda.transforms.schema.suspicion import Meaning

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
