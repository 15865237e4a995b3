"""Texts to the probabilities of every token, each scored exactly once; what was not seen is counted."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from models.token_classifier.blocks import Block, Stream, blocks, lengths, stream
from models.token_classifier.encoding import Encoded, TurnEncoder
from models.token_classifier.packing import Rows, micro_batches, rows
from models.token_classifier.session import Floats, Ints, Session
from transforms.schema.errors import RecordError


class Scored(NamedTuple):
    """The tokens of some cells with their probabilities, tokens by classes."""

    encoded: Encoded
    probabilities: Floats


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
    ) -> None:
        self._encoder = encoder
        self._session = session
        self._classes = classes
        self._max_places = max_places
        self._context = context
        self._casing = casing
        self._budget = budget or session.budget

    def score(self, texts: Sequence[str], first_cell: Sequence[int]) -> Scored:
        """Score all tokens of some conversations; ``first_cell`` as in ``detector.Detector``.

        Raises:
            RecordError: a token has no score, or two; or the network answers in another shape.
        """
        encoded = self._encoder.encode(texts)
        of = stream(encoded, first_cell, self._encoder.separating)
        # A block is in a row with the classifying token before it.
        cut = list(blocks(of, self._max_places, self._context))
        probabilities = np.zeros((len(encoded.ids), self._classes), np.float32)
        times = np.zeros(len(encoded.ids), np.uint8)
        sent: deque[Rows] = deque()
        for logits in self._session.scores_of(self._inputs(of, cut, sent)):
            row = sent.popleft()
            if logits.shape != (*row.ids.shape, self._classes):
                raise RecordError("ModelMisshaped")
            probabilities[row.tokens] = softmax(logits[row.scored])
            np.add.at(times, row.tokens, 1)
        if not (times == 1).all() or not np.isfinite(probabilities).all():
            # Rather no conversation than one that was looked at in part.
            raise RecordError("TokensUnscored")
        return Scored(encoded, probabilities)

    def _inputs(
        self, of: Stream, cut: Sequence[Block], sent: deque[Rows]
    ) -> Iterator[tuple[Ints, Ints, Ints]]:
        """The network's input, one micro-batch after another; ``sent`` remembers their rows."""
        for chosen in micro_batches(lengths(cut), self._budget):
            row = rows(
                of, [cut[i] for i in chosen.tolist()], self._encoder.classifying, self._encoder.padding
            )
            sent.append(row)
            yield row.ids, row.mask, row.cases if self._casing else np.zeros_like(row.cases)


def softmax(logits: Floats) -> Floats:
    """Probabilities of rows of logits."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    probabilities: Floats = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32, copy=False)
    return probabilities
