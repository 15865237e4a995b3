"""The tiny model of ``tests/golden``, as parts and as settings of a run."""

from pathlib import Path

import pytest

from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.package import read_package
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.text.column import TextColumn


@pytest.fixture(scope="session")
def tiny():
    return Path(__file__).parents[3] / "golden" / "tiny_model"


@pytest.fixture(scope="session")
def encoder(tiny):
    return TurnEncoder(tiny / "tokenizer.json")


@pytest.fixture
def detector(tiny):
    """``detector(decision, min_likelihood, **inspect)``; all arguments are optional."""

    def make(decision=None, least=None, **inspect):
        package = read_package(tiny)
        settings = ModelSettings(str(tiny), package.fingerprint, decision or package.decision)
        return TokenClassifierDetector(parse_inspect_config(inspect), settings, least)

    return make


@pytest.fixture
def found(detector):
    """Findings of one conversation as (text, infoType, likelihood)."""

    def find(*texts, by=None):
        return told(texts, (by or detector()).find(TextColumn(texts, [0, len(texts)])))

    return find


def told(texts, findings):
    return [
        [(text[f.start : f.end], f.info_type, f.likelihood.name) for f in several]
        for text, several in zip(texts, findings, strict=True)
    ]
