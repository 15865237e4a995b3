"""A detector with a turn filter in its package: what it skips, samples and counts."""

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacenda.models.detection import DetectionRequest, detect
from tacenda.models.token_classifier import turn_filter as skipping
from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.loading import loaded
from tacenda.models.token_classifier.package import TURN_FILTER, read_package
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.token_classifier.turn_filter import BUCKETS_LOG2, TurnFilter, words
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn

HIDDEN = "from pam"
"""What the filter of these tests takes for harmless, and the network does not."""


@pytest.fixture
def package(tiny: Path, encoder: TurnEncoder, tmp_path: Path) -> Path:
    """The tiny model with a filter that knows some everyday words, and "pam" by mistake."""
    folder = tmp_path / "package"
    shutil.copytree(tiny, folder)
    signs = [not any(map(str.isalnum, encoder._tokenizer.id_to_token(i))) for i in range(encoder.vocabulary)]
    punctuation = np.array(signs, np.bool_)
    _, hashes = words(
        encoder.encode(TextColumn(["hello my name is the call from it in and pam ,"])), punctuation
    )
    weights = np.zeros(1 << BUCKETS_LOG2, np.int8)
    TurnFilter(np.unique(hashes), weights, 1.0, 0.0, punctuation, read_package(folder).network).write(
        folder / TURN_FILTER
    )
    return folder


@pytest.fixture
def detector(package: Path) -> Callable[..., TokenClassifierDetector]:
    def make(skip: bool = True) -> TokenClassifierDetector:
        read = read_package(package)
        settings = ModelSettings(str(package), read.fingerprint, read.decision, skipping=skip)
        return TokenClassifierDetector(parse_inspect_config({}), settings)

    return make


def _texts(found: list[list[Any]], texts: list[str]) -> list[list[str]]:
    return [[t[f.start : f.end] for f in cell] for t, cell in zip(texts, found, strict=True)]


def test_skipped_turns_are_not_scored(detector: Callable[..., TokenClassifierDetector]) -> None:
    texts = [HIDDEN, "hello dwight", "mr schrute is in scranton", "it is the call"]
    whole = _texts(detector(skip=False).find(TextColumn(texts, [0, 4])), texts)
    assert whole == [["pam"], ["dwight"], ["schrute", "scranton"], []]
    assert _texts(detector().find(TextColumn(texts, [0, 4])), texts) == [[], *whole[1:]]


def test_skipped_turns_samples_and_findings_are_counted(
    detector: Callable[..., TokenClassifierDetector], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skipping, "SAMPLED", 0.2)
    texts = [f"{word} {HIDDEN}" for word in ("hello", "my", "it", "and", "the") for _ in range(40)]
    texts += ["hello dwight", "it is the call"] * 50
    look = detector().find_counted(TextColumn(texts, [0, 150, 300]), twice=True)
    counts = look.counts
    assert counts["turns/all"] == 300
    assert counts["turns/left_out"] == 250
    # What the sample shows is used: these findings are among the others, of both looks.
    found = _texts(look.found, texts)
    assert all(cell == ["dwight"] for cell in found[200::2])
    assert counts["turns/findings_in_sampled"] == found[:200].count(["pam"]) > 0
    assert counts["turns/sampled_with_findings"] == counts["turns/findings_in_sampled"]
    assert counts["turns/findings"] == sum(map(len, found))
    assert counts["turns/sampled_with_findings"] <= counts["turns/sampled"] < counts["turns/left_out"]
    assert look.found == detector().find(TextColumn(texts, [0, 150, 300]))


def test_findings_and_counts_do_not_depend_on_other_conversations(
    detector: Callable[..., TokenClassifierDetector], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skipping, "SAMPLED", 0.3)
    rng = np.random.default_rng(2)
    parts = ["hello", "my name is", HIDDEN, "dwight", "mr schrute", "it is", "the call , and", "maybe", ""]
    several = [list(rng.choice(parts, rng.integers(1, 12))) for _ in range(60)]
    several = [[str(text) for text in one] for one in several]
    looked = detector()
    texts = [text for one in several for text in one]
    first_cell = np.cumsum([0, *map(len, several)]).tolist()
    together = looked.find_counted(TextColumn(texts, first_cell), twice=True)
    found: list[list[Any]] = []
    unsure: list[list[Any]] = []
    counts: Counter[str] = Counter()
    for one in several:
        alone = looked.find_counted(TextColumn(one, [0, len(one)]), twice=True)
        found, unsure = found + alone.found, unsure + alone.unsure
        counts.update(alone.counts)
    assert (found, unsure) == (together.found, together.unsure)
    assert counts == together.counts
    assert counts["turns/sampled"] > 0


def test_a_batch_that_fails_counts_the_conversations_that_did_not(
    detector: Callable[..., TokenClassifierDetector], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = detector()
    whole = looked.find_counted

    def failing(column: TextColumn, twice: bool) -> Any:
        if "broken" in column.texts:
            raise ValueError
        return whole(column, twice)

    monkeypatch.setattr(looked, "find_counted", failing)
    result = detect(
        looked, DetectionRequest("", TextColumn(["hello", "broken", "it is", "dwight"], [0, 1, 2, 4]), True)
    )
    assert result.failed == {1: "ValueError"}
    assert result.counts["turns/all"] == 3
    assert result.counts["turns/findings"] == 1


def test_a_filter_of_another_network_or_other_thresholds_is_refused(package: Path) -> None:
    description = package / "package.json"
    read = read_package(package)
    description.write_text(description.read_text().replace('"threshold": 0.2', '"threshold": 0.3'))
    changed = read_package(package)
    assert changed.network != read.network
    with pytest.raises(UserError, match="trained for another network or other thresholds"):
        loaded(ModelSettings(str(package), changed.fingerprint, changed.decision, skipping=True))


def test_the_filter_is_part_of_the_fingerprint(package: Path, tiny: Path) -> None:
    assert read_package(package).fingerprint != read_package(tiny).fingerprint
    assert read_package(package).network == read_package(tiny).network
    assert read_package(package).filtered
    assert not read_package(tiny).filtered
