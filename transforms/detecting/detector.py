"""The interface of a detector: rules, models, or a cloud service."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol, runtime_checkable

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.column import TextColumn


class Detector(Protocol):
    """Finds personal data in a batch of cells; ``name`` is what its findings carry as their detector."""

    name: str

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """Findings of a batch: one list a cell, sorted by start; findings may overlap.

        Offsets are code points of ``column.texts``. All detectors get the same column, and share what it makes
        of these texts.
        """
        ...


@runtime_checkable
class TwoLookDetector(Detector, Protocol):
    """A detector that knows from one look what a second one, at the lowest likelihood, is to hear."""

    def find_twice(self, column: TextColumn) -> tuple[list[list[Finding]], list[list[Finding]]]:
        """What ``find`` gives, and beside it the findings that are too unlikely for that, of the same texts."""
        ...


class CountedLook(NamedTuple):
    """``found`` and ``unsure`` as of ``TwoLookDetector.find_twice``, and counts of what was left out."""

    found: list[list[Finding]]
    unsure: list[list[Finding]]
    counts: Mapping[str, int]


@runtime_checkable
class SamplingDetector(TwoLookDetector, Protocol):
    """A detector that leaves out text that surely holds nothing, and samples it to count what it misses.

    The counts (``transforms.scoring.sampling``) add up over conversations, however these are batched.
    """

    def find_counted(self, column: TextColumn, twice: bool) -> CountedLook:
        """As ``find`` or, if ``twice``, ``find_twice``; without ``twice``, ``unsure`` is empty."""
        ...
