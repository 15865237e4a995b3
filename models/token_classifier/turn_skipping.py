"""Skip the turns that the filter considers harmless.

The last tokens of a skipped turn are kept as context for a following turn that is judged. A sample of the
harmless turns is judged anyway, to estimate what skipping misses. The sample is drawn by a hash of the
conversation's tokens, so it does not depend on the batch.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.token_columns import TokenColumns

Bools = npt.NDArray[np.bool_]
Hashes = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

SAMPLED = 0.01
"""Share of harmless turns that are judged anyway, and of blocks that are also scored without gates."""

CONTEXT = 8
"""Tokens of a skipped turn kept as context for the next one."""

_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)


class Turns(NamedTuple):
    """For each cell, whether the network judges it, and whether it does so only for the sample."""

    judged: Bools
    sampled: Bools


class Shown(NamedTuple):
    """Network input: ``encoded``, with ``first_cell`` as in ``Scorer.score``.

    ``token`` is the index of each token in the full encoding, ``judged`` whether its scores count.
    """

    encoded: TokenColumns
    first_cell: Ints
    token: Ints
    judged: Bools


def choose_turns(harmless: Bools, encoded: TokenColumns, first_cell: Sequence[int]) -> Turns:
    """Choose all turns that are not harmless, and a sample of the harmless ones."""
    drawn = draw(hash_conversations(encoded, first_cell), np.diff(first_cell))
    sampled = harmless & (np.diff(encoded.first_token) > 0) & drawn
    return Turns(~harmless | sampled, sampled)


def show(judged: Bools, encoded: TokenColumns, first_cell: Sequence[int]) -> Shown:
    """The tokens of the turns to judge, with the end of the turn before each."""
    cells = np.diff(encoded.first_token).astype(np.int64)
    before = np.zeros_like(judged)
    before[:-1] = judged[1:]
    last = np.asarray(first_cell[1:], np.int64) - 1
    before[last[last >= 0]] = False
    counts = np.where(judged, cells, np.where(before, np.minimum(cells, CONTEXT), 0))
    of = np.flatnonzero(judged | (counts > 0))
    counts = counts[of]
    first = np.zeros(len(of) + 1, np.int32)
    np.cumsum(counts, out=first[1:])
    token = np.arange(first[-1]) + np.repeat(encoded.first_token[of + 1] - first[1:], counts)
    shown = TokenColumns(
        encoded.ids[token], encoded.starts[token], encoded.ends[token], encoded.cases[token], first
    )
    return Shown(shown, np.searchsorted(of, first_cell), token, np.repeat(judged[of], counts))


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
