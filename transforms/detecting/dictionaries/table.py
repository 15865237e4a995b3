"""TermTable: the folded terms of one dictionary; the longest one at each word of a text, whole words only."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.candidates import Places
from tacenda.transforms.detecting.dictionaries.folding import Flags, FoldedWords, Folding, Offsets
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.words import Hashes, joined

END = b"\n"
"""What is after each stored term."""


class TermTable(NamedTuple):
    """Arrays in memory or mapped from a file; nothing here copies them.

    ``hashes`` of all terms are ascending; term ``i`` begins at byte ``places[i]`` of ``text``. ``openings``
    are the hashes, ascending, of all proper prefixes (in words) of longer terms.
    """

    hashes: Hashes
    places: npt.NDArray[np.uint64]
    openings: Hashes
    text: npt.NDArray[np.uint8]

    def holds(self, term: int, phrase: str) -> bool:
        """Whether a term, or another with its hash, is a phrase: an equal hash is no finding."""
        stored = phrase.encode() + END
        first = self.hashes[term]
        while term < len(self.hashes) and self.hashes[term] == first:
            place = int(self.places[term])
            if self.text[place : place + len(stored)].tobytes() == stored:
                return True
            term += 1
        return False


def _index(rising: Hashes, hashes: Hashes) -> Offsets:
    """For each hash, the first place of it, or -1."""
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
    """First and last word of the longest term at each word, within its cell; no negation is one.

    Each distinct word and phrase of the text is looked up once, and phrases only if terms begin with them; so
    the cost depends on the text, not on the number of terms.
    """
    longest = np.zeros(len(words), dtype=np.int64)
    begins, phrases, count = np.arange(len(words)), words.hashes, 1
    distinct, which = words.distinct, words.which
    while len(begins):
        terms = _index(table.hashes, distinct)[which]
        found = np.flatnonzero(terms >= 0)
        for begin, term in zip(begins[found].tolist(), terms[found].tolist(), strict=True):
            if not words.is_negated(begin + count - 1) and table.holds(term, words.phrase(begin, count)):
                longest[begin] = count
        goes_on = (_index(table.openings, distinct) >= 0)[which] & (words.left_in_cell[begins] > count)
        begins = begins[goes_on]
        phrases = joined(phrases[goes_on], words.following[begins + count])
        count += 1
        distinct, which = np.unique(phrases, return_inverse=True)
    first = np.flatnonzero(longest)
    return first, first + longest[first] - 1
