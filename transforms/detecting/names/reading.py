"""Reading: the words of some conversations, with the evidence of capitals, punctuation and language.

Everything is an array with one entry per word, computed in bulk; only unknown words that may be inflected
names are handled one by one.
"""

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.names.facts import Flags, Kinds, gathered
from tacenda.transforms.detecting.names.lexicon import Lexicon, plain
from tacenda.transforms.detecting.names.lists import Levels
from tacenda.transforms.detecting.names.stems import has_stems, stems
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.word_shapes import Numbers
from tacenda.transforms.text.words import hashes_of

_TITLE_CASE = 0.6
"""Minimum share of capitalised words at which capitals mean nothing."""

_SAME_LANGUAGE = 0.75
"""A language with this share of the likeliest language's everyday words counts as possible too."""

_ENOUGH_WORDS = 3
"""Fewest everyday words that identify the language; below, English is one of the guesses."""


class Reading:
    """Words ``0..n``: word ``i`` is at ``starts[i]:ends[i]`` of the text of a column."""

    def __init__(self, column: TextColumn, lexicon: Lexicon) -> None:
        self._words = column.words
        shapes = column.word_shapes
        self.starts, self.ends, self.hashes = self._words.starts, self._words.ends, self._words.hashes
        self.length, self.latin, self.odd, self.camel = shapes.length, shapes.latin, shapes.odd, shapes.camel
        self.shouted = shapes.shouted
        # Copies, since they are modified below.
        self.capital: Flags = shapes.capital.copy()
        self.long: Flags = self.length > 1
        self.initial: Flags = self.capital & ~self.long
        self.opens_sentence: Flags = shapes.opens_sentence.copy()
        # What separates a word from the next in the same cell
        self.space, self.hyphen, self.apostrophe, self.dot, self.comma = (
            sign.copy() for sign in (shapes.space, shapes.hyphen, shapes.apostrophe, shapes.dot, shapes.comma)
        )
        self.origins = column.origins
        self._of_cell = np.searchsorted(self.starts, self.origins)
        self._first_cell = np.asarray(column.first_cell, dtype=np.int64)
        self.of_conversation = self._of_cell[self._first_cell]
        self._part_cells()
        self.size: Numbers = np.diff(self._of_cell)
        """Words of each cell."""
        self.cell: npt.NDArray[np.int32] = np.repeat(np.arange(len(column), dtype=np.int32), self.size)
        self.kinds = self._kinds(shapes.accented, lexicon)
        self._tell_case()
        self._tell_words(lexicon)
        self._tell_stems(lexicon)
        self._tell_pairs(lexicon)
        self._tell_halves(lexicon)

    def __len__(self) -> int:
        return len(self.starts)

    def word_at(self, i: int) -> str:
        """A word, folded."""
        return self._words.word(i)

    def place(self, starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Cells, starts and ends (code points in the cell) of ranges of words."""
        cells = self.cell[starts].astype(np.int64)
        origins = self.origins[cells]
        return cells, self.starts[starts] - origins, self.ends[ends - 1] - origins

    def conversation(self, words: Numbers) -> Numbers:
        """The conversation of each word."""
        return np.searchsorted(self.of_conversation, words, side="right") - 1

    def language(self, words: Numbers) -> Numbers:
        """The likeliest language of each word's conversation, as a column of ``lexicon.word``."""
        return self.languages[self.conversation(words)]

    def _part_cells(self) -> None:
        first = self._of_cell[:-1]
        self.opens_sentence[first[first < len(self.starts)]] = True
        last = self._of_cell[1:] - 1
        last = last[last >= 0]
        for sign in (self.space, self.hyphen, self.apostrophe, self.dot, self.comma):
            sign[last] = False

    def _kinds(self, accented: Flags, lexicon: Lexicon) -> Kinds:
        kinds = lexicon.kinds(self.hashes)
        unknown = np.flatnonzero(accented & (kinds == 0))
        _, first, form = np.unique(self.hashes[unknown], return_index=True, return_inverse=True)
        if len(first):
            words = self._spelled(unknown[first])
            kinds[unknown] = lexicon.kinds(hashes_of([plain(word) for word in words]))[form]
        return kinds

    def _spelled(self, places: Numbers) -> list[str]:
        return [self._words.word(i) for i in places.tolist()]

    def _tell_case(self) -> None:
        """Find where capitals are informative, and where they are used with care."""
        total = _counted(self.long, self._of_cell)
        capital = self.long & self.capital
        capitals = _counted(capital, self._of_cell)
        informative = (capitals > 0) & (capitals < _TITLE_CASE * total)
        in_conversation = _counted(capitals, self._first_cell)
        of_conversation = _counted(total, self._first_cell)
        mixed = (in_conversation > 0) & (in_conversation < _TITLE_CASE * of_conversation)
        short = (total <= 4) & (capitals > 0)
        cased = informative | (short & np.repeat(mixed, np.diff(self._first_cell)))
        self.cased: Flags = np.repeat(cased, self.size)
        # Whether any word within a sentence of the cell is capitalised; then names would be, too.
        inside = _counted(capital & ~self.opens_sentence, self._of_cell) > 0
        self.careful: Flags = np.repeat(cased & inside, self.size)

    def _tell_words(self, lexicon: Lexicon) -> None:
        """Compute each word's level in the possible languages of its conversation."""
        counts = self._everyday_words(lexicon)
        best = counts.max(axis=1, keepdims=True)
        plausible = (counts >= _SAME_LANGUAGE * best) & (counts > 0)
        plausible[best[:, 0] < _ENOUGH_WORDS, lexicon.languages.index("en")] = True
        self.languages: Numbers = counts.argmax(axis=1)
        # There are few distinct sets of languages: compute a table of all kinds for each.
        sets, number = np.unique(plausible @ (1 << np.arange(plausible.shape[1])), return_inverse=True)
        levels = np.concatenate([lexicon.word_in(languages) for languages in sets.tolist()])
        if len(sets) == 1:
            self.word: Levels = gathered(levels, self.kinds)
        else:
            table = (number * (len(levels) // len(sets))).astype(np.int32)
            self.word = gathered(levels, np.repeat(table, np.diff(self.of_conversation)) + self.kinds)

    def _everyday_words(self, lexicon: Lexicon) -> Numbers:
        """The number of everyday words of each language in each conversation."""
        patterns, pattern = lexicon.everyday
        conversations = len(self.of_conversation) - 1
        first = np.arange(conversations, dtype=np.int32) * np.int32(len(patterns))
        places = gathered(pattern, self.kinds) + np.repeat(first, np.diff(self.of_conversation))
        counts = np.bincount(places, minlength=conversations * len(patterns))
        # Of integers: a product of floats would wake the threads of BLAS, which spin for longer than it takes.
        return counts.reshape(conversations, -1) @ patterns.astype(np.int64)

    def _tell_stems(self, lexicon: Lexicon) -> None:
        """Treat unknown capitalised words whose stem is a name as names, including the ending."""
        unknown = np.flatnonzero((self.kinds == 0) & self.capital & self.cased)
        unknown = unknown[has_stems(lexicon)[self.language(unknown)]]
        languages = self.language(unknown)
        keys = self.hashes[unknown] ^ languages.astype(np.uint64)
        _, first, form = np.unique(keys, return_index=True, return_inverse=True)
        words = self._spelled(unknown[first])
        self.kinds[unknown] = stems(words, languages[first].tolist(), lexicon)[form]

    def _tell_pairs(self, lexicon: Lexicon) -> None:
        """Find two syllables of a given name joined by a hyphen (Ah-reum, Chia-hao)."""
        first = np.flatnonzero(self.hyphen)
        first = first[np.minimum(self.word[first], self.word[first + 1]) < 3]
        first = first[self.hashes[first] != self.hashes[first + 1]]
        first = first[~self.hyphen[first - 1] & ~self.hyphen[first + 1]]
        known = np.zeros(len(first), dtype=np.bool_)
        for syllables in (lexicon.is_in["korean_syllables"], lexicon.is_in["chinese_syllables"]):
            known |= syllables[self.kinds[first]] & syllables[self.kinds[first + 1]]
        self.pairs: Flags = np.zeros(len(self.starts), dtype=np.bool_)
        self.pairs[first[known]] = True

    def _tell_halves(self, lexicon: Lexicon) -> None:
        """Find second halves as in Ji-woo: lower case, short, and not an ordinary word."""
        half = np.flatnonzero(self.hyphen & self.capital & self.long) + 1
        half = half[~self.capital[half] & (self.length[half] <= 5) & ~self.odd[half] & self.latin[half]]
        kinds, word = self.kinds[half], self.word[half]
        english = lexicon.word[kinds, lexicon.languages.index("en")]
        named = (lexicon.given[kinds] > 0) & (word < 3) & (english < 3)
        named |= self.pairs[half - 1]
        self.capital[half[named | ((word == 0) & (english == 0))]] = True


def _counted(values: npt.NDArray[np.generic], bounds: Numbers) -> Numbers:
    """The sum of the values between successive bounds."""
    sums = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=sums[1:])
    counts: Numbers = np.diff(sums[bounds])
    return counts
