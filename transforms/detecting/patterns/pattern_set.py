"""Find the cells in which each of many patterns may match, reading each cell once for all of them.

RE2 makes one automaton of a set of patterns, lazily, as the text needs it. It reports which of them match, but
not where. Patterns are in their wide form: a cell beyond ASCII may be named that a pattern does not match.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache

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


# Latin-1 and Extended-A, and what their letters are in the other case: a pattern may ignore it.
_LATIN = "".join(map(chr, range(0x180))) + " \u039c \u1e9e"


@lru_cache(maxsize=4096)
def widened(pattern: str) -> str:
    r"""The wide form of a pattern, which matches at least as much; the pattern itself if it has ``\Q``."""
    # What a negated class excludes must become less.
    return _with_classes(pattern, lambda name, negated: _ASCII[name] + ("" if negated else _BEYOND))


@lru_cache(maxsize=4096)
def in_latin(pattern: str) -> str:
    """A form that matches the same in a Latin buffer: letters of all scripts make an automaton large."""
    return _with_classes(pattern, lambda name, _: _latin(name))


@cache
def _latin(name: str) -> str:
    runs = re2.finditer(rf"\p{name}+", _LATIN)
    return "".join(rf"\x{{{ord(run[0][0]):X}}}-\x{{{ord(run[0][-1]):X}}}" for run in runs)


def _with_classes(pattern: str, members: Callable[[str, bool], str]) -> str:
    """A pattern with the members of each property, which may be in a negated class, in place of its name."""

    def part(part: re.Match[str]) -> str:
        def of(one: re.Match[str]) -> str:
            return members(one["property"], bool(part["negated"])) if one["property"] else one[0]

        if part["class"]:
            return _IN_CLASS.sub(of, part["class"])
        return f"[{of(part)}]" if part["property"] else part[0]

    return pattern if r"\Q" in pattern else _PART.sub(part, pattern)


AT_ONCE = 12
"""Patterns of one set: of 32, they took twice the memory, and half as long again to read mail."""

MEGABYTES = 16
"""Memory of one set at most: 32 gained nothing."""

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
            built.Add(widened(pattern.partition("(?:)")[0]))  # behind an empty group is what may be missing
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
                matching.update(_set(patterns).cells(column, cells))
        return matching


_set = built_once_for(256)(PatternSet)
