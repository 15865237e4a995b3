"""Decide in which cells of a column each pattern has to be searched for."""

from collections.abc import Iterator, Mapping
from itertools import islice

import re2

from tacenda.transforms.detecting.candidates import Places
from tacenda.transforms.detecting.patterns.needles import FOLDING_TO_ASCII, haystack, needles
from tacenda.transforms.detecting.patterns.pattern_set import AT_ONCE, NOWHERE, PatternSet
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build_anyway
from tacenda.transforms.storage.process_cache import built_once_for
from tacenda.transforms.text.utf8 import Utf8Column

LITTLE_BYTES = 32 << 10
"""Up to this much text, patterns are only compiled if their needles occur. Searching this much text for all
needles takes as long as compiling all patterns, which a long-running process does once."""

_LEAST_BYTES = 512
"""What a short text counts as: it is searched for as many patterns, most of which do not match."""

_FOLDING = [character.encode() for character in FOLDING_TO_ASCII]

Matching = Mapping[str, Places]
"""The cells in which each pattern matches, ascending; patterns that are missing may match anywhere."""


class Filter:
    """Finds the cells of some patterns: with little text by their needles, otherwise by sets of patterns.

    Without it, RE2 would search for each pattern in all cells with the character classes it needs. The
    findings are the same.

    Args:
        needs: for each pattern, the mask of the character classes without which it cannot match.
    """

    def __init__(self, needs: Mapping[str, int]) -> None:
        self._patterns = tuple(sorted(needs))
        self._sets = {
            mask: list(_chunks(pattern for pattern in self._patterns if needs[pattern] == mask))
            for mask in sorted({*needs.values()})
        }
        self._seen_bytes = 0

    def of(self, column: Utf8Column) -> Matching:
        """The cells of the patterns in a column."""
        self._seen_bytes += max(len(column.data), _LEAST_BYTES)
        if self._seen_bytes <= LITTLE_BYTES and not any(map(column.data.__contains__, _FOLDING)):
            return dict.fromkeys(self._without_needles(column.data), NOWHERE)
        matching: dict[str, Places] = {}
        for mask, several in self._sets.items():
            cells = column.where(mask, column.everything.cells)
            for patterns in several:
                if not len(cells):
                    matching.update(dict.fromkeys(patterns, NOWHERE))
                elif (together := _set(patterns)) is not None:
                    matching.update(together.cells(column, cells))
        return matching

    def _without_needles(self, data: bytes) -> Iterator[str]:
        text = haystack(data)
        for pattern, sets in _needles(self._patterns).items():
            if not all(any(map(text.__contains__, some)) for some in sets):
                yield pattern


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


@built_once_for(16)
def _needles(patterns: tuple[str, ...]) -> dict[str, tuple[tuple[bytes, ...], ...]]:
    name = f"needles-{fingerprint(contents(__package__), *patterns)}"
    return get_or_build_anyway(name, lambda: {pattern: needles(pattern) for pattern in patterns})
