"""Leave out the turns that the filter clears, deciding from one conversation alone.

Of a turn that is left out, the last tokens still stand before a turn that is shown, as its context. Of the
turns that would be left out, a sample is shown all the same, so that what is missed can be counted. It is drawn
by a hash of what is said in the conversation, so a conversation has the same turns sampled in any company.
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
"""Share of the turns left out that are shown all the same, and of the blocks asked about without gates."""

CONTEXT = 8
"""Tokens of a turn left out that stand before one that is shown."""

_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)


class Turns(NamedTuple):
    """Of each cell whether it is to be judged, and whether that is for the sample alone."""

    judged: Bools
    sampled: Bools


class Shown(NamedTuple):
    """What a network is shown: ``encoded`` with ``first_cell`` as in ``Scorer.score``.

    ``token`` says which token of the whole each is, ``judged`` whether the answer counts.
    """

    encoded: TokenColumns
    first_cell: Ints
    token: Ints
    judged: Bools


def choose_turns(harmless: Bools, encoded: TokenColumns, first_cell: Sequence[int]) -> Turns:
    """Judge all turns but the harmless ones, and a sample of these."""
    drawn = draw(hash_conversations(encoded, first_cell), np.diff(first_cell))
    sampled = harmless & (np.diff(encoded.first_token) > 0) & drawn
    return Turns(~harmless | sampled, sampled)


def show(judged: Bools, encoded: TokenColumns, first_cell: Sequence[int]) -> Shown:
    """The tokens of the turns to be judged, each with the end of the turn before it."""
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
    """A hash of the tokens of each conversation in their order, turn by turn."""
    starts = encoded.first_token[np.asarray(first_cell, np.int64)].astype(np.int64)
    count = len(encoded.ids)
    place = np.arange(count, dtype=np.uint64) - np.repeat(starts[:-1], np.diff(starts)).astype(np.uint64)
    mixed = _mixed(encoded.ids.astype(np.uint64) * _FACTORS[0] + place * _FACTORS[1])
    sums = np.zeros(count + 1, np.uint64)
    np.cumsum(mixed, out=sums[1:])
    return _mixed(sums[starts[1:]] - sums[starts[:-1]])


def draw(conversations: Hashes, counts: Ints) -> Bools:
    """Which of so many things of each conversation are sampled, by its hash and their number there."""
    first = np.repeat(np.cumsum(counts) - counts, counts)
    number = (np.arange(len(first)) - first).astype(np.uint64)
    drawn: Bools = _mixed(np.repeat(conversations, counts) + number * _FACTORS[2]) < int(SAMPLED * 2.0**64)
    return drawn


def _mixed(values: Hashes) -> Hashes:
    """Every bit spread over all (the finisher of SplitMix64: Steele et al., 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Hashes = values ^ (values >> np.uint64(31))
    return mixed
