"""Which terms stand where: at each word the longest term that begins there, whole words only."""

from collections.abc import Sequence

import numpy as np

from transforms.detecting.candidate import Places
from transforms.detecting.dictionaries.folding import Folding
from transforms.detecting.dictionaries.table import TermTable
from transforms.detecting.dictionaries.words import Flags, FoldedWords, Offsets
from transforms.detecting.word_hash import joined


class FoldedCells:
    """The cells of a column, read into words once for all dictionaries of one folding."""

    def __init__(self, texts: Sequence[str], folding: Folding = Folding.LOOSE) -> None:
        self._words = FoldedWords(texts, folding)

    def find(self, table: TermTable) -> tuple[Places, Places, Places]:
        """Cell, start and end (code points) of every term, by rising place; they may overlap."""
        words = self._words
        first, last = matches(words, table)
        cells = np.searchsorted(words.first_words, first, side="right") - 1
        origins = words.origins[cells]
        return cells, words.starts[first] - origins, words.ends[last] - origins

    def covered(self, table: TermTable) -> tuple[Flags, Flags]:
        """For each cell: is every word of it part of a term (and one is there), and is any?"""
        words = self._words
        first, last = matches(words, table)
        steps = np.zeros(len(words) + 1, dtype=np.int64)
        np.add.at(steps, first, 1)
        np.add.at(steps, last + 1, -1)
        within = np.append(0, np.cumsum(np.cumsum(steps[:-1]) > 0))
        count = within[words.first_words[1:]] - within[words.first_words[:-1]]
        return (count > 0) & (count == np.diff(words.first_words)), count > 0


def matches(words: FoldedWords, table: TermTable) -> tuple[Offsets, Offsets]:
    """First and last word of the longest term at each word; none goes over the end of its cell.

    Only words that occur are looked up, each once, and only behind a word that begins longer terms are phrases
    tried; so the cost is that of the text, not of the terms.
    """
    longest_found = np.zeros(len(words), dtype=np.int64)
    distinct, which = words.distinct
    terms = table.find(distinct)[which]
    _note(words, table, np.flatnonzero(terms >= 0), terms[terms >= 0], 1, longest_found)
    longest = np.minimum(table.longest_from(distinct)[which], words.left_in_cell)
    begins = np.flatnonzero(longest > 1)
    phrases = words.hashes[begins]
    count = 1
    while len(begins):
        count += 1
        phrases = joined(phrases, words.following[begins + count - 1])
        several, inverse = np.unique(phrases, return_inverse=True)
        terms = table.find(several)[inverse]
        _note(words, table, begins[terms >= 0], terms[terms >= 0], count, longest_found)
        goes_on = longest[begins] > count
        begins, phrases = begins[goes_on], phrases[goes_on]
    first = np.flatnonzero(longest_found)
    last = first + longest_found[first] - 1
    kept = ~words.negated(last)
    return first[kept], last[kept]


def _note(
    words: FoldedWords, table: TermTable, begins: Offsets, terms: Offsets, count: int, longest: Offsets
) -> None:
    """Note the terms of so many words that really stand where their hashes do."""
    stops = words.stops[begins + count - 1]
    longest[begins[table.holds(terms, words.data, words.begins[begins], stops)]] = count
