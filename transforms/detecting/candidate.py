"""Candidate: a place that a pattern matched, before rules and thresholds have their say."""

from typing import NamedTuple

from transforms.schema.likelihood import Likelihood


class Candidate(NamedTuple):
    """``start`` and ``end`` are code points in the text of the cell with index ``cell``."""

    cell: int
    start: int
    end: int
    likelihood: Likelihood

    @property
    def place(self) -> tuple[int, int, int]:
        """Where it is, without how sure it is."""
        return self.cell, self.start, self.end
