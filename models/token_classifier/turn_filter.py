"""TurnFilter: predict from tokens alone that the network would find nothing in a turn.

A turn is harmless if all its words are in a list of words that the network never marked, and if at every
token a linear score over hashed n-grams (Weinberger et al., Feature Hashing for Large Scale Multitask
Learning, ICML 2009) stays within a limit. Both are trained on the network's own output
(``tacenda.models.training.turn_filter``). Turns with a word that is not in the list, such as a rare name or a
word of an untrained language or script, are never harmless.
"""

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.token_columns import TokenColumns
from tacenda.transforms.schema.errors import UserError

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


Floats = npt.NDArray[np.float32]
Int8s = npt.NDArray[np.int8]
Int32s = npt.NDArray[np.int32]

BUCKETS_LOG2 = 18
N_GRAMS = ((0,), (-1, 0), (0, 1), (-1, 0, 1), (-2, -1, 0), (0, 1, 2), (-2, 0), (0, 2))
"""The tokens of each feature, by their distance from the current token."""

_BEYOND = 0x7FFFFFFF
"""Token id for positions outside the turn."""

_CASES = 4
_LONGEST_WORD = 64
"""Longest word in the list, in word pieces."""


def _multipliers(seed: int, count: int) -> Hashes:
    """Odd random numbers: a sum of products with them is a hash (multilinear: Lemire and Kaser, 2014)."""
    return np.random.Generator(np.random.PCG64(seed)).integers(0, 1 << 63, count, np.uint64) * 2 + 1


_OF_WORDS = _multipliers(1, _LONGEST_WORD + 1)
_OF_N_GRAMS = _multipliers(2, 4 * len(N_GRAMS)).reshape(-1, 4)


@dataclass(frozen=True, slots=True)
class TurnFilter:
    """A list of harmless words and a linear score.

    ``words`` are the sorted hashes of the words. ``weights`` (2 ** BUCKETS_LOG2) times ``scale`` are the
    weights of the n-grams; tokens may score up to ``limit``. ``punctuation`` marks the tokens of the
    vocabulary without letters and digits. ``network`` is the fingerprint of the network that it was trained
    for.
    """

    words: Hashes
    weights: Int8s
    scale: float
    limit: float
    punctuation: Bools
    network: str

    def harmless(self, encoded: TokenColumns) -> Bools:
        """Which cells can skip the network; cells without tokens always can."""
        known, scores = self.known_and_scores(encoded)
        harmless: Bools = known & (scores <= self.limit)
        return harmless

    def known_and_scores(self, encoded: TokenColumns) -> tuple[Bools, Floats]:
        """For each cell, whether all its words are listed and, if so, the highest score of its tokens.

        The score is minus infinity if a cell has no tokens or an unlisted word.
        """
        known = self._all_words_known(encoded)
        scores = np.full(len(known), -np.inf, np.float32)
        chosen = np.flatnonzero(known & (np.diff(encoded.first_token) > 0))
        if len(chosen):
            some = encoded.at(chosen, np.zeros(len(chosen), np.int64))
            raised = self.weights[n_grams(some)].sum(axis=1, dtype=np.int32)
            scores[chosen] = np.maximum.reduceat(raised, some.first_token[:-1]) * np.float32(self.scale)
        return known, scores

    def _all_words_known(self, encoded: TokenColumns) -> Bools:
        begins, hashes = words(encoded, self.punctuation)
        at = np.searchsorted(self.words, hashes)
        known = np.take(self.words, at, mode="clip") == hashes if len(self.words) else np.zeros(len(at), bool)
        cells = np.searchsorted(encoded.first_token, begins[~known], side="right") - 1
        every: Bools = np.ones(len(encoded.first_token) - 1, np.bool_)
        every[cells] = False
        return every

    def write(self, path: Path) -> None:
        """Write the filter to a file; equal filters give equal bytes."""
        described = {"network": self.network, "scale": self.scale, "limit": self.limit}
        np.savez_compressed(
            path,
            description=np.frombuffer(json.dumps(described, sort_keys=True).encode(), np.uint8),
            words=self.words,
            weights=self.weights,
            punctuation=np.packbits(self.punctuation),
        )


def read_turn_filter(path: Path, vocabulary: int) -> TurnFilter:
    """Read what ``TurnFilter.write`` wrote, for a vocabulary of the given size.

    Raises:
        UserError: the file is not a turn filter or is damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            described: dict[str, Any] = json.loads(file["description"].tobytes())
            return TurnFilter(
                file["words"].astype(np.uint64, casting="equiv"),
                file["weights"].astype(np.int8, casting="equiv").reshape(1 << BUCKETS_LOG2),
                float(described["scale"]),
                float(described["limit"]),
                np.unpackbits(file["punctuation"], count=vocabulary).astype(np.bool_),
                str(described["network"]),
            )
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise UserError(
            f"model {path.parent}: {path.name} is not a turn filter ({type(error).__name__}); "
            "build it again with 'tacenda train filter', or remove it"
        ) from None


def words(encoded: TokenColumns, punctuation: Bools) -> tuple[Ints, Hashes]:
    """The first token of each word, and the hash of the word with its case.

    A word is a run of adjacent tokens; a token without letters and digits is a word of its own.
    """
    count = len(encoded.ids)
    glued = np.zeros(count, np.bool_)
    sign = punctuation[encoded.ids]
    glued[1:] = (encoded.starts[1:] == encoded.ends[:-1]) & ~sign[1:] & ~sign[:-1]
    glued[encoded.first_token[:-1][encoded.first_token[:-1] < count]] = False
    begins = np.flatnonzero(~glued)
    if not count:
        return begins, np.zeros(0, np.uint64)
    lengths = np.diff(begins, append=count)
    place = np.arange(count) - np.repeat(begins, lengths)
    hashes = np.add.reduceat(_codes(encoded) * _OF_WORDS[np.minimum(place, _LONGEST_WORD)], begins)
    # Include the number of pieces in the hash.
    hashes += lengths.astype(np.uint64) * _OF_WORDS[_LONGEST_WORD]
    hashes[lengths > _LONGEST_WORD] = 0
    return begins, hashes


def n_grams(encoded: TokenColumns) -> Int32s:
    """The bucket of each n-gram of each token (tokens, ``N_GRAMS``); n-grams do not cross turns."""
    count = len(encoded.ids)
    cell = np.repeat(np.arange(len(encoded.first_token) - 1), np.diff(encoded.first_token))
    own = encoded.ids.astype(np.uint64)
    beside: dict[int, Hashes] = {0: own}
    for distance in sorted({d for n_gram in N_GRAMS for d in n_gram} - {0}):
        other = np.full(count, _BEYOND, np.uint64)
        to, of = _shifted(count, distance)
        other[to] = np.where(cell[to] == cell[of], own[of], other[to])
        beside[distance] = other
    cased = _codes(encoded)
    buckets = np.empty((count, len(N_GRAMS)), np.int32)
    for column, (n_gram, (added, *multipliers)) in enumerate(zip(N_GRAMS, _OF_N_GRAMS, strict=True)):
        hashed = np.full(count, added, np.uint64)
        for distance, multiplier in zip(n_gram, multipliers, strict=False):
            hashed += (cased if n_gram == (0,) else beside[distance]) * multiplier
        buckets[:, column] = hashed >> np.uint64(64 - BUCKETS_LOG2)
    return buckets


def _codes(encoded: TokenColumns) -> Hashes:
    """A distinct number for each combination of token and case."""
    codes: Hashes = encoded.ids.astype(np.uint64) * np.uint64(_CASES) + encoded.cases.astype(np.uint64)
    return codes


def _shifted(count: int, distance: int) -> tuple[slice, slice]:
    """The positions that have a neighbour at a distance, and those neighbours."""
    least = min(abs(distance), count)
    near, far = slice(0, count - least), slice(least, count)
    return (near, far) if distance > 0 else (far, near)
