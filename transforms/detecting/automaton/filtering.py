"""Which cells of a column are worth a search for which pattern."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from transforms.detecting.automaton.superset import FOLDING_TO_ASCII
from transforms.detecting.column import Buffer, Column, class_mask

WORTH_BYTES = 8 << 20
"""Bytes of text after which building the automata (about a second) pays: RE2 alone took as much longer."""

_DIGITS_AT_ONCE = 32
"""Patterns of digits are much alike: a database of all takes long to build, and few cells have digits."""

_DIGIT = class_mask(("digit",))


class Automaton(Protocol):
    """What an engine offers: see ``hyperscan.Automaton``."""

    patterns: tuple[str, ...]

    def fires(self, data: bytes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None: ...


class Filter:
    """The automata of some patterns; built once a process, and only when there is enough text.

    Without an automaton library no pattern is taken, and RE2 searches for each one in all cells that have
    the kinds of characters it needs. The findings are the same.

    Args:
        needs: for each pattern, the mask of the character classes without which it cannot match.
    """

    def __init__(self, needs: Mapping[str, int]) -> None:
        self._with_digits = tuple(sorted(p for p, mask in needs.items() if mask & _DIGIT))
        self._others = tuple(sorted(p for p, mask in needs.items() if not mask & _DIGIT))
        self._seen_bytes = 0

    def of(self, column: Column) -> "Filtered":
        """What the automata say of a column."""
        self._seen_bytes += len(column.data)
        filtered = Filtered()
        if self._seen_bytes >= WORTH_BYTES:
            always = [
                c for c in column.beyond_ascii if any(map(column.texts[c].__contains__, FOLDING_TO_ASCII))
            ]
            for patterns, mask, at_once in (
                (self._with_digits, _DIGIT, _DIGITS_AT_ONCE),
                (self._others, 0, len(self._others)),
            ):
                automaton = _automaton(patterns, at_once)
                if automaton is not None:
                    filtered.add(column.needing(mask), automaton, always)
        return filtered


class Filtered:
    """The cells in which each pattern may match, for those patterns that an automaton took."""

    def __init__(self) -> None:
        self._cells: dict[str, npt.NDArray[np.int64]] = {}

    def cells(self, pattern: str) -> npt.NDArray[np.int64] | None:
        """Rising; None where nobody knows."""
        return self._cells.get(pattern)

    def add(self, buffer: Buffer, automaton: Automaton, always: Sequence[int] = ()) -> None:
        """Ask an automaton about some cells; those left out hold none of its matches, but for ``always``."""
        fired = automaton.fires(buffer.data)
        if fired is None:
            return
        patterns, ends = fired
        # A match may take the separator behind its cell for the cell's edge, so its last byte tells the cell.
        keys = np.unique(patterns * len(buffer.cells) + buffer.cell_index(ends - 1))
        cells = buffer.cells[keys % len(buffer.cells)] if len(keys) else keys
        bounds = np.searchsorted(keys, np.arange(len(automaton.patterns) + 1) * len(buffer.cells)).tolist()
        for i, pattern in enumerate(automaton.patterns):
            chosen = cells[bounds[i] : bounds[i + 1]]
            self._cells[pattern] = np.union1d(chosen, always).astype(np.int64) if len(always) else chosen


@lru_cache(maxsize=16)
def _automaton(patterns: tuple[str, ...], at_once: int) -> Automaton | None:
    if not patterns:
        return None
    try:
        from transforms.detecting.automaton import hyperscan
    except ImportError:
        return None
    return hyperscan.Automaton(patterns, at_once)
