"""Copies of source records in a synthetic corpus: equal after normalising, or nearly equal.

A record's *signature* is the set of its overlapping runs of five letters, digits and spaces, hashed into 8,192
buckets. The cosine of two sets is ``|A ∩ B| / sqrt(|A| |B|)``. Products of zeros and ones are exact, so the
result does not depend on how records are cut into blocks.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

BUCKETS = 1 << 13
RUN = 5
"""Characters of a run."""

FINGERPRINT_BYTES = 16

_BLOCK = 1024
"""Records multiplied at once: 32 MB of signatures on each side."""

_FACTORS = np.array([0x9E3779B97F4A7C15 * (2 * k + 1) & 0xFFFFFFFFFFFFFFFF for k in range(RUN)], np.uint64)
_SPACE = re.compile(r"\s+")
_SIGNS = re.compile(r"\W+")
_MARGIN = " " * (RUN - 1)

Packed = npt.NDArray[np.uint8]


def normalise(text: str) -> str:
    """The text without differences of compatibility forms, case and white space."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def fingerprint(text: str) -> bytes:
    """A hash that equal texts have in common once they are normalised."""
    return hashlib.sha256(normalise(text).encode("utf-8", "surrogatepass")).digest()[:FINGERPRINT_BYTES]


def signatures(texts: Sequence[str]) -> Packed:
    """The signatures of texts: one row a text, ``BUCKETS`` bits."""
    bits = np.zeros((len(texts), BUCKETS), np.bool_)
    for row, text in zip(bits, texts, strict=True):
        # White space around it, so that a text of one letter has runs as well.
        padded = f"{_MARGIN}{_SIGNS.sub(' ', normalise(text))}{_MARGIN}"
        points = np.frombuffer(padded.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
        runs = np.lib.stride_tricks.sliding_window_view(points, RUN)
        row[((runs * _FACTORS).sum(axis=1, dtype=np.uint64) >> np.uint64(64 - 13)).astype(np.intp)] = True
    return np.packbits(bits, axis=1)


class Pairs(NamedTuple):
    """Pairs of rows of two blocks whose cosine is above a threshold, in order."""

    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    cosines: npt.NDArray[np.float64]


def similar_pairs(one: Packed, other: Packed, threshold: float, block: int = _BLOCK) -> Pairs:
    """All pairs of a signature in ``one`` and a signature in ``other`` with a cosine above ``threshold``.

    ``block`` bounds memory; the result is the same for any.
    """
    found = [
        Pairs(rows + i, columns + j, cosines)
        for i, left in _blocks(one, block)
        for j, right in _blocks(other, block)
        for rows, columns, cosines in [_above(left, right, threshold)]
    ]
    if not found:
        return Pairs(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0))
    rows, columns, cosines = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.lexsort((columns, rows))
    return Pairs(rows[order], columns[order], cosines[order])


def _blocks(packed: Packed, block: int) -> Iterator[tuple[int, npt.NDArray[np.float32]]]:
    for start in range(0, len(packed), block):
        yield start, np.unpackbits(packed[start : start + block], axis=1).astype(np.float32)


def _above(left: npt.NDArray[np.float32], right: npt.NDArray[np.float32], threshold: float) -> Pairs:
    common = (left @ right.T).astype(np.float64)
    sizes = np.outer(left.sum(axis=1, dtype=np.float64), right.sum(axis=1, dtype=np.float64))
    cosines = common / np.sqrt(sizes)
    rows, columns = np.nonzero(cosines > threshold)
    return Pairs(rows, columns, cosines[rows, columns])
