"""Find the cells in which each of many patterns may match, reading each cell once for all of them.

RE2 makes one automaton of a set of patterns, lazily, as the text needs it. It reports which of them match, but
not where. Patterns are in their wide form: a cell beyond ASCII may be named that a pattern does not match.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import re2

from tacenda.transforms.detecting.candidates import NOWHERE, Places
from tacenda.transforms.storage.process_cache import built_once_for
from tacenda.transforms.text.utf8 import Utf8Column

_ASCII = {"L": "A-Za-z", "N": "0-9", "{Lu}": "A-Z", "{Ll}": "a-z", "{Nd}": "0-9"}

_BEYOND = r"\x{80}-\x{1FFF}\x{2070}-\x{10FFFF}"
"""Everything beyond ASCII but the block of general punctuation: its quotation marks and dashes are frequent."""

_PROPERTY = r"\\p(?P<property>[LN]|\{(?:Lu|Ll|Nd)\})"
_PART = re.compile(
    rf"(?P<class>\[(?P<negated>\^)?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\])|{_PROPERTY}|\\.", re.DOTALL
)
_IN_CLASS = re.compile(rf"{_PROPERTY}|\\.", re.DOTALL)


@lru_cache(maxsize=4096)
def widened(pattern: str) -> str:
    r"""The wide form of a pattern, which matches at least as much; the pattern itself if it has ``\Q``."""
    return pattern if r"\Q" in pattern else _PART.sub(_part, pattern)


def _part(part: re.Match[str]) -> str:
    # What a negated class excludes must become less.
    beyond = "" if part["negated"] else _BEYOND

    def wide(one: re.Match[str]) -> str:
        return _ASCII[one["property"]] + beyond if one["property"] else one[0]

    if part["class"]:
        return _IN_CLASS.sub(wide, part["class"])
    return f"[{wide(part)}]" if part["property"] else part[0]


AT_ONCE = 32
"""Patterns of one set. Those of 16 took a fifth more to read dense chat, and a tenth less to read prose."""

MEGABYTES = 16
"""Memory of one set at most: 32 gained nothing; with 8 it forgets states that it needs again, and reads
prose at half the speed."""

_AT_END = r"\z"  # matches every text. A set that runs out of memory reports no match at all, not even this


class PatternSet:
    """Several patterns, matched together as one RE2 set.

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
            # Where the set fails, any of its patterns may match.
            for i in found or range(len(self.patterns)):
                own[i].append(cell)
        own.pop(len(self.patterns), None)
        return {self.patterns[i]: np.asarray(cells, dtype=np.int64) for i, cells in own.items()}


Matching = Mapping[str, Places]
"""The cells in which each pattern may match, ascending; patterns that are missing may match anywhere."""


class Filter:
    """Finds the cells of some patterns by sets of them.

    Without it, RE2 would search for each pattern in all cells with the character classes it needs. The
    findings are the same.

    Args:
        needs: for each pattern, the mask of the character classes without which it cannot match.
    """

    def __init__(self, needs: Mapping[str, int]) -> None:
        self._patterns = sorted(needs)
        self._sets: dict[int, list[tuple[str, ...]]] = {}
        for mask in sorted({*needs.values()}):
            own = tuple(pattern for pattern in self._patterns if needs[pattern] == mask)
            self._sets[mask] = [own[i : i + AT_ONCE] for i in range(0, len(own), AT_ONCE)]

    def of(self, column: Utf8Column) -> Matching:
        """The cells of the patterns in a column."""
        matching = dict.fromkeys(self._patterns, NOWHERE)
        for mask, several in self._sets.items():
            cells = column.where(mask, column.everything.cells)
            for patterns in several if len(cells) else ():
                if (together := _set(patterns)) is not None:
                    matching.update(together.cells(column, cells))
                    continue
                for pattern in patterns:
                    del matching[pattern]
        return matching


@built_once_for(256)
def _set(patterns: tuple[str, ...]) -> PatternSet | None:
    """None if they are too much for one set: each is then searched for on its own."""
    try:
        return PatternSet(patterns)
    except re2.error:
        return None
