"""The interface of a detector: rules, models, or a cloud service."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.column import TextColumn


class Detector(Protocol):
    """Finds personal data in a batch of cells; its findings carry ``name`` as their detector."""

    name: str

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """Findings of a batch: one list a cell, sorted by start; findings may overlap.

        Offsets are code points of ``column.texts``. All detectors get the same column and share its derived
        data.
        """
        ...


@runtime_checkable
class TwoLookDetector(Detector, Protocol):
    """A detector that finds the unlikely findings for the second look in the same pass."""

    def find_twice(self, column: TextColumn) -> tuple[list[list[Finding]], list[list[Finding]]]:
        """The result of ``find``, and the findings of the same texts that are too unlikely for it."""
        ...


Place = tuple[int, int, float]
"""Start and end in a cell, and the probability of personal data of any kind there."""


class CountedLook(NamedTuple):
    """``found`` and ``unsure`` as in ``TwoLookDetector.find_twice``, and counts of skipped text.

    A detector that skips what almost certainly is no finding samples it to count what it misses; the counts
    (``scoring.detector_checks``) add up over conversations, independent of batching. ``plausible`` has, by
    cell, the places that a model thinks possible at all, in text order; empty if the detector is no such model.
    """

    found: list[list[Finding]]
    unsure: list[list[Finding]]
    counts: Mapping[str, int]
    plausible: Sequence[Sequence[Place]] = ()
