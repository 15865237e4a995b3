"""HashIndex: which of a million sorted hashes are those of some words, without a comparison sort or a dict."""

import numpy as np
import numpy.typing as npt

from transforms.detecting.word_hash import Hashes

_MOST_BITS = 21


class HashIndex:
    """Numbers 1 … n of n different hashes in rising order; 0 is every other hash.

    Hashes are spread evenly, so their first bits lead near to them: about one comparison a word. A hash takes
    8 bytes, and at most 8 more to be found by.
    """

    def __init__(self, hashes: Hashes) -> None:
        bits = min(max(len(hashes) - 1, 1).bit_length(), _MOST_BITS)
        self._shift = np.uint64(64 - bits)
        buckets = (hashes >> self._shift).astype(np.int64)
        counts = np.bincount(buckets, minlength=1 << bits)
        self._first = np.zeros((1 << bits) + 1, dtype=np.uint32)
        np.cumsum(counts, out=self._first[1:])
        # Greater than every hash but one, so that no search runs past the end.
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
