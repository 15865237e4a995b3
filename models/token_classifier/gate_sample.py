"""Sample blocks that are also scored without gates, to estimate what the gates miss.

The sample is drawn by a hash of the conversation's tokens, so it does not depend on the batch.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.token_columns import TokenColumns

Bools = npt.NDArray[np.bool_]
Hashes = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

SAMPLED = 0.01
"""Share of blocks that are also scored without gates."""

_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)


def hash_conversations(encoded: TokenColumns, first_cell: Sequence[int]) -> Hashes:
    """A hash of the tokens of each conversation, in order."""
    starts = encoded.first_token[np.asarray(first_cell, np.int64)].astype(np.int64)
    count = len(encoded.ids)
    place = np.arange(count, dtype=np.uint64) - np.repeat(starts[:-1], np.diff(starts)).astype(np.uint64)
    mixed = _mixed(encoded.ids.astype(np.uint64) * _FACTORS[0] + place * _FACTORS[1])
    sums = np.zeros(count + 1, np.uint64)
    np.cumsum(mixed, out=sums[1:])
    return _mixed(sums[starts[1:]] - sums[starts[:-1]])


def draw(conversations: Hashes, counts: Ints) -> Bools:
    """Sample items of each conversation (``counts`` of them) by its hash and their index."""
    first = np.repeat(np.cumsum(counts) - counts, counts)
    number = (np.arange(len(first)) - first).astype(np.uint64)
    drawn: Bools = _mixed(np.repeat(conversations, counts) + number * _FACTORS[2]) < int(SAMPLED * 2.0**64)
    return drawn


def _mixed(values: Hashes) -> Hashes:
    """Mix the bits of each value (the finaliser of SplitMix64: Steele et al., 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Hashes = values ^ (values >> np.uint64(31))
    return mixed
