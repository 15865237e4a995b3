"""HashIndex: vectorised look-up of many word hashes among a million sorted ones."""

import numpy as np
import numpy.typing as npt

from tacenda.transforms.text.word_hash import Hashes

_MOST_BITS = 21

_MOST_FILTERED = 1 << 17
"""Up to this many hashes, a table of possible ones is small enough to be checked first."""

_FILTER_BITS = 19


class HashIndex:
    """Numbers 1 … n of n distinct hashes in ascending order; 0 for every other hash.

    Hashes are evenly distributed, so their first bits lead close to them: about one comparison per word. A
    hash takes 8 bytes, plus at most 8 for the index.
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
        self._may_be: npt.NDArray[np.bool_] | None = None
        if len(hashes) <= _MOST_FILTERED:
            self._may_be = np.zeros(1 << _FILTER_BITS, dtype=np.bool_)
            self._may_be[_filter_rows(hashes)] = True

    def __len__(self) -> int:
        return self._size

    def find(self, hashes: Hashes) -> npt.NDArray[np.int64]:
        """The number of each hash, or 0."""
        if self._may_be is None:
            return self._found(hashes)
        numbers = np.zeros(len(hashes), dtype=np.int64)
        left = np.flatnonzero(self._may_be[_filter_rows(hashes)])
        numbers[left] = self._found(hashes[left])
        return numbers

    def _found(self, hashes: Hashes) -> npt.NDArray[np.int64]:
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


def _filter_rows(hashes: Hashes) -> npt.NDArray[np.intp]:
    rows: npt.NDArray[np.intp] = (hashes & _FILTER_MASK).astype(np.intp)
    return rows


_FILTER_MASK = np.uint64((1 << _FILTER_BITS) - 1)


class HashTable:
    """A value from 1 to 65535 for each of many sorted hashes; 0 for every other.

    Most words of a text are among a few thousand everyday words. Those with the greatest ``frequencies`` are
    also in a table that fits into a fast cache, each in the row given by the last bits of its hash: the row
    has the other bits, with the value in place of the last ones. All others are looked up in the index.
    """

    def __init__(
        self, hashes: Hashes, values: npt.NDArray[np.uint16], frequencies: npt.NDArray[np.uint8]
    ) -> None:
        self._index = HashIndex(hashes)
        self._values = np.append(np.uint16(0), values)
        # Of several hashes with one row, the last one written is kept.
        frequent = np.flatnonzero(frequencies)
        frequent = frequent[np.argsort(frequencies[frequent], kind="stable")]
        self._rows = np.zeros(1 << 16, dtype=np.uint64)
        self._rows[self._row(hashes[frequent])] = hashes[frequent] & ~_LAST_BITS | values[frequent]

    def __len__(self) -> int:
        return len(self._index)

    def find(self, hashes: Hashes) -> npt.NDArray[np.uint16]:
        """The value of each hash, or 0."""
        rows = self._rows[self._row(hashes)]
        values = rows.astype(np.uint16)
        values[(rows ^ hashes) > _LAST_BITS] = 0
        left = np.flatnonzero(values == 0)
        values[left] = self._values[self._index.find(hashes[left])]
        return values

    @staticmethod
    def _row(hashes: Hashes) -> npt.NDArray[np.intp]:
        rows: npt.NDArray[np.intp] = (hashes & _LAST_BITS).astype(np.intp)
        return rows


_LAST_BITS = np.uint64((1 << 16) - 1)
