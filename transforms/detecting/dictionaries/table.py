"""TermTable: the folded terms of one dictionary; the longest one at each word of a text, whole words only."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.candidates import Places
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.words import Bytes, Flags, FoldedWords, Offsets
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.words import Hashes, joined

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


class FoldedCells:
    """The cells of a column, split into words once for all dictionaries of one folding."""

    def __init__(self, column: TextColumn, folding: Folding = Folding.LOOSE) -> None:
        self._column = column
        self._words = FoldedWords(column, folding)

    def find(self, table: TermTable) -> tuple[Places, Places, Places]:
        """Cell, start and end (code points) of every term, in ascending order; they may overlap."""
        words = self._words
        first, last = matches(words, table)
        cells = np.searchsorted(words.first_words, first, side="right") - 1
        origins = self._column.origins[cells]
        return cells, words.starts[first] - origins, words.ends[last] - origins

    def covered(self, table: TermTable) -> tuple[Flags, Flags]:
        """For each cell: is it non-empty with every word part of a term, and is any word part of one?"""
        words = self._words
        first, last = matches(words, table)
        steps = np.zeros(len(words) + 1, dtype=np.int64)
        np.add.at(steps, first, 1)
        np.add.at(steps, last + 1, -1)
        within = np.append(0, np.cumsum(np.cumsum(steps[:-1]) > 0))
        count = within[words.first_words[1:]] - within[words.first_words[:-1]]
        return (count > 0) & (count == np.diff(words.first_words)), count > 0


def matches(words: FoldedWords, table: TermTable) -> tuple[Offsets, Offsets]:
    """First and last word of the longest term at each word, within its cell.

    Each distinct word and phrase of the text is looked up once, and phrases only if terms begin with them; so
    the cost depends on the text, not on the number of terms.
    """
    longest = np.zeros(len(words), dtype=np.int64)
    begins, phrases, count = np.arange(len(words)), words.hashes, 1
    distinct, which = words.distinct
    while len(begins):
        terms = table.find(distinct)[which]
        found = np.flatnonzero(terms >= 0)
        _note(words, table, begins[found], terms[found], count, longest)
        goes_on = table.open(distinct)[which] & (words.left_in_cell[begins] > count)
        begins = begins[goes_on]
        phrases = joined(phrases[goes_on], words.following[begins + count])
        count += 1
        distinct, which = np.unique(phrases, return_inverse=True)
    first = np.flatnonzero(longest)
    return first, first + longest[first] - 1


def _note(
    words: FoldedWords, table: TermTable, begins: Offsets, terms: Offsets, count: int, longest: Offsets
) -> None:
    """Record terms of ``count`` words that match in full, not only by hash, and are not a negation."""
    stands = ~words.negated(begins + count - 1)
    begins, terms = begins[stands], terms[stands]
    stops = words.stops[begins + count - 1]
    longest[begins[table.holds(terms, words.data, words.begins[begins], stops)]] = count
