"""Reading: the words of a batch of cells, with what capitals and punctuation say about each.

Everything is an array with one entry a word, made without a look at single words; only unknown words that may
be forms of a name are spelled out.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from transforms.detecting.gazetteers.lexicon import Flags, Kinds, Lexicon, plain
from transforms.detecting.gazetteers.lists import Levels
from transforms.detecting.gazetteers.stems import has_stems, stems
from transforms.detecting.segmentation import Segmentation
from transforms.detecting.word_hash import hashes_of

Numbers = npt.NDArray[np.int64]

_TITLE_CASE = 0.6
"""Share of capitalised words from which on a capital says nothing."""

_SAME_LANGUAGE = 0.75
"""A language with this share of the everyday words of the likeliest one may be the language too."""

_ENOUGH_WORDS = 3
"""Everyday words below which the language is not told; English, the commonest, is then one of the guesses."""

_INNER_CAPITAL = ("mc", "mac", "fitz", "de", "di", "van", "le", "la")
"""Beginnings of names that may have a second capital (McKenzie, DeLuca)."""

_LATIN_END = 0x250
_APOSTROPHES = (0x27, 0x2019)

_UPPER, _ODD, _STOP = 1, 2, 4


@lru_cache(maxsize=1)
def _marks() -> npt.NDArray[np.uint8]:
    """Code point to what it says: a capital, a digit, the end of a sentence."""
    table = np.zeros(0x110000, dtype=np.uint8)
    table[:0x10000] = [_UPPER * chr(code).isupper() for code in range(0x10000)]
    table[[ord(c) for c in "0123456789ºª²³"]] |= _ODD
    table[[ord(c) for c in '.!?:;\n"“”»«•|()[]{}…–—*>/\\=#~']] |= _STOP
    return table


class Reading:
    """Words ``0..n``: word ``i`` is at ``starts[i]:ends[i]`` of the joined text of all cells."""

    def __init__(self, texts: Sequence[str], first_cell: Sequence[int], lexicon: Lexicon) -> None:
        read = Segmentation("\n".join(texts))
        self._segmentation = read
        self.starts, self.ends, self.hashes = read.starts, read.ends, read.hashes
        self.word_at = read.word
        self.origins = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1, out=self.origins[1:])
        self._of_cell = np.searchsorted(self.starts, self.origins)
        self._of_conversation = self._of_cell[np.asarray(first_cell, dtype=np.int64)]
        self.cell: Numbers = np.repeat(np.arange(len(texts)), np.diff(self._of_cell))
        self.conversation: Numbers = np.repeat(np.arange(len(first_cell) - 1), np.diff(self._of_conversation))
        self.size: Numbers = np.diff(self._of_cell)[self.cell]
        """Words of the word's cell."""
        self.kinds = self._kinds(lexicon)
        self._tell_letters()
        self._tell_gaps()
        self._tell_case()
        self._tell_care()
        self._tell_words(lexicon)
        self._tell_stems(lexicon)
        self._tell_pairs(lexicon)
        self._tell_halves(lexicon)

    def __len__(self) -> int:
        return len(self.starts)

    def place(self, starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Cells, starts and ends (code points of the cell) of ranges of words."""
        cells = self.cell[starts]
        origins = self.origins[cells]
        return cells, self.starts[starts] - origins, self.ends[ends - 1] - origins

    def _kinds(self, lexicon: Lexicon) -> Kinds:
        kinds = lexicon.kinds(self.hashes)
        beyond_ascii = np.flatnonzero(self._segmentation.folded >= 0x80)
        if len(beyond_ascii):
            accented = np.unique(self._words_with(beyond_ascii))
            unknown = accented[kinds[accented] == 0]
            _, first, form = np.unique(self.hashes[unknown], return_index=True, return_inverse=True)
            if len(first):
                kinds[unknown] = lexicon.kinds(hashes_of([plain(w) for w in self._spelled(unknown[first])]))[
                    form
                ]
        return kinds

    def _spelled(self, places: Numbers) -> list[str]:
        return [self.word_at(i) for i in places.tolist()]

    def _words_with(self, places: Numbers) -> Numbers:
        """The words that some code points (rising) are in, those in no word left out."""
        words = np.searchsorted(self.starts, places, side="right") - 1
        return words[(words >= 0) & (places < self.ends[words])]

    def _tell_letters(self) -> None:
        read, n = self._segmentation, len(self.starts)
        marks = _marks()[read.codes]
        marked = np.flatnonzero(marks)
        mark = marks[marked]
        first = read.codes[self.starts]
        self.length: Numbers = self.ends - self.starts
        self.latin: Flags = first < _LATIN_END
        self.odd: Flags = np.zeros(n, dtype=np.bool_)
        self.odd[self._words_with(marked[mark & _ODD > 0])] = True
        uppers = np.bincount(self._words_with(marked[mark & _UPPER > 0]), minlength=n)
        self.capital: Flags = ((marks[self.starts] & _UPPER) > 0) & ~self.odd
        self.shouted: Flags = (uppers == self.length) & (self.length > 1)
        self.initial: Flags = self.capital & (self.length == 1)
        self.camel: Flags = uppers > 1
        several = np.flatnonzero(self.camel)
        for beginning in _INNER_CAPITAL:
            several = several[~self._begin_with(several, beginning)]
        self.camel[:] = False
        self.camel[several] = True
        # A word opens a sentence where a stop, a line break or nothing stands before it.
        self.opens_sentence: Flags = np.zeros(n + 1, dtype=np.bool_)
        self.opens_sentence[np.searchsorted(self.starts, marked[mark & _STOP > 0], side="right")] = True
        self.opens_sentence[self._of_cell] = True
        self.opens_sentence = self.opens_sentence[:n]

    def _begin_with(self, words: Numbers, beginning: str) -> Flags:
        begin: Flags = self.length[words] >= len(beginning)
        for k, letter in enumerate(beginning):
            begin[begin] = self._segmentation.folded[self.starts[words[begin]] + k] == ord(letter)
        return begin

    def _tell_gaps(self) -> None:
        """What stands between a word and the next: flags are of the gap after word i."""
        codes, n = self._segmentation.codes, len(self.starts)
        gap = np.zeros(n, dtype=np.int64)
        gap[:-1] = self.starts[1:] - self.ends[:-1]
        gap[self._of_cell[self._of_cell > 0] - 1] = 0
        after = codes[np.minimum(self.ends, max(len(codes) - 1, 0))]
        one, two = gap == 1, gap == 2
        self.space: Flags = one & (after == 0x20)
        self.hyphen: Flags = one & (after == 0x2D)
        self.apostrophe: Flags = one & ((after == _APOSTROPHES[0]) | (after == _APOSTROPHES[1]))
        self.dot: Flags = two & (after == 0x2E)
        dots = np.flatnonzero(self.dot)
        self.dot[dots] = codes[self.ends[dots] + 1] == 0x20
        self.comma: Flags = two & (after == 0x2C)

    def _tell_case(self) -> None:
        letters = self.length > 1
        capitals = _counted(letters & self.capital, self._of_cell)
        total = _counted(letters, self._of_cell)
        informative = (capitals > 0) & (capitals < _TITLE_CASE * total)
        in_conversation = _counted(letters & self.capital, self._of_conversation)
        of_conversation = _counted(letters, self._of_conversation)
        mixed = (in_conversation > 0) & (in_conversation < _TITLE_CASE * of_conversation)
        short = (total <= 4) & (capitals > 0)
        cased = np.repeat(informative, np.diff(self._of_cell))
        cased |= np.repeat(short, np.diff(self._of_cell)) & np.repeat(mixed, np.diff(self._of_conversation))
        self.cased: Flags = cased

    def _tell_care(self) -> None:
        """Is any word inside a sentence of the cell capitalised, so that names would be too?"""
        inside = _counted(self.capital & ~self.opens_sentence & (self.length > 1), self._of_cell)
        self.careful: Flags = self.cased & np.repeat(inside > 0, np.diff(self._of_cell))

    def _tell_words(self, lexicon: Lexicon) -> None:
        """Each word's level in the languages its conversation may be in."""
        counts = self._everyday_words(lexicon)
        best = counts.max(axis=1, keepdims=True)
        plausible = (counts >= _SAME_LANGUAGE * best) & (counts > 0)
        plausible[best[:, 0] < _ENOUGH_WORDS, lexicon.languages.index("en")] = True
        lengths = np.diff(self._of_conversation)
        self.language: Numbers = np.repeat(counts.argmax(axis=1), lengths)
        # Few different sets of languages come up: a table of all kinds for each.
        sets, number = np.unique(plausible @ (1 << np.arange(plausible.shape[1])), return_inverse=True)
        levels = np.stack([lexicon.word_in(languages) for languages in sets.tolist()])
        self.word: Levels = levels[np.repeat(number, lengths), self.kinds]

    def _everyday_words(self, lexicon: Lexicon) -> Numbers:
        """How many words of each conversation are everyday words of each language."""
        patterns, pattern = lexicon.everyday
        conversations = len(self._of_conversation) - 1
        places = self.conversation * len(patterns) + pattern[self.kinds]
        counts = np.bincount(places, minlength=conversations * len(patterns))
        product = counts.reshape(conversations, -1).astype(np.float64) @ patterns.astype(np.float64)
        return product.astype(np.int64)

    def _tell_stems(self, lexicon: Lexicon) -> None:
        """Unknown capitalised words whose stem is a name: a case ending or a genitive is part of the name."""
        inflected = has_stems(lexicon)[self.language]
        unknown = np.flatnonzero((self.kinds == 0) & self.capital & self.cased & inflected)
        keys = self.hashes[unknown] ^ self.language[unknown].astype(np.uint64)
        _, first, form = np.unique(keys, return_index=True, return_inverse=True)
        words = self._spelled(unknown[first])
        self.kinds[unknown] = stems(words, self.language[unknown[first]].tolist(), lexicon)[form]

    def _tell_pairs(self, lexicon: Lexicon) -> None:
        """Where do two syllables of a given name follow, with a hyphen between them (Ah-reum, Chia-hao)?"""
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
        """The second half of Ji-woo is small, short and no word of the language."""
        half = np.flatnonzero(self.hyphen & self.capital & (self.length > 1)) + 1
        half = half[~self.capital[half] & (self.length[half] <= 5) & ~self.odd[half] & self.latin[half]]
        kinds, word = self.kinds[half], self.word[half]
        english = lexicon.word[kinds, lexicon.languages.index("en")]
        named = (lexicon.given[kinds] > 0) & (word < 3) & (english < 3)
        named |= self.pairs[half - 1]
        self.capital[half[named | ((word == 0) & (english == 0))]] = True


def _counted(flags: Flags, bounds: Numbers) -> Numbers:
    """How many are set between each bound and the next."""
    sums = np.zeros(len(flags) + 1, dtype=np.int64)
    np.cumsum(flags, out=sums[1:])
    counts: Numbers = np.diff(sums[bounds])
    return counts
