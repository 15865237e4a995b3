import numpy as np
import pytest

from tacenda.transforms.evaluating.memorization.membership import membership


def test_auc_counts_pairs_and_halves_ties() -> None:
    # Pairs (member, other) with the lower loss at the member: 1 < 2, 1 < 3, 2 = 2 half, 2 < 3: 3.5 of 4.
    found = membership([1.0, 2.0], [2.0, 3.0])
    assert found["auc"] == 0.875
    assert membership([1, 1], [1, 1])["auc"] == 0.5
    assert membership([1, 2], [3, 4])["auc"] == 1.0
    assert membership([3, 4], [1, 2])["auc"] == 0.0


def test_the_interval_is_that_of_delong() -> None:
    # Of members, shares of others above: 1 and .75; of others, shares of members below: .75 and 1.
    # Variances .03125 each, over two: sqrt(.03125) = .1768.
    low, high = membership([1.0, 2.0], [2.0, 3.0])["auc_95"]
    assert low == pytest.approx(0.875 - 1.96 * 0.1768, abs=1e-3)
    assert high == 1.0


def test_true_positives_at_a_false_positive_rate() -> None:
    others = list(range(1, 11))
    # One of ten others may be accused: that with loss 1, so members below 2 are found.
    rates = membership([0.5, 1.5, 2.0, 9.0], others)["true_positive_rates"]
    assert rates["0.1"]["rate"] == 0.5
    assert rates["0.01"] is None
    assert rates["0.001"] is None
    assert 0.1 < rates["0.1"]["rate_95"][0] < 0.5 < rates["0.1"]["rate_95"][1] < 0.9


def test_without_memorisation_membership_is_guessed_by_chance() -> None:
    draw = np.random.default_rng(1)
    found = membership(draw.normal(0, 1, 2000).tolist(), draw.normal(0, 1, 2000).tolist())
    low, high = found["auc_95"]
    assert low < 0.5 < high
    assert found["true_positive_rates"]["0.01"]["rate"] == pytest.approx(0.01, abs=0.01)
