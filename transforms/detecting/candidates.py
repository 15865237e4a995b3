"""Candidates: positions matched by patterns, before rules and thresholds are applied."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]
"""A column with one number per candidate; several columns of equal length describe the positions."""


def distinct(places: Places) -> Places:
    """The distinct non-negative integers, ascending; much faster than ``np.unique``, which hashes."""
    ordered = np.sort(places)
    once: Places = ordered[np.diff(ordered, prepend=-1) > 0]
    return once


@dataclass(frozen=True, slots=True)
class Candidates:
    """Positions as columns: candidate ``i`` is ``starts[i]:ends[i]`` (code points) of cell ``cells[i]``."""

    cells: Places
    starts: Places
    ends: Places
    likelihoods: Places

    def __len__(self) -> int:
        return len(self.cells)

    def filter(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> "Candidates":
        """Select candidates by a mask or by indexes."""
        return Candidates(
            self.cells[chosen], self.starts[chosen], self.ends[chosen], self.likelihoods[chosen]
        )

    def likely(self, likelihoods: Places) -> "Candidates":
        """The same positions with other likelihoods."""
        return Candidates(self.cells, self.starts, self.ends, likelihoods)

    def surest(self) -> "Candidates":
        """Each position once, with its highest likelihood, sorted by position."""
        if len(self) < 2:
            return self
        order = np.lexsort((-self.likelihoods, self.ends, self.starts, self.cells))
        ordered = self.filter(order)
        new = np.ones(len(order), dtype=np.bool_)
        new[1:] = (
            (ordered.cells[1:] != ordered.cells[:-1])
            | (ordered.starts[1:] != ordered.starts[:-1])
            | (ordered.ends[1:] != ordered.ends[:-1])
        )
        return ordered.filter(new)


_NOWHERE = np.zeros(0, dtype=np.int64)
NONE = Candidates(_NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE)
"""No candidates: the result of most patterns in most batches."""


def candidates(rows: Sequence[tuple[int, int, int, int]]) -> Candidates:
    """Candidates from rows of cell, start, end, likelihood."""
    return Candidates(*np.asarray(rows, dtype=np.int64).reshape(-1, 4).T)


def united(several: Sequence[Candidates]) -> Candidates:
    """Concatenate the candidates of several searches."""
    several = [some for some in several if len(some)]
    if len(several) < 2:
        return several[0] if several else NONE
    return Candidates(
        np.concatenate([c.cells for c in several]),
        np.concatenate([c.starts for c in several]),
        np.concatenate([c.ends for c in several]),
        np.concatenate([c.likelihoods for c in several]),
    )
