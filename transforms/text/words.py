"""Words: segment text into runs of letters, digits and combining marks, folded one to one.

Everything between words counts as a space. In scripts without spaces (Han, kana, Thai, Lao, Khmer, Burmese)
every letter is a word of its own.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacenda.transforms.text.characters import Characters, Codes
from tacenda.transforms.text.folding import SPACE, UNSPACED, fold_table, unspaced

Hashes = npt.NDArray[np.uint64]
Offsets = npt.NDArray[np.int64]

_BASE = 0x9E6C63D0876A3F6B
"""B: odd, so that it has an inverse; 3 modulo 8, so that words with swapped letters still differ in 60
bits."""
_INVERSE = pow(_BASE, -1, 1 << 64)
_JOIN = np.uint64(0xD1342543DE82EF95)

_PIECE = 1 << 15  # code points hashed at once: a block that fits into a fast cache


def word_hashes(codes: Codes, starts: Offsets, ends: Offsets) -> Hashes:
    """The hash of each word ``codes[starts[i]:ends[i]]``.

    The words are in ascending order without overlaps; ``codes`` are folded, and none within a word is 0.
    """
    hashes = np.empty(len(starts), dtype=np.uint64)
    powers, inverses = _powers(_BASE, _PIECE), _powers(_INVERSE, _PIECE)
    first = 0
    while first < len(starts):
        origin = int(starts[first])
        # The words that end within a piece, or a single longer one.
        last = max(first + 1, int(np.searchsorted(ends, origin + _PIECE, side="right")))
        size = int(ends[last - 1]) - origin
        if size > _PIECE:
            powers, inverses = _powers(_BASE, size), _powers(_INVERSE, size)
        sums = np.zeros(size + 1, dtype=np.uint64)
        np.cumsum(codes[origin : origin + size] * powers[:size], out=sums[1:])
        begins = starts[first:last] - origin
        hashes[first:last] = (sums[ends[first:last] - origin] - sums[begins]) * inverses[begins]
        first = last
    return mixed(hashes)


def hashes_of(words: Sequence[str]) -> Hashes:
    """The hash of each of some folded words."""
    codes = np.frombuffer(" ".join(words).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    ends = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)) + 1) - 1
    starts = np.zeros(len(words), dtype=np.int64)
    starts[1:] = ends[:-1] + 1
    return word_hashes(codes, starts, ends)


def joined(beginnings: Hashes, words: Hashes) -> Hashes:
    """The hash of each phrase, from its beginning (one or more words) and its next word."""
    return mixed(beginnings * _JOIN + words)


def mixed(values: Hashes) -> Hashes:
    """A bijection that maps close values far apart."""
    values = values ^ (values >> np.uint64(30))
    values *= np.uint64(0xBF58476D1CE4E5B9)
    values ^= values >> np.uint64(27)
    values *= np.uint64(0x94D049BB133111EB)
    values ^= values >> np.uint64(31)
    return values


def _powers(base: int, count: int) -> Hashes:
    known = _POWERS.get(base)
    if known is not None and len(known) >= count:
        return known
    powers = np.full(count, base, dtype=np.uint64)
    powers[:1] = 1
    return np.cumprod(powers, out=powers)


_POWERS: dict[int, Hashes] = {}
_POWERS.update({base: _powers(base, _PIECE) for base in (_BASE, _INVERSE)})


class Words:
    """Word ``i`` is ``starts[i]:ends[i]`` (code points) of a text; ``folded`` has a number per character."""

    def __init__(self, characters: Characters) -> None:
        self.characters = characters
        self.folded: Codes = fold_table()[characters.coded]
        letter = self.folded != SPACE
        bounds = np.zeros(len(letter) + 1, dtype=np.bool_)
        np.not_equal(letter[1:], letter[:-1], out=bounds[1:-1])
        if len(letter):
            bounds[0], bounds[-1] = letter[0], letter[-1]
        edges = np.flatnonzero(bounds)
        self.starts: Offsets = edges[::2].copy()
        self.ends: Offsets = edges[1::2].copy()
        self._split(letter)

    def __len__(self) -> int:
        return len(self.starts)

    def _split(self, letter: npt.NDArray[np.bool_]) -> None:
        """Make a word of each letter of a script without spaces."""
        alone = np.flatnonzero(self.folded >= UNSPACED[0][0])
        alone = alone[unspaced()[self.characters.coded[alone]]]
        if not len(alone):
            return
        between = np.unique(np.concatenate((alone, alone + 1)))
        between = between[(between > 0) & (between < len(letter))]
        between = between[letter[between - 1] & letter[between]]
        self.starts = np.sort(np.concatenate((self.starts, between)))
        self.ends = np.sort(np.concatenate((self.ends, between)))

    @cached_property
    def hashes(self) -> Hashes:
        """The hash of each word."""
        return word_hashes(self.folded, self.starts, self.ends)

    @cached_property
    def _folded_text(self) -> str:
        """The folded text, with spaces outside of words."""
        return self.folded.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")

    def word(self, i: int) -> str:
        """One word, folded."""
        return self._folded_text[self.starts[i] : self.ends[i]]


_MOST_BITS = 21


class HashIndex:
    """Numbers 1 … n of n distinct hashes in ascending order; 0 for every other hash.

    Hashes are evenly distributed, so their first bits lead close to them: about one comparison per word, a
    tenth of the time of a binary search. A hash takes 8 bytes, plus at most 8 for the index.
    """

    def __init__(self, hashes: Hashes) -> None:
        bits = min(max(len(hashes) - 1, 1).bit_length(), _MOST_BITS)
        self._shift = np.uint64(64 - bits)
        buckets = (hashes >> self._shift).astype(np.int64)
        counts = np.bincount(buckets, minlength=1 << bits)
        self._first = np.zeros((1 << bits) + 1, dtype=np.uint32)
        np.cumsum(counts, out=self._first[1:])
        # A sentinel greater than almost any hash, so that no search runs past the end.
        self._hashes = np.append(hashes, np.uint64(2**64 - 1))
        self._size = len(hashes)

    def __len__(self) -> int:
        return self._size

    def find(self, hashes: Hashes) -> npt.NDArray[np.int64]:
        """The number of each hash, or 0."""
        place = self._first[(hashes >> self._shift).astype(np.int64)].astype(np.int64)
        near = self._hashes[place]
        numbers = np.where(near == hashes, place + 1, 0)
        left = np.flatnonzero(near < hashes)
        place, hashes = place[left], hashes[left]
        while len(left):
            place += 1
            near = self._hashes[place]
            met = near == hashes
            numbers[left[met]] = place[met] + 1
            further = near < hashes
            left, place, hashes = left[further], place[further], hashes[further]
        numbers[numbers > self._size] = 0
        return numbers
