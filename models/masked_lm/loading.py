"""Load a masked language model, once a process, and score conversations with it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.masked_lm.scoring import Specials, log_scores
from tacenda.models.masked_lm.windows import SPECIALS
from tacenda.models.masked_lm.words import Word, document
from tacenda.models.token_classifier.encoding import TurnEncoder, read_encoder
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.package import MODEL, TOKENIZER, Package
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once_for
from tacenda.transforms.text.column import TextColumn

_MASKS = ("[MASK]", "<mask>")
_BUDGET = 1024
"""Places in one call: a row of logits has the whole vocabulary at each."""


class Scored(NamedTuple):
    """The words of a conversation, and the logarithm of the probability of each."""

    words: list[Word]
    log_scores: npt.NDArray[np.float64]


class MaskedLm(NamedTuple):
    """A loaded model; a window has at most ``places`` places."""

    session: OnnxSession
    encoder: TurnEncoder
    specials: Specials
    places: int

    def score(self, column: TextColumn, number: int) -> Scored:
        """Score the words of one conversation of a column; their cells are those of the column."""
        first, last = column.first_cell[number], column.first_cell[number + 1]
        own = TextColumn(column.texts[first:last])
        read = document(own.texts, self.encoder.encode(own), self.specials.separating)
        scores = log_scores(read, self._logits, self.specials, self.places, _BUDGET)
        return Scored([word._replace(cell=word.cell + first) for word in read.words], scores)

    def guesses(self, ids: Sequence[int], place: int) -> list[int]:
        """All tokens, the most probable first, for a masked place of a document, read in a window around it."""
        capacity = self.places - SPECIALS
        start = max(0, min(place - capacity // 2, len(ids) - capacity))
        window = ids[start : start + capacity]
        row = np.array([[self.specials.classifying, *window, self.specials.separating]], np.int64)
        after: list[int] = np.argsort(-self._logits(row)[0, place - start + 1], kind="stable").tolist()
        return after

    def _logits(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        return self.session.scores(ids, np.ones_like(ids), np.zeros_like(ids))


@built_once_for(4)
def load(package: Package, threads: int) -> MaskedLm:
    """Load the model of a package; raises ``UserError`` if it has no mask or cannot be loaded."""
    encoder = read_encoder(package.path / TOKENIZER)
    try:
        mask = encoder.special(*_MASKS)
    except ValueError:
        raise UserError(f"model {package.path}: {TOKENIZER} has no token {' or '.join(_MASKS)}") from None
    specials = Specials(encoder.classifying, encoder.separating, mask)
    session = OnnxSession(package.path / MODEL, package.vocabulary, threads)
    return MaskedLm(session, encoder, specials, package.max_places)
