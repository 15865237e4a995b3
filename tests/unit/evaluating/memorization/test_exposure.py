from math import exp, log

import numpy as np
import pytest

from tacenda.transforms.evaluating.memorization.canaries import Canary
from tacenda.transforms.evaluating.memorization.exposure import exposure_of, rank, summary

NUMBER = Canary("c0000", "number", 7, 10**9)


def test_ranks_count_what_the_model_finds_likelier_and_halve_ties() -> None:
    assert rank(1.0, [2.0, 3.0]) == 1
    assert rank(2.5, [2.0, 3.0]) == 2
    assert rank(5.0, [5.0, 5.0]) == 2
    assert rank(2.0, [1.0, 2.0, 3.0]) == 2.5


def test_a_space_scored_whole_has_exact_exposure() -> None:
    eight = Canary("c0000", "number", 0, 8)
    first = exposure_of(eight, 1.0, [2.0] * 7)
    assert (first["rank"], first["exposure"], first["exact"], first["fitted"]) == (1, 3.0, True, None)
    # log2 8 - log2 4, and log2 8 - log2 8.
    assert exposure_of(eight, 4.5, [1, 2, 4, 5, 6, 7, 8])["exposure"] == 1.0
    assert exposure_of(eight, 9.0, [1, 2, 3, 4, 5, 6, 7])["exposure"] == 0.0


def test_a_sample_bounds_exposure_and_a_distribution_goes_beyond() -> None:
    pytest.importorskip("scipy")
    others = np.random.default_rng(1).normal(100, 10, 1000).tolist()
    found = exposure_of(NUMBER, 60.0, others)
    assert (found["exposure"], found["most"], found["exact"]) == (9.967, 9.967, False)
    # Four standard deviations below the mean: 3.17e-5, 14.9 bits.
    assert found["fitted"] == pytest.approx(14.9, abs=1.5)
    assert found["fit_p"] > 0.05
    # Never more than the space has.
    assert exposure_of(NUMBER, -1e6, others)["fitted"] == pytest.approx(29.897, abs=1e-3)


def test_equal_scores_give_no_exposure() -> None:
    found = exposure_of(NUMBER, 1.0, [1.0] * 255)
    assert (found["rank"], found["fitted"]) == (128.5, None)
    assert found["exposure"] == pytest.approx(1, abs=0.01)


def test_p_is_the_tail_of_the_sum_of_exponentials() -> None:
    def of(*bits: float) -> float:
        return float(summary([{"exposure": value} for value in bits])["p"])

    # One canary of 3 bits: one rank of eight. Two: e^-s (1 + s) with s in nats.
    assert of(3.0) == pytest.approx(1 / 8)
    nats = 5 * log(2)
    assert of(2.0, 3.0) == pytest.approx(exp(-nats) * (1 + nats))
    assert of(0.0, 0.0) == 1.0
    assert of(*[30.0] * 40) == 0.0
    assert summary([{"exposure": 2.0}, {"exposure": 4.0}])["mean"] == 3.0
