"""FoldedWords: the folded words of a column as bytes and hashes, with their positions in the text."""

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.dictionaries.folding import (
    ALONE,
    APOSTROPHES,
    GAP,
    MARK,
    Codes,
    Folding,
    Kinds,
    fold_table,
)
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.words import Hashes, word_hashes

Offsets = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

SPACE, TOUCH = 0x20, 0x1F
"""The byte between two words: whether something separates them, or a letter touches a digit."""

_TOUCHING = np.uint64(0x5851F42D4C957F2D)
_N = ord("n")
_NEGATION = np.array([ord(c) for c in "tT"])
_APOSTROPHES = np.array([ord(c) for c in APOSTROPHES])


class FoldedWords:
    """Word ``i`` is ``starts[i]:ends[i]`` (code points) of the text of a column.

    As in Google's dictionaries, words are bounded by anything that is neither letter nor digit, and by
    transitions between letters and digits; the number of characters between two words does not matter. In
    addition, every letter of a script without spaces is a word, so that terms are found within sentences. The
    words of a ``TextColumn`` differ: they keep letters and digits together, and accents, for names and
    models.

    ``data`` has the folded words in UTF-8, word ``i`` at ``begins[i]:stops[i]``, with one byte between words.
    Cell ``k`` has the words ``first_words[k]:first_words[k + 1]``.
    """

    def __init__(self, column: TextColumn, folding: Folding) -> None:
        self.folding = folding
        self._codes = column.characters.exact
        table = fold_table(folding)
        kinds, is_mark = _with_marks(table.kinds(self._codes))
        self.starts, self.ends = _bounds(kinds, is_mark)
        self.first_words: Offsets = np.searchsorted(self.starts, column.origins)
        self.touches = np.zeros(len(self.starts), dtype=np.bool_)
        # A mark that follows nothing is a separator, whatever it would be folded to elsewhere.
        self._fold(self._codes if is_mark is None else np.where(kinds == GAP, SPACE, self._codes), kinds)

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def hashes(self) -> Hashes:
        """The hash of each word."""
        return word_hashes(self.data, self.begins, self.stops)

    @cached_property
    def following(self) -> Hashes:
        """The hash of each word as a continuation of a phrase."""
        return np.where(self.touches, self.hashes ^ _TOUCHING, self.hashes)

    @cached_property
    def distinct(self) -> tuple[Hashes, Offsets]:
        """The distinct hashes, ascending, and the index of each word's hash among them."""
        hashes, inverse = np.unique(self.hashes, return_inverse=True)
        return hashes, inverse

    @cached_property
    def left_in_cell(self) -> Offsets:
        """For each word, the number of words left in its cell, including itself."""
        counts = np.diff(self.first_words)
        return np.repeat(self.first_words[1:], counts) - np.arange(len(self))

    def negated(self, words: Offsets) -> Flags:
        """Whether each word is negated by n't: "don't" holds the English word "do", not the name Don.

        The t must end a word: in 'Ann'Tom' it does not. Only words that end in n count.
        """
        last = len(self._codes) - 1
        after = self.ends[words]
        negated: Flags = self.data[self.stops[words] - 1] == _N
        negated &= np.isin(self._codes[np.minimum(after, last)], _APOSTROPHES)
        negated &= np.isin(self._codes[np.minimum(after + 1, last)], _NEGATION)
        following = fold_table(self.folding).kinds(self._codes[np.minimum(after + 2, last)])
        negated &= (following == GAP) | (after + 2 > last)
        return negated

    def _fold(self, codes: Codes, kinds: Kinds) -> None:
        """Reduce whatever separates words to one byte, and fold the words."""
        kept = kinds > GAP
        kept[self.starts[1:] - 1] = True
        places = np.zeros(len(kept) + 1, dtype=np.int64)
        folded, counts = fold_table(self.folding).fold(codes[kept])
        if counts is None:
            np.cumsum(kept, out=places[1:])
        else:
            sizes = np.zeros(len(kept), dtype=np.int64)
            sizes[kept] = counts
            np.cumsum(sizes, out=places[1:])
        self.begins: Offsets = places[self.starts]
        self.stops: Offsets = places[self.ends]
        close = np.flatnonzero(self.starts[1:] == self.ends[:-1]) + 1
        if len(close):
            folded = self._parted(folded, close, kinds)
        self.data: Bytes = self._encoded(folded)

    def _parted(self, folded: Codes, close: Offsets, kinds: Kinds) -> Codes:
        starts = self.starts[close]
        before, after = kinds[starts - 1], kinds[starts]
        self.touches[close] = (before != ALONE) & (after != ALONE)
        between = np.where(self.touches[close], TOUCH, SPACE).astype(folded.dtype)
        folded = np.insert(folded, self.begins[close], between)
        shift = np.zeros(len(self), dtype=np.int64)
        shift[close] = 1
        shift = np.cumsum(shift)
        self.begins += shift
        self.stops += shift
        return folded

    def _encoded(self, folded: Codes) -> Bytes:
        if folded.max(initial=0) < 0x80:
            return folded.astype(np.uint8)
        widths = np.ones(len(folded) + 1, dtype=np.int64)
        for least in (0x80, 0x800, 0x10000):
            widths[1:] += folded >= least
        widths[0] = 0
        places = np.cumsum(widths)
        self.begins, self.stops = places[self.begins], places[self.stops]
        return np.frombuffer(folded.astype("<u4").tobytes().decode("utf-32-le").encode(), dtype=np.uint8)


def folded_forms(texts: Sequence[str], folding: Folding) -> list[bytes]:
    """The folded words of each text in UTF-8; equal for texts that match the same dictionary term."""
    words = FoldedWords(TextColumn(texts), folding)
    return [
        words.data[words.begins[first] : words.stops[last - 1]].tobytes() if last > first else b""
        for first, last in pairwise(words.first_words.tolist())
    ]


def _with_marks(kinds: Kinds) -> tuple[Kinds, Flags | None]:
    """Give each mark the role of the character it follows; also whether each is a mark, None if none is."""
    is_mark = kinds == MARK
    if not is_mark.any():
        return kinds, None
    bases = np.where(is_mark, 0, np.arange(len(kinds)))
    kinds = kinds[np.maximum.accumulate(bases)]
    kinds[kinds == MARK] = GAP  # at the very beginning, where they follow nothing
    return kinds, is_mark


def _bounds(kinds: Kinds, is_mark: Flags | None) -> tuple[Offsets, Offsets]:
    change = np.ones(len(kinds) + 1, dtype=np.bool_)
    np.not_equal(kinds[1:], kinds[:-1], out=change[1:-1])
    alone = kinds == ALONE
    if alone.any():
        change[:-1] |= alone if is_mark is None else alone & ~is_mark
    word = kinds > GAP
    return np.flatnonzero(change[:-1] & word), np.flatnonzero(change[1:] & word) + 1
