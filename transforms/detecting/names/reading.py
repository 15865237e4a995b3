"""Reading: the words of some conversations, with what capitals, punctuation, language and lists say of them.

Everything is an array with one entry per word, computed in bulk.
"""

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.names.lexicon import Flags, Levels, Lexicon
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.words import Offsets

_TITLE_CASE = 0.6  # minimum share of capitalised words at which capitals mean nothing


class Reading:
    """The words of a column and what is known of each; word ``i`` is at ``starts[i]:ends[i]`` of its text."""

    def __init__(self, column: TextColumn, lexicon: Lexicon) -> None:
        self._words, shapes = column.words, column.word_shapes
        self.starts, self.ends = self._words.starts, self._words.ends
        self.odd, self.camel, self.capital = shapes.odd, shapes.camel, shapes.capital
        self._origins = column.origins
        first = np.searchsorted(self.starts, self._origins)
        sizes = np.diff(first)
        self._cell = np.repeat(np.arange(len(column)), sizes)
        self.kinds = kinds = lexicon.kinds(self._words.hashes)
        self.given, self.family, self.place = (
            lexicon.given[kinds],
            lexicon.family[kinds],
            lexicon.place[kinds],
        )
        # The first words of cells open a sentence, and their last are linked to no other.
        self.opens_sentence: Flags = shapes.opens_sentence.copy()
        self.opens_sentence[first[:-1][sizes > 0]] = True
        self.linked: Flags = shapes.space | shapes.hyphen
        """Whether only a space or a hyphen separates each word from the next in its cell."""
        self.linked[first[1:][sizes > 0] - 1] = False
        long = shapes.length > 1
        total, capitals = (sums_between(flags, first) for flags in (long, long & self.capital))
        self.cased: Flags = np.repeat((capitals > 0) & (capitals < _TITLE_CASE * total), sizes)
        """Whether capitals tell names from other words in each word's cell."""
        self.word = self._levels(lexicon, first[np.asarray(column.first_cell, dtype=np.int64)])
        new = (self.word == 0) | self.capital
        self.opens: Flags = lexicon.opens[kinds]
        """Whether a phrase may begin at each word: its first two words are not both common."""
        self.opens[:-1] &= lexicon.goes_on[kinds[1:]] & (new[:-1] | (self.word[1:] == 0))
        self.opens[-1:] = False
        self.phrases = lexicon.phrases.find(self._words.hashes, self._cell, np.flatnonzero(self.opens))
        """Places and organisations of several words, by their first word."""

    def __len__(self) -> int:
        return len(self.starts)

    def word_at(self, i: int) -> str:
        """A word, folded."""
        return self._words.word(i)

    def locate(self, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets, Offsets]:
        """Cells, starts and ends (code points in the cell) of ranges of words."""
        cells = self._cell[starts]
        origins = self._origins[cells]
        return cells, self.starts[starts] - origins, self.ends[ends - 1] - origins

    def _levels(self, lexicon: Lexicon, bounds: Offsets) -> Levels:
        """Each word's level in the possible languages of its conversation; ``bounds`` are those of words."""
        patterns, pattern = lexicon.everyday
        words = np.diff(bounds)
        conversation = np.repeat(np.arange(len(words)), words)
        counts = np.bincount(
            pattern[self.kinds] + conversation * len(patterns), minlength=len(words) * len(patterns)
        )
        # Of integers: a product of floats would wake the threads of BLAS, which spin for longer than it takes.
        plausible = lexicon.plausible(counts.reshape(len(words), -1) @ patterns.astype(np.int64))
        sets, number = np.unique(plausible @ (1 << np.arange(plausible.shape[1])), return_inverse=True)
        # There are few distinct sets of languages: compute a table of all kinds for each.
        levels: Levels = np.stack([lexicon.word_in(languages) for languages in sets.tolist()])
        return levels[number[conversation], self.kinds]


def sums_between(rows: npt.NDArray[np.generic], bounds: Offsets) -> Offsets:
    """The sum of the rows between successive bounds."""
    sums = np.zeros((len(rows) + 1, *rows.shape[1:]), dtype=np.int64)
    np.cumsum(rows, axis=0, out=sums[1:])
    between: Offsets = np.diff(sums[bounds], axis=0)
    return between
