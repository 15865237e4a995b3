"""Score every token of a text exactly once, and count what the network skipped."""

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.batch_invariance import Batching
from tacenda.models.token_classifier.encoding import TokenColumns, TurnEncoder
from tacenda.models.token_classifier.onnx_session import Floats, Ints, Session, softmax
from tacenda.models.token_classifier.packing import Block, Stream, blocks, packed, stream
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.text.column import TextColumn

Bools = npt.NDArray[np.bool_]
Hashes = npt.NDArray[np.uint64]
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


class HeldBack(NamedTuple):
    """Which tokens the network's gates dropped, and which of these were also scored without gates."""

    all: Bools
    sampled: Bools


class Scored(NamedTuple):
    """The tokens of some cells with their probabilities (tokens, classes), and those the gates dropped."""

    encoded: TokenColumns
    probabilities: Floats
    held_back: HeldBack


class Scorer:
    """A tokenizer and a network together.

    A block has at most ``max_places`` places of a conversation, and ``context`` unscored ones before it.
    ``casing``: the case of each token is its token type. ``batching``: which rows can share a call.
    """

    def __init__(
        self,
        encoder: TurnEncoder,
        session: Session,
        classes: int,
        max_places: int,
        context: int,
        casing: bool,
        batching: Batching = Batching.ANY,
    ) -> None:
        self._encoder, self._session, self._classes = encoder, session, classes
        self._max_places, self._context, self._casing = max_places, context, casing
        self._budget = 1 if batching is Batching.ALONE else session.budget
        self._pads = session.pads and batching is Batching.ANY

    def score(self, column: TextColumn) -> Scored:
        """Score all tokens of some conversations.

        Raises:
            RecordError: a token was not scored exactly once, or the network's output has the wrong shape.
        """
        encoded = self._encoder.encode(column)
        logits, held_back = self._logits(encoded, column.first_cell)
        return Scored(encoded, softmax(logits), held_back)

    def _logits(self, encoded: TokenColumns, first_cell: Sequence[int]) -> tuple[Floats, HeldBack]:
        """Logits of all tokens. Sampled blocks are scored with gates and without; the latter logits count."""
        of = stream(encoded, first_cell, self._encoder.separating)
        cut = list(blocks(of, self._max_places, self._context))
        logits, scored = self._answers(of, cut, len(encoded.ids))
        if not (scored == 1).all():
            # Fail closed: part of a conversation would be unchecked.
            raise RecordError("TokensUnscored")
        sampled = np.zeros(len(logits), np.bool_)
        if not self._session.gated:
            return logits, HeldBack(sampled, sampled)
        held_back = (logits[:, 1:] == 0).all(axis=1)
        starts = np.fromiter((block.start for block in cut), np.int64, len(cut))
        counts = np.diff(np.searchsorted(starts, of.first_place))
        drawn = draw(hash_conversations(encoded, first_cell), counts)
        if drawn.any():
            whole, scored = self._answers(of, list(compress(cut, drawn)), len(logits), whole=True)
            sampled = held_back & (scored > 0)
            logits[scored > 0] = whole[scored > 0]
        return logits, HeldBack(held_back, sampled)

    def _answers(
        self, of: Stream, cut: Sequence[Block], tokens: int, whole: bool = False
    ) -> tuple[Floats, Ints]:
        """Logits of the tokens of some blocks, and how many times each token was scored."""
        marks = self._encoder.classifying, self._encoder.padding
        # Prompts, signatures and disclaimers that conversations share are read once.
        same: dict[tuple[bytes, bytes, int, int], Block] = {}
        alike = [same.setdefault(_contents(of, block), block) for block in cut]
        rows = packed(of, list(same.values()), self._budget, self._pads, *marks)
        if not self._casing:
            rows.cases[:] = 0
        logits = np.zeros((tokens, self._classes), np.float32)
        at = 0
        for (start, count, width), inputs in zip(rows.calls, rows.inputs(), strict=True):
            answer = self._session.scores(*inputs, whole)
            if answer.shape != (count, width, self._classes):
                raise RecordError("ModelMisshaped")
            part = answer.reshape(-1, self._classes)[rows.scored[start : start + count * width]]
            logits[rows.tokens[at : at + len(part)]] = part
            at += len(part)
        scored = np.bincount(rows.tokens, minlength=tokens)
        for block, first in zip(cut, alike, strict=True):
            if block is not first:
                here, there = (of.token[one.score_start : one.score_end] for one in (block, first))
                logits[here[here >= 0]] = logits[there[there >= 0]]
                scored[here[here >= 0]] += 1
        if not np.isfinite(logits).all():
            raise RecordError("TokensUnscored")
        return logits, scored


def _contents(of: Stream, block: Block) -> tuple[bytes, bytes, int, int]:
    """All that the scores of a block depend on."""
    here = slice(block.start, block.end)
    scored = block.score_start - block.start, block.score_end - block.start
    return of.ids[here].tobytes(), of.cases[here].tobytes(), *scored
