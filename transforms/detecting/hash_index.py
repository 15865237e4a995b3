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
        self._rounds = int(counts.max(initial=0))
        # Room behind the last hash, so that every round may look.
        self._hashes = np.append(hashes, np.zeros(self._rounds, dtype=np.uint64))
        self._size = len(hashes)

    def __len__(self) -> int:
        return self._size

    def find(self, hashes: Hashes) -> npt.NDArray[np.int64]:
        """The number of each hash, or 0."""
        bucket = (hashes >> self._shift).astype(np.int64)
        place = self._first[bucket].astype(np.int64)
        last = self._first[bucket + 1]
        numbers = np.zeros(len(hashes), dtype=np.int64)
        if not self._size:
            return numbers
        met = (self._hashes[place] == hashes) & (place < last)
        numbers[met] = place[met] + 1
        left = np.flatnonzero(~met & (place + 1 < last))
        while len(left):
            place[left] += 1
            met = self._hashes[place[left]] == hashes[left]
            numbers[left[met]] = place[left[met]] + 1
            left = left[~met & (place[left] + 1 < last[left])]
        return numbers
