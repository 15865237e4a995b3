"""Match dictionary terms: the longest term at each word, whole words only."""

import numpy as np

from tacenda.transforms.detecting.candidates import Places
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.table import TermTable
from tacenda.transforms.detecting.dictionaries.words import Flags, FoldedWords, Offsets
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.words import joined


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
