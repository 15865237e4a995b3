"""What a package says of a text, for tokens of its own tokenizer and of another."""

import numpy as np
import pytest

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.package import read_package
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.token_classifier.token_columns import TokenColumns
from tacenda.models.training.batches import SoftTargets
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn

from .conftest import TINY

TEXTS = ["  hello Pam from Scranton", "call New York", ""]


def whole_words(texts):
    cells = [[(m.start(), m.end()) for m in __import__("re").finditer(r"\S+", text)] for text in texts]
    bounds = np.array([pair for cell in cells for pair in cell], np.int32)
    zeros = np.zeros(len(bounds), np.int32)
    first = np.cumsum([0, *map(len, cells)]).astype(np.int32)
    return TokenColumns(zeros, bounds[:, 0], bounds[:, 1], zeros.astype(np.int8), first)


def test_own_tokens_have_the_packages_probabilities_and_others_means_of_them():
    package = read_package(TINY)
    classes = len(package.labels)
    encoder = TurnEncoder(TINY / "tokenizer.json")
    session = OnnxSession(TINY / "model.onnx", classes, 1)
    scorer = Scorer(encoder, session, classes, package.max_places, package.context, package.casing)
    column = TextColumn(TEXTS, [0, 2, 3])
    own = scorer.score(column)
    soft = SoftTargets(TINY, classes)
    assert np.allclose(soft.of(TEXTS, [0, 2, 3], own.encoded), own.probabilities)
    words = soft.of(TEXTS, [0, 2, 3], whole_words(TEXTS))
    assert words.shape == (7, classes)
    assert np.allclose(words.sum(1), 1, atol=1e-5)
    assert words[1].argmax() == own.probabilities[own.encoded.starts == 8][0].argmax()


def test_other_classes_are_refused():
    with pytest.raises(UserError, match=r"has \d+ classes, the labels name 99"):
        SoftTargets(TINY, 99)
