"""64-bit hashes of words and phrases, stable across processes, platforms and Python versions.

A word of folded code points ``c[0] … c[n-1]`` has the hash ``mix(c[0] + c[1]·B + … + c[n-1]·B^(n-1))`` modulo
2^64; prefix sums give the hashes of all words of a text at once, in linear time. A phrase has the hash of its
beginning joined with that of its next word. ``mix`` is the finaliser of SplitMix64 (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", OOPSLA 2014), a bijection that spreads the bits, so that
sorted hashes are evenly distributed.

Two words with the same hash are confused. Usually this adds a finding; if an unlisted name has the hash of an
everyday word, the name is missed. Words not chosen to collide (the sum is not a cryptographic hash) do so
with a probability of about 2^-60 per pair: that any of a million distinct words of a corpus collides with any
of a million listed ones has a probability of one in a million.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]
Codes = npt.NDArray[np.unsignedinteger]
Offsets = npt.NDArray[np.int64]

_BASE = 0x9E6C63D0876A3F6B
"""B: odd, so that it has an inverse; 3 modulo 8, so that words with swapped letters still differ in 60
bits."""
_INVERSE = pow(_BASE, -1, 1 << 64)
_JOIN = np.uint64(0xD1342543DE82EF95)

_PIECE = 1 << 15
"""Code points hashed at once: a block that fits into a fast cache."""


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
