"""The rule for thresholds: the highest recall whose F1 loses at most delta."""

import pytest

from tacenda.models.token_classifier.decoding_settings import Rule
from tacenda.models.training.thresholds import ALL, Curve, Point, decided


def curve(*f1s, support=100, judged=None):
    """F1 at limits .1, .2 …; recall falls as the limit rises."""
    points = [Point(round(0.1 * (i + 1), 1), 1 - 0.05 * i, 0.5, f) for i, f in enumerate(f1s)]
    return Curve(support, support if judged is None else judged, tuple(points))


@pytest.mark.parametrize(
    ("f1s", "delta", "limit"),
    [
        ((0.5, 0.79, 0.8, 0.7), 0.0, 0.3),
        ((0.5, 0.79, 0.8, 0.7), 0.02, 0.2),
        ((0.5, 0.79, 0.8, 0.7), 0.31, 0.1),
        ((0.8, 0.1, 0.8), 0.0, 0.1),
        ((None, 0.6, 0.61), 0.0, 0.3),
    ],
)
def test_takes_the_lowest_limit_within_delta_of_the_best(f1s, delta, limit):
    assert curve(*f1s).chosen(delta) == limit


def test_chooses_nothing_on_too_little_gold():
    assert curve(0.5, 0.9, support=19).chosen(0.02) is None
    assert curve(0.5, 0.9, support=500, judged=3).chosen(0.02) is None
    assert curve(None, None).chosen(0.02) is None


def test_a_class_without_a_curve_has_the_limit_of_all():
    named = {ALL: curve(0.5, 0.9), "A": curve(0.9, 0.5), "B": curve(0.9, support=2)}
    decision = decided(named, 0.02)
    assert (decision.rule, decision.threshold, decision.thresholds) == (Rule.SUM, 0.2, (("A", 0.1),))
    assert decided({ALL: curve(None)}, 0.02, fallback=0.25).threshold == 0.25
