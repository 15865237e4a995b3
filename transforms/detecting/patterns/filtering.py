"""Decide in which cells of a column each pattern has to be searched for."""

from collections.abc import Iterator, Mapping
from itertools import islice

import re2

from tacenda.transforms.detecting.candidates import Places
from tacenda.transforms.detecting.patterns.pattern_set import AT_ONCE, NOWHERE, PatternSet
from tacenda.transforms.storage.process_cache import built_once_for
from tacenda.transforms.text.utf8 import Utf8Column

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
        self._sets = {
            mask: list(_chunks(pattern for pattern in self._patterns if needs[pattern] == mask))
            for mask in sorted({*needs.values()})
        }

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


def _chunks(patterns: Iterator[str]) -> Iterator[tuple[str, ...]]:
    while some := tuple(islice(patterns, AT_ONCE)):
        yield some


@built_once_for(256)
def _set(patterns: tuple[str, ...]) -> PatternSet | None:
    """None if they are too much for one set: each is then searched for on its own."""
    try:
        return PatternSet(patterns)
    except re2.error:
        return None
