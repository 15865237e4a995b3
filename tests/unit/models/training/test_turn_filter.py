"""A turn filter learnt from a network's verdicts, and its limit."""

from pathlib import Path

import numpy as np
import pytest

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.package import TOKENIZER
from tacenda.models.training.turn_filter import (
    LOST,
    LOST_OF_ANY,
    Judged,
    Vocabulary,
    learn_turn_filter,
    maker_of,
    vocabulary_of,
)
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

HARMLESS = ["hello it is the call", "my name is", "the call is from", "it is the call", "hello"]
PERSONAL = ["mr in", "hello my name is it", "hello from scranton"]
"""After "mr", "in" is somebody; "it" is somebody who names himself."""


@pytest.fixture
def vocabulary(tiny: Path) -> Vocabulary:
    return vocabulary_of(tiny / TOKENIZER)


@pytest.fixture(scope="session")
def tiny() -> Path:
    return Path(__file__).parents[3] / "golden" / "tiny_model"


@pytest.fixture(scope="session")
def encoder(tiny: Path) -> TurnEncoder:
    return TurnEncoder(tiny / TOKENIZER)


def _judged(encoder: TurnEncoder, maker: str, times: int = 40) -> Judged:
    """The last word of personal data is a finding, and nothing else."""
    encoded = encoder.encode(TextColumn((HARMLESS * 3 + PERSONAL) * times))
    likelihoods = np.zeros(len(encoded.ids), np.int8)
    ends = encoded.first_token[1:].reshape(times, -1)[:, -len(PERSONAL) :].ravel() - 1
    likelihoods[ends] = Likelihood.LIKELY
    return Judged(maker, encoded, likelihoods)


def test_words_without_findings_are_harmless(encoder: TurnEncoder, vocabulary: Vocabulary) -> None:
    several = [_judged(encoder, maker) for maker in "abc"]
    learnt, report = learn_turn_filter(several, vocabulary, "network")
    assert learnt.harmless(encoder.encode(TextColumn(HARMLESS))).all()
    assert not learnt.harmless(encoder.encode(TextColumn(PERSONAL))).any()
    assert learnt.network == "network"
    assert sorted(report["makers_left_out"]) == ["a", "b", "c"]
    assert report["words"] == len(learnt.words)


def test_words_too_rare_or_mostly_found_are_not_listed(encoder: TurnEncoder, vocabulary: Vocabulary) -> None:
    several = [_judged(encoder, maker) for maker in "ab"]
    rare = encoder.encode(TextColumn(["and and and"]))
    several.append(Judged("c", rare, np.zeros(len(rare.ids), np.int8)))
    learnt, _ = learn_turn_filter(several, vocabulary, "")
    assert not learnt.harmless(encoder.encode(TextColumn(["hello and", "scranton"]))).any()


def test_digits_and_other_scripts_are_never_listed(encoder: TurnEncoder, vocabulary: Vocabulary) -> None:
    encoded = encoder.encode(TextColumn(["hello 5", "привет", "你好"] * 100))
    judged = Judged("c", encoded, np.zeros(len(encoded.ids), np.int8))
    learnt, _ = learn_turn_filter([_judged(encoder, "a"), _judged(encoder, "b"), judged], vocabulary, "")
    texts = ["hello", "hello 5", "привет", "你好"]
    assert learnt.harmless(encoder.encode(TextColumn(texts))).tolist() == [True, False, False, False]


def test_cross_validation_over_makers_limits_the_loss(encoder: TurnEncoder, vocabulary: Vocabulary) -> None:
    several = [_judged(encoder, maker, 60) for maker in "abc"]
    # Of this maker everything is personal that is nothing to the others.
    encoded = encoder.encode(TextColumn(HARMLESS * 300))
    found = np.full(len(encoded.ids), Likelihood.LIKELY, np.int8)
    strange, report = learn_turn_filter([*several, Judged("d", encoded, found)], vocabulary, "")
    usual, _ = learn_turn_filter(several, vocabulary, "")
    assert strange.limit < usual.limit
    one = report["makers_left_out"]["d"]
    assert one["lost"] <= max(1, LOST_OF_ANY * one["findings"])
    lost, findings = (
        sum(m[name] for m in report["makers_left_out"].values()) for name in ("lost", "findings")
    )
    assert lost <= LOST * findings


def test_the_same_text_gives_the_same_filter(
    encoder: TurnEncoder, vocabulary: Vocabulary, tmp_path: Path
) -> None:
    for name in ("a.npz", "b.npz"):
        learnt, _ = learn_turn_filter([_judged(encoder, m) for m in "ab"], vocabulary, "")
        learnt.write(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_files_of_one_maker_begin_with_one_word() -> None:
    names = ["echr-es-projected.train.jsonl.gz", "echr-fr.train.jsonl", "qmsum.jsonl.gz"]
    assert [maker_of(Path("folder") / name) for name in names] == ["echr", "echr", "qmsum"]
