"""Soft targets: what a package's network says of training text, for the tokens of another tokenizer."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.package import MODEL, TOKENIZER, read_package
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.token_classifier.token_columns import TokenColumns
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn

Floats = npt.NDArray[np.float32]


class SoftTargets:
    """The class probabilities of a package on any text; its classes must be those of the training, in order.

    Raises:
        UserError: the package is invalid, or has another number of classes.
    """

    def __init__(self, package: Path, classes: int) -> None:
        own = read_package(package)
        if len(own.labels) != classes:
            raise UserError(f"--teacher {package}: has {len(own.labels)} classes, the labels name {classes}")
        session = OnnxSession(package / MODEL, classes, 1)
        encoder = read_encoder(package / TOKENIZER)
        self._scorer = Scorer(encoder, session, classes, own.max_places, own.context, own.casing)

    def of(self, texts: Sequence[str], first_cell: Sequence[int], tokens: TokenColumns) -> Floats:
        """Probabilities (tokens, classes): means of those of the first and the last letter of each token."""
        column = TextColumn(texts, list(first_cell))
        scored = self._scorer.score(column)
        starts, _ = scored.encoded.places(column.origins)
        own = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(column.text))))
        lead = int(starts[0]) if len(starts) else 0
        own = np.concatenate([np.zeros(lead, np.int64), own])
        first, last = tokens.places(column.origins)
        if not len(first) or not len(starts):
            return np.zeros((len(first), scored.probabilities.shape[1]), np.float32)
        mean: Floats = (scored.probabilities[own[first]] + scored.probabilities[own[last - 1]]) * np.float32(
            0.5
        )
        return mean
