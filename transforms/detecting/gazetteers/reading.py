"""Reading: the words of a batch of cells, with what capitals and punctuation say about each."""

from collections.abc import Sequence
from itertools import repeat

import numpy as np
import numpy.typing as npt

from transforms.detecting.segmentation import Segmentation as Words
from transforms.detecting.gazetteers.lexicon import Lexicon

Flags = npt.NDArray[np.bool_]
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


def _upper_table() -> Flags:
    table = np.zeros(0x110000, dtype=np.bool_)
    table[:0x10000] = [chr(code).isupper() for code in range(0x10000)]
    return table


_IS_UPPER = _upper_table()
_IS_ODD = np.zeros(0x110000, dtype=np.bool_)
_IS_ODD[[ord(c) for c in "0123456789ºª²³"]] = True
_IS_STOP = np.zeros(0x110000, dtype=np.bool_)
_IS_STOP[[ord(c) for c in '.!?:;\n"“”»«•|()[]{}…–—*>/\\=#~']] = True


class Reading:
    """Words ``0..n``: ``words[i]`` (folded) is at ``starts[i]:ends[i]`` of the joined text of all cells."""

    def __init__(self, texts: Sequence[str], first_cell: Sequence[int], lexicon: Lexicon) -> None:
        text = "\n".join(texts)
        read = Words(text)
        self.text = text
        self.words = read.words
        self.starts, self.ends = read.starts, read.ends
        n = len(self.words)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        self.ids = self._numbers(lexicon)
        self.origins = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum([len(t) + 1 for t in texts], out=self.origins[1:])
        self.cell: Numbers = np.searchsorted(self.origins, self.starts, side="right") - 1
        first = np.asarray(first_cell, dtype=np.int64)
        self.conversation: Numbers = np.searchsorted(first, self.cell, side="right") - 1

        self.latin: Flags = codes[self.starts] < _LATIN_END
        odd = np.concatenate(([0], np.cumsum(_IS_ODD[codes])))
        self.odd: Flags = odd[self.ends] > odd[self.starts]
        self.capital: Flags = _IS_UPPER[codes[self.starts]] & ~self.odd
        self.length: Numbers = self.ends - self.starts
        uppers = np.concatenate(([0], np.cumsum(_IS_UPPER[codes])))
        self.shouted: Flags = (uppers[self.ends] - uppers[self.starts] == self.length) & (self.length > 1)
        self.camel: Flags = uppers[self.ends] - uppers[self.starts] > 1
        for i in np.flatnonzero(self.camel).tolist():
            self.camel[i] = not self.words[i].startswith(_INNER_CAPITAL)
        self.initial: Flags = self.capital & (self.length == 1)

        # What stands between a word and the next: offsets are of the gap after word i.
        gap = np.zeros(n, dtype=np.int64)
        gap[:-1] = self.starts[1:] - self.ends[:-1]
        same_cell = np.zeros(n, dtype=np.bool_)
        same_cell[:-1] = self.cell[1:] == self.cell[:-1]
        after = codes[np.minimum(self.ends, max(len(codes) - 1, 0))]
        self.space: Flags = same_cell & (gap == 1) & (after == 0x20)
        self.hyphen: Flags = same_cell & (gap == 1) & (after == 0x2D)
        self.apostrophe: Flags = same_cell & (gap == 1) & np.isin(after, _APOSTROPHES)
        self.dot: Flags = same_cell & (gap == 2) & (after == 0x2E)
        self.dot &= codes[np.minimum(self.ends + 1, max(len(codes) - 1, 0))] == 0x20
        self.comma: Flags = same_cell & (gap == 2) & (after == 0x2C)

        # A word opens a sentence where a stop, a line break or nothing stands before it.
        stops = np.concatenate(([0], np.cumsum(_IS_STOP[codes])))
        self.opens_sentence: Flags = np.ones(n, dtype=np.bool_)
        self.opens_sentence[1:] = ~same_cell[:-1] | (stops[self.starts[1:]] > stops[self.ends[:-1]])
        self._tell_case(len(texts), len(first_cell))
        self._tell_care(len(texts))
        self._tell_words(lexicon, len(first_cell))
        self._tell_stems(lexicon)
        # The second half of Ji-woo: small, short and no word of the language.
        english = lexicon.word[self.ids[1:], lexicon.languages.index("en")]
        named = (lexicon.given[self.ids[1:]] > 0) & (self.word[1:] < 3) & (english < 3)
        half = self.hyphen[:-1] & self.capital[:-1] & (self.length[:-1] > 1) & ~self.capital[1:]
        half &= (self.length[1:] <= 5) & ~self.odd[1:] & self.latin[1:]
        self.capital[1:] |= half & (named | ((self.word[1:] == 0) & (english == 0)))

    def _numbers(self, lexicon: Lexicon) -> Numbers:
        found = np.fromiter(map(lexicon.numbers.get, self.words, repeat(0)), np.int64, len(self.words))
        for i in np.flatnonzero(found == 0).tolist():
            if not self.words[i].isascii():
                found[i] = lexicon.number(self.words[i])
        return found

    def _tell_case(self, cells: int, conversations: int) -> None:
        letters = self.length > 1
        capitals = np.bincount(self.cell[letters & self.capital], minlength=cells)
        total = np.bincount(self.cell[letters], minlength=cells)
        informative = (capitals > 0) & (capitals < _TITLE_CASE * total)
        in_conversation = np.bincount(self.conversation[self.capital & letters], minlength=conversations)
        of_conversation = np.bincount(self.conversation[letters], minlength=conversations)
        mixed = (in_conversation > 0) & (in_conversation < _TITLE_CASE * of_conversation)
        short = (total <= 4) & (capitals > 0)
        conversation_of_cell = np.zeros(cells, dtype=np.int64)
        conversation_of_cell[self.cell] = self.conversation
        self.cased: Flags = (informative | (short & mixed[conversation_of_cell]))[self.cell]

    def _tell_care(self, cells: int) -> None:
        """Is any word inside a sentence of the cell capitalised, so that names would be too?"""
        inside = self.cell[self.capital & ~self.opens_sentence & (self.length > 1)]
        self.careful: Flags = self.cased & (np.bincount(inside, minlength=cells) > 0)[self.cell]

    def _tell_words(self, lexicon: Lexicon, conversations: int) -> None:
        """Each word's level in the languages its conversation may be in."""
        levels = lexicon.word[self.ids]
        if not len(levels):
            self.word: npt.NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
            self.language: Numbers = np.zeros(0, dtype=np.int64)
            return
        changes = np.flatnonzero(np.diff(self.conversation, prepend=-1))
        counts = np.add.reduceat((levels >= 3).astype(np.int64), changes, axis=0)
        best = counts.max(axis=1, keepdims=True)
        plausible = (counts >= _SAME_LANGUAGE * best) & (counts > 0)
        plausible[best[:, 0] < _ENOUGH_WORDS, lexicon.languages.index("en")] = True
        lengths = np.diff(np.append(changes, len(levels)))
        self.language = np.repeat(counts.argmax(axis=1), lengths)
        self.word = (levels * np.repeat(plausible, lengths, axis=0)).max(axis=1)

    def _tell_stems(self, lexicon: Lexicon) -> None:
        """Unknown capitalised words whose stem is a name: a case ending or a genitive is part of the name."""
        for i in np.flatnonzero((self.ids == 0) & self.capital & self.cased).tolist():
            self.ids[i] = lexicon.stem(self.words[i], int(self.language[i]))

    def place(self, start: int, end: int) -> tuple[int, int, int]:
        """Cell, start and end (code points of the cell) of the words ``start:end``."""
        cell = int(self.cell[start])
        origin = int(self.origins[cell])
        return cell, int(self.starts[start]) - origin, int(self.ends[end - 1]) - origin
