"""Phrases of several words, found by the hashes of their words: places and firms."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tacenda.transforms.text.words import Hashes, HashIndex, Offsets, joined

_LONGEST = 7  # most words of a place or an organisation
Levels = npt.NDArray[np.uint8]
Cells = npt.NDArray[np.integer]

Matches = dict[int, list[tuple[int, int]]]
"""The position of a phrase's first word to its possible numbers of words, longest first, with levels."""


class Phrases:
    """The level of each phrase: 1 to 3 for a place, 0 for an organisation.

    Args:
        lists: words of terms, and for each term its first word, number of words, and levels; the last of equal
            phrases counts.
    """

    def __init__(self, lists: Iterable[tuple[Hashes, Offsets, Offsets, Levels]]) -> None:
        found: list[tuple[Hashes, Levels]] = []
        pairs: list[Hashes] = []
        for words, first, counts, levels in lists:
            several = counts > 1
            first, counts = first[several], counts[several]
            hashes = words[first]
            for k in range(1, _LONGEST):
                longer = counts > k
                hashes[longer] = joined(hashes[longer], words[first[longer] + k])
                if k == 1:
                    pairs.append(hashes.copy())
            found.append((hashes, levels[several, 0] if levels.shape[1] else np.zeros(len(first), np.uint8)))
        hashes, place = np.unique(np.concatenate([h for h, _ in found])[::-1], return_index=True)
        self._index = HashIndex(hashes)
        self._pairs = HashIndex(np.unique(np.concatenate(pairs)))
        self._level = np.append(np.uint8(0), np.concatenate([level for _, level in found])[::-1][place])

    def __len__(self) -> int:
        return len(self._index)

    def find(self, hashes: Hashes, cells: Cells, places: npt.NDArray[np.int64]) -> Matches:
        """The phrases that begin at some of the words (``places``), within their cell."""
        matches: Matches = {}
        begun = places[places + 1 < len(hashes)]
        begun = begun[cells[begun + 1] == cells[begun]]
        phrases = joined(hashes[begun], hashes[begun + 1])
        going = self._pairs.find(phrases) > 0
        for count in range(2, _LONGEST + 1):
            begun, phrases = begun[going], phrases[going]
            if not len(begun):
                break
            numbers = self._index.find(phrases)
            hit = numbers > 0
            for i, level in zip(begun[hit].tolist(), self._level[numbers[hit]].tolist(), strict=True):
                matches.setdefault(i, []).insert(0, (count, level))
            going = begun + count < len(hashes)
            going[going] = cells[begun[going] + count] == cells[begun[going]]
            phrases = phrases.copy()
            phrases[going] = joined(phrases[going], hashes[begun[going] + count])
        return matches
