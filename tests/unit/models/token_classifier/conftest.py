"""The tiny model of ``tests/golden``, as parts and as settings of a run."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tacenda.models.token_classifier.decoding_settings import Decision
from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.package import read_package
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


@pytest.fixture(scope="session")
def tiny() -> Path:
    return Path(__file__).parents[3] / "golden" / "tiny_model"


@pytest.fixture(scope="session")
def encoder(tiny: Path) -> TurnEncoder:
    return TurnEncoder(tiny / "tokenizer.json")


@pytest.fixture
def detector(tiny: Path) -> Callable[..., TokenClassifierDetector]:
    """``detector(decision, min_likelihood, **inspect)``; all arguments are optional."""

    def make(
        decision: Decision | None = None, least: Likelihood | None = None, **inspect: Any
    ) -> TokenClassifierDetector:
        package = read_package(tiny)
        settings = ModelSettings(str(tiny), package.fingerprint, decision or package.decision)
        return TokenClassifierDetector(parse_inspect_config(inspect), settings, least)

    return make


@pytest.fixture
def found(
    detector: Callable[..., TokenClassifierDetector],
) -> Callable[..., list[list[tuple[str, str, str]]]]:
    """Findings of one conversation as (text, infoType, likelihood)."""

    def find(*texts: str, by: TokenClassifierDetector | None = None) -> list[list[tuple[str, str, str]]]:
        return told(texts, (by or detector()).find(TextColumn(texts, [0, len(texts)])))

    return find


def told(texts: Sequence[str], findings: Sequence[Sequence[Any]]) -> list[list[tuple[str, str, str]]]:
    return [
        [(text[f.start : f.end], f.info_type, f.likelihood.name) for f in several]
        for text, several in zip(texts, findings, strict=True)
    ]
