"""Reading: the words of some conversations, with what capitals, punctuation, language and lists say of them.

Everything is an array with one entry per word, computed in bulk.
"""

from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.names.lexicon import Flags, Levels, Lexicon, Matches
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.words import Offsets

_TITLE_CASE = 0.6  # minimum share of capitalised words at which capitals mean nothing


class Reading:
    """The words of a column and what is known of each; word ``i`` is at ``starts[i]:ends[i]`` of its text."""

    def __init__(self, column: TextColumn, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._words = column.words
        shapes = column.word_shapes
        self.starts, self.ends, self.hashes = self._words.starts, self._words.ends, self._words.hashes
        self.length, self.latin, self.odd, self.camel = shapes.length, shapes.latin, shapes.odd, shapes.camel
        # Copies, since they are modified below.
        self.capital: Flags = shapes.capital.copy()
        self.opens_sentence: Flags = shapes.opens_sentence.copy()
        # What separates a word from the next in the same cell
        self.space, self.hyphen = shapes.space.copy(), shapes.hyphen.copy()
        self.origins = column.origins
        self._of_cell = np.searchsorted(self.starts, self.origins)
        self._first_cell = np.asarray(column.first_cell, dtype=np.int64)
        self.of_conversation = self._of_cell[self._first_cell]
        self._part_cells()
        self.size: Offsets = np.diff(self._of_cell)
        """Words of each cell."""
        self.cell: npt.NDArray[np.int32] = np.repeat(np.arange(len(column), dtype=np.int32), self.size)
        self.kinds = lexicon.kinds(self.hashes)
        self._tell_case()
        self._tell_words()
        self.given, self.family, self.place = (
            table[self.kinds] for table in (lexicon.given, lexicon.family, lexicon.place)
        )

    def __len__(self) -> int:
        return len(self.starts)

    def word_at(self, i: int) -> str:
        """A word, folded."""
        return self._words.word(i)

    def locate(self, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets, Offsets]:
        """Cells, starts and ends (code points in the cell) of ranges of words."""
        cells = self.cell[starts].astype(np.int64)
        origins = self.origins[cells]
        return cells, self.starts[starts] - origins, self.ends[ends - 1] - origins

    @cached_property
    def opens(self) -> Flags:
        """Whether a phrase may begin at each word: its first two words are adjacent and no common ones."""
        opens = self.lexicon.opens[self.kinds]
        opens[:-1] &= self.lexicon.goes_on[self.kinds[1:]]
        opens[-1:] = False
        new = self.word == 0
        new[:-1] |= new[1:].copy()
        opens &= new | self.capital
        return opens

    @cached_property
    def phrases(self) -> Matches:
        """Places and organisations of several words, by their first word."""
        return self.lexicon.phrases.find(self.hashes, self.cell, np.flatnonzero(self.opens))

    def phrase(self, i: int) -> tuple[int, int]:
        """Number of words (0: none) and level of the longest phrase from word ``i``."""
        return self.phrases.get(i, (0, 0))

    def _part_cells(self) -> None:
        first = self._of_cell[:-1]
        self.opens_sentence[first[first < len(self.starts)]] = True
        last = self._of_cell[1:] - 1
        for sign in (self.space, self.hyphen):
            sign[last[last >= 0]] = False

    def _tell_case(self) -> None:
        """Find where capitals are informative."""
        long = self.length > 1
        total, capitals = (sums_between(flags, self._of_cell) for flags in (long, long & self.capital))
        cased = (capitals > 0) & (capitals < _TITLE_CASE * total)
        self.cased: Flags = np.repeat(cased, self.size)

    def _tell_words(self) -> None:
        """Compute each word's level in the possible languages of its conversation."""
        plausible = self.lexicon.plausible(self._everyday_words())
        # There are few distinct sets of languages: compute a table of all kinds for each.
        sets, number = np.unique(plausible @ (1 << np.arange(plausible.shape[1])), return_inverse=True)
        levels = np.stack([self.lexicon.word_in(languages) for languages in sets.tolist()])
        self.word: Levels = levels[np.repeat(number, np.diff(self.of_conversation)), self.kinds]

    def _everyday_words(self) -> Offsets:
        """The number of everyday words of each language in each conversation."""
        patterns, pattern = self.lexicon.everyday
        conversations = len(self.of_conversation) - 1
        first = np.arange(conversations) * len(patterns)
        places = pattern[self.kinds] + np.repeat(first, np.diff(self.of_conversation))
        counts = np.bincount(places, minlength=conversations * len(patterns))
        # Of integers: a product of floats would wake the threads of BLAS, which spin for longer than it takes.
        return counts.reshape(conversations, -1) @ patterns.astype(np.int64)


def sums_between(rows: npt.NDArray[np.generic], bounds: Offsets) -> Offsets:
    """The sum of the rows between successive bounds."""
    sums = np.zeros((len(rows) + 1, *rows.shape[1:]), dtype=np.int64)
    np.cumsum(rows, axis=0, out=sums[1:])
    between: Offsets = np.diff(sums[bounds], axis=0)
    return between
