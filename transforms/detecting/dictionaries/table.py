"""TermTable: the folded terms of one dictionary, looked up by hash, then compared in full."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.dictionaries.words import Bytes, Flags, Offsets
from tacenda.transforms.text.words import Hashes

END = 0x0A
"""The byte after each stored term."""


class TermTable(NamedTuple):
    """Arrays in memory or mapped from a file; nothing here copies them.

    ``hashes`` of all terms are ascending; term ``i`` begins at byte ``places[i]`` of ``text``. ``openings``
    are the hashes, ascending, of all proper prefixes (in words) of longer terms.
    """

    hashes: Hashes
    places: npt.NDArray[np.uint64]
    openings: Hashes
    text: Bytes

    def find(self, hashes: Hashes) -> Offsets:
        """For each hash, the first term with it, or -1."""
        return _index(self.hashes, hashes)

    def open(self, hashes: Hashes) -> Flags:
        """For each hash, whether a longer term begins with it."""
        return _index(self.openings, hashes) >= 0

    def holds(self, terms: Offsets, data: Bytes, begins: Offsets, stops: Offsets) -> Flags:
        """Whether each ``data[begins[i]:stops[i]]`` equals the term ``terms[i]``, or another with its hash.

        A match of hashes is no finding until the bytes are compared.
        """
        same = self._equal(terms, data, begins, stops)
        left = np.flatnonzero(~same)
        while len(left):
            following = np.minimum(terms[left] + 1, len(self.hashes) - 1)
            left = left[(following > terms[left]) & (self.hashes[following] == self.hashes[terms[left]])]
            terms = terms.copy()
            terms[left] += 1
            same[left] = self._equal(terms[left], data, begins[left], stops[left])
            left = left[~same[left]]
        return same

    def _equal(self, terms: Offsets, data: Bytes, begins: Offsets, stops: Offsets) -> Flags:
        lengths = stops - begins
        places = self.places[terms].astype(np.int64)
        ends = places + lengths
        last = len(self.text) - 1
        same: Flags = (self.text[np.minimum(ends, last)] == END) & (ends <= last)
        at = np.flatnonzero(same)
        sizes = lengths[at]
        firsts = np.cumsum(sizes) - sizes
        steps = np.arange(int(sizes.sum())) - np.repeat(firsts, sizes)
        stored = self.text[np.repeat(places[at], sizes) + steps]
        given = data[np.repeat(begins[at], sizes) + steps]
        if len(at):
            same[at] = np.logical_and.reduceat(stored == given, firsts)
        return same


def _index(rising: Hashes, hashes: Hashes) -> Offsets:
    if not len(rising):
        return np.full(len(hashes), -1, dtype=np.int64)
    index = np.searchsorted(rising, hashes)
    found = rising[np.minimum(index, len(rising) - 1)] == hashes
    return np.where(found, index, -1)
