"""Suspicion: readable text that may be personal data, with the probability that it is."""

from typing import NamedTuple

from tacenda.transforms.schema.residual import Residual


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
