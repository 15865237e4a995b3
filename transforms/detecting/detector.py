"""The interface of everything that finds personal data: rules, models, a cloud service."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from tacenda.transforms.schema.finding import Finding


class Detector(Protocol):
    """Finds personal data in a batch of cells; ``name`` is what its findings carry as their detector."""

    name: str

    def find(self, texts: Sequence[str], first_cell: Sequence[int]) -> list[list[Finding]]:
        """Findings of a batch.

        ``texts`` are cells; conversation ``i`` owns the cells ``first_cell[i]:first_cell[i + 1]``, so that a
        context window may look into neighbouring turns of the same conversation and never into another.
        Returns one list a cell, sorted by start; findings may overlap. Offsets are code points.
        """
        ...


@runtime_checkable
class TwoLookDetector(Detector, Protocol):
    """A detector that knows from one look what a second one, at the lowest likelihood, is to hear."""

    def find_twice(
        self, texts: Sequence[str], first_cell: Sequence[int]
    ) -> tuple[list[list[Finding]], list[list[Finding]]]:
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

    def find_counted(self, texts: Sequence[str], first_cell: Sequence[int], twice: bool) -> CountedLook:
        """As ``find`` or, if ``twice``, ``find_twice``; without ``twice``, ``unsure`` is empty."""
        ...
