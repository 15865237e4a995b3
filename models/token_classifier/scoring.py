"""Texts to the probabilities of every token, each scored exactly once; what was not seen is counted."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from models.token_classifier.blocks import blocks, stream
from models.token_classifier.encoded import Encoded
from models.token_classifier.encoding import TurnEncoder
from models.token_classifier.packing import packed
from models.token_classifier.session import Floats, Session
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
        rows = packed(
            of,
            list(blocks(of, self._max_places, self._context)),
            self._budget,
            self._session.pads,
            self._encoder.classifying,
            self._encoder.padding,
        )
        if not self._casing:
            rows.cases[:] = 0
        answers = self._session.scores_of(rows.inputs())
        scores = np.zeros((len(encoded.ids), self._classes), np.float32)
        at = 0
        for (start, count, width), answer in zip(rows.calls, answers, strict=True):
            if answer.shape != (count, width, self._classes):
                raise RecordError("ModelMisshaped")
            part = answer.reshape(-1, self._classes)[rows.scored[start : start + count * width]]
            scores[rows.tokens[at : at + len(part)]] = part
            at += len(part)
        probabilities = softmax(scores)
        times = np.bincount(rows.tokens, minlength=len(encoded.ids))
        if not (times == 1).all() or not np.isfinite(probabilities).all():
            # Rather no conversation than one that was looked at in part.
            raise RecordError("TokensUnscored")
        return Scored(encoded, probabilities)


def softmax(logits: Floats) -> Floats:
    """Probabilities of rows of logits, in the place of these."""
    logits -= logits.max(axis=1, keepdims=True, initial=-np.inf)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    return logits
