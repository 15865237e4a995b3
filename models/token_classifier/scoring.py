"""Score every token of a text exactly once, and count what the network was not shown."""

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from tacenda.models.token_classifier.batch_invariance import Company
from tacenda.models.token_classifier.blocks import Block, Stream, blocks, stream
from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.packing import packed
from tacenda.models.token_classifier.session import Floats, Ints, Session
from tacenda.models.token_classifier.token_columns import TokenColumns
from tacenda.models.token_classifier.turn_filter import TurnFilter
from tacenda.models.token_classifier.turn_skipping import (
    Bools,
    Hashes,
    Turns,
    choose_turns,
    draw,
    hash_conversations,
    show,
)
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.text.column import TextColumn


class HeldBack(NamedTuple):
    """Which tokens the gates of a network held back, and which of these were asked about without gates."""

    all: Bools
    sampled: Bools


class Scored(NamedTuple):
    """The tokens of some cells with their probabilities, tokens by classes; what of it the network judged.

    A token of a turn that was left out is surely of class 0.
    """

    encoded: TokenColumns
    probabilities: Floats
    turns: Turns
    held_back: HeldBack


class Scorer:
    """A tokenizer and a network together.

    Args:
        encoder: texts to tokens.
        session: the network.
        classes: how many it tells apart.
        max_places: the longest block, in places of a conversation.
        context: places before a block that it sees and does not score.
        casing: whether the case of each token goes in as its type.
        budget: padded places of one call of the network; None for what suits the session.
        turn_filter: which turns need not go through the network; None where all go.
        company: what may share a call with a row without changing its scores.
    """

    def __init__(
        self,
        encoder: TurnEncoder,
        session: Session,
        classes: int,
        max_places: int,
        context: int,
        casing: bool,
        budget: int | None = None,
        turn_filter: TurnFilter | None = None,
        company: Company = Company.ANY,
    ) -> None:
        self._encoder = encoder
        self._session = session
        self._classes = classes
        self._max_places = max_places
        self._context = context
        self._casing = casing
        self._budget = 1 if company is Company.NONE else budget or session.budget
        self._pads = session.pads and company is Company.ANY
        self._turn_filter = turn_filter

    def score(self, column: TextColumn) -> Scored:
        """Score all tokens of some conversations.

        Raises:
            RecordError: a token has no score, or two; or the network answers in another shape.
        """
        first_cell = column.first_cell
        encoded = self._encoder.encode(column)
        if self._turn_filter is None:
            everything = np.ones(len(column), np.bool_)
            turns = Turns(everything, ~everything)
        else:
            turns = choose_turns(self._turn_filter.harmless(encoded), encoded, first_cell)
        shown = show(turns.judged, encoded, first_cell)
        conversations = hash_conversations(encoded, first_cell)
        logits, held_back = self._logits(shown.encoded, shown.first_cell.tolist(), conversations)
        probabilities = np.zeros((len(encoded.ids), self._classes), np.float32)
        probabilities[:, 0] = 1
        judged = shown.token[shown.judged]
        probabilities[judged] = softmax(logits[shown.judged])
        of_all = HeldBack(*(np.zeros(len(encoded.ids), np.bool_) for _ in held_back))
        for told, own in zip(of_all, held_back, strict=True):
            told[judged] = own[shown.judged]
        return Scored(encoded, probabilities, turns, of_all)

    def _logits(
        self, encoded: TokenColumns, first_cell: Sequence[int], conversations: Hashes
    ) -> tuple[Floats, HeldBack]:
        """Logits of all tokens; of sampled blocks those without gates, though these were asked as well."""
        of = stream(encoded, first_cell, self._encoder.separating)
        cut = list(blocks(of, self._max_places, self._context))
        logits, scored = self._answers(of, cut, len(encoded.ids))
        if not (scored == 1).all():
            # Rather no conversation than one that was looked at in part.
            raise RecordError("TokensUnscored")
        sampled = np.zeros(len(logits), np.bool_)
        if not self._session.gated:
            return logits, HeldBack(sampled, sampled)
        held_back = (logits[:, 1:] == 0).all(axis=1)
        starts = np.fromiter((block.start for block in cut), np.int64, len(cut))
        counts = np.diff(np.searchsorted(starts, of.first_place))
        drawn = draw(conversations, counts)
        if drawn.any():
            whole, scored = self._answers(of, list(compress(cut, drawn)), len(logits), whole=True)
            sampled = held_back & (scored > 0)
            logits[scored > 0] = whole[scored > 0]
        return logits, HeldBack(held_back, sampled)

    def _answers(
        self, of: Stream, cut: Sequence[Block], tokens: int, whole: bool = False
    ) -> tuple[Floats, Ints]:
        """Logits of the tokens of some blocks, and how often each of all tokens was scored."""
        rows = packed(
            of,
            cut,
            self._budget,
            self._pads,
            self._encoder.classifying,
            self._encoder.padding,
        )
        if not self._casing:
            rows.cases[:] = 0
        answers = (
            self._session.scores_of(rows.inputs(), whole=True)
            if whole
            else self._session.scores_of(rows.inputs())
        )
        logits = np.zeros((tokens, self._classes), np.float32)
        at = 0
        for (start, count, width), answer in zip(rows.calls, answers, strict=True):
            if answer.shape != (count, width, self._classes):
                raise RecordError("ModelMisshaped")
            part = answer.reshape(-1, self._classes)[rows.scored[start : start + count * width]]
            logits[rows.tokens[at : at + len(part)]] = part
            at += len(part)
        if not np.isfinite(logits).all():
            raise RecordError("TokensUnscored")
        return logits, np.bincount(rows.tokens, minlength=tokens)


def softmax(logits: Floats) -> Floats:
    """Probabilities of rows of logits, in the place of these."""
    logits -= logits.max(axis=1, keepdims=True, initial=-np.inf)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    return logits
