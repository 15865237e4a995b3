"""Find the cells in which each of many patterns matches, reading each cell once for all of them.

RE2 makes one automaton of a set of patterns, lazily, as the text needs it. It reports which of them match, but
not where. Patterns are in their wide form: a cell beyond ASCII may be named that a pattern does not match.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import re2

from tacenda.transforms.detecting.candidates import Places
from tacenda.transforms.detecting.patterns.widening import widened
from tacenda.transforms.text.utf8 import Utf8Column

AT_ONCE = 32
"""Patterns of one set. Those of 16 took a fifth more to read dense chat, and a tenth less to read prose."""

MEGABYTES = 16
"""Memory of one set at most: 32 gained nothing; with 8 it forgets states that it needs again, and reads
prose at half the speed."""

_AT_END = r"\z"
"""Matches every text. A set that runs out of memory reports no match at all, not even this."""

NOWHERE = np.zeros(0, dtype=np.int64)
"""No cell."""


class PatternSet:
    """Some patterns as one automaton.

    Raises:
        re2.error: a pattern is not valid, or together they need more memory than allowed.
    """

    def __init__(self, patterns: Sequence[str], megabytes: int = MEGABYTES) -> None:
        options = re2.Options()
        options.max_mem = megabytes << 20
        options.log_errors = False
        built = re2.Set.SearchSet(options)
        for pattern in (*patterns, _AT_END):
            built.Add(widened(pattern))
        built.Compile()
        self.patterns = tuple(patterns)
        self._match = built._set.Match

    def cells(self, column: Utf8Column, among: Places) -> dict[str, Places]:
        """For each pattern whose wide form matches in some of the cells, these, ascending."""
        places = among.tolist()
        rows = map(column.encoded.__getitem__, places)
        matched = [
            (cell, found)
            for cell, found in zip(places, map(self._match, rows), strict=True)
            if len(found) != 1  # only the end
        ]
        own: defaultdict[int, list[int]] = defaultdict(list)
        for cell, found in matched:
            for i in found or self._all:
                own[i].append(cell)
        own.pop(len(self.patterns), None)
        return {self.patterns[i]: np.asarray(cells, dtype=np.int64) for i, cells in own.items()}

    @property
    def _all(self) -> Iterable[int]:
        """Where the set fails, any of its patterns may match."""
        return range(len(self.patterns))
