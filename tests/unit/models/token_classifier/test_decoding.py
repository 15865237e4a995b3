"""The decision rules on small matrices, computed by hand; and properties of any matrix."""

import numpy as np
import pytest

from tacenda.models.token_classifier.decoding import Verdicts, verdicts
from tacenda.models.token_classifier.decoding_settings import Decision, Rule

CLASSES = [None, "A", "B", "A"]
"""The second and the last class are two raw labels of one infoType."""

P = np.array(
    [
        [0.90, 0.05, 0.04, 0.01],
        [0.70, 0.10, 0.15, 0.05],
        [0.10, 0.30, 0.20, 0.40],
        [0.00, 0.00, 1.00, 0.00],
    ],
    np.float32,
)


def fired(on: Verdicts, asked: list[str]) -> list[str | None]:
    return [
        asked[k] if likelihood >= 3 else None
        for k, likelihood in zip(on.info_types.tolist(), on.likelihoods.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    ("decision", "asked", "expected"),
    [
        (Decision(Rule.SUM, 0.2), ["A", "B"], [None, "A", "A", "B"]),
        (Decision(Rule.SUM, 0.05), ["A", "B"], ["A", "A", "A", "B"]),
        (Decision(Rule.SUM, 0.2, (("A", 0.95),)), ["A", "B"], [None, None, None, "B"]),
        (Decision(Rule.SUM, 0.2), ["B"], [None, None, None, "B"]),
        (Decision(Rule.EACH, 0.5), ["A", "B"], [None, None, "A", "B"]),
        (Decision(Rule.EACH, 0.5, (("B", 0.15),)), ["A", "B"], [None, "B", "A", "B"]),
        (Decision(Rule.OUTSIDE, 0.85), ["A", "B"], [None, "A", "A", "B"]),
        (Decision(Rule.OUTSIDE, 0.85), ["B"], [None, "B", "B", "B"]),
        (Decision(Rule.BINARY, 0.2, (), "X"), ["X"], [None, "X", "X", "X"]),
    ],
)
def test_labels_above_the_threshold_are_chosen(
    decision: Decision, asked: list[str], expected: list[str | None]
) -> None:
    assert fired(verdicts(P, CLASSES, decision, asked), asked) == expected


def test_a_sum_of_no_more_than_the_threshold_does_not_fire() -> None:
    half = np.array([[0.5, 0.5, 0, 0]], np.float32)
    assert fired(verdicts(half, CLASSES, Decision(Rule.SUM, 0.5), ["A", "B"]), ["A", "B"]) == [None]
    assert fired(verdicts(half, CLASSES, Decision(Rule.EACH, 0.5), ["A", "B"]), ["A", "B"]) == ["A"]


def test_threshold_0_masks_all_and_1_masks_none() -> None:
    asked = ["A", "B"]
    assert None not in fired(verdicts(P, CLASSES, Decision(Rule.SUM, 0.0), asked), asked)
    assert fired(verdicts(P, CLASSES, Decision(Rule.SUM, 1.0), asked), asked) == [None] * 4
    assert None not in fired(verdicts(P, CLASSES, Decision(Rule.EACH, 0.0), asked), asked)


@pytest.mark.parametrize(
    ("probability", "likelihood"),
    [(0.049, 0), (0.051, 1), (0.11, 2), (0.21, 3), (0.46, 3), (0.47, 4), (0.73, 4), (0.74, 5), (1.0, 5)],
)
def test_likelihood_says_how_far_from_the_threshold(probability: float, likelihood: int) -> None:
    row = np.array([[1 - probability, probability, 0, 0]], np.float32)
    for rule in (Rule.SUM, Rule.EACH):
        assert verdicts(row, CLASSES, Decision(rule, 0.2), ["A", "B"]).likelihoods.tolist() == [likelihood]


@pytest.mark.parametrize("rule", list(Rule))
def test_a_higher_threshold_never_finds_more(rule: Rule) -> None:
    generator = np.random.default_rng(7)
    rows = generator.dirichlet([4, 1, 1, 1], 500).astype(np.float32)
    asked = ["A", "B"]
    limits = np.linspace(0, 1, 41)
    if rule is Rule.OUTSIDE:
        limits = limits[::-1]
    before = np.ones(500, bool)
    for limit in limits:
        decision = Decision(rule, float(limit), (), "B")
        now = verdicts(rows, CLASSES, decision, asked).likelihoods >= 3
        assert not (now & ~before).any()
        before = now
    assert not before[1:].all()


def test_no_labels_or_no_tokens_give_no_findings() -> None:
    assert not verdicts(P, CLASSES, Decision(), []).likelihoods.any()
    assert len(verdicts(P[:0], CLASSES, Decision(), ["A"]).scores) == 0
