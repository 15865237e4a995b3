from fractions import Fraction

import numpy as np
import pytest

from tacenda.transforms.scoring.histogram import Histogram


def of(*scores):
    histogram = Histogram()
    for score in scores:
        histogram.add(score)
    return histogram


def test_without_scores_there_are_no_figures():
    empty = of()
    assert (empty.count, empty.total, empty.max, empty.mean(), empty.std(0), empty.percentile(95)) == (
        0,
        0,
        None,
        None,
        None,
        None,
    )
    assert empty.mean_plus(1, 0) is None
    assert not empty.mean_plus_std_below(Fraction(5), 0)


def test_percentiles_interpolate_between_two_ranks():
    assert of(*[0] * 93, 6, 7, 8, 9, 9, 9).percentile(95) == Fraction(61, 10)
    assert of(*[0] * 94, 3, *[5] * 5).percentile(95) == Fraction(31, 10)
    assert of(4).percentile(99) == 4
    assert of(1, 2).percentile(50) == Fraction(3, 2)


@pytest.mark.parametrize("percent", [0, 1, 50, 95, 99, 100])
def test_percentiles_equal_those_of_numpy(percent):
    scores = [(i * i) % 23 for i in range(57)]
    assert float(of(*scores).percentile(percent)) == pytest.approx(np.percentile(scores, percent), abs=1e-12)


def test_std_of_one_score_is_zero_of_a_population_and_unknown_of_a_sample():
    assert of(3).std(0) == 0.0
    assert of(3).std(1) is None
    assert of(3).mean_plus(1, 1) is None
    assert not of(3).mean_plus_std_below(Fraction(5), 1)


def test_sums_beyond_what_a_float_holds_stay_exact():
    histogram = Histogram({2**53: 1, 2**53 + 1: 1})
    assert histogram.mean() == Fraction(2**54 + 1, 2)
    assert histogram.std(0) == 0.5


@pytest.mark.parametrize(
    ("counts", "ddof", "below"),
    [
        ({0: 1, 5: 1}, 0, False),  # 2.5 + 2.5 is just 5
        ({0: 10, 5: 10}, 0, False),
        ({1: 9, 6: 1}, 0, True),  # 1.5 + 1.5 = 3
        ({5: 3}, 0, False),  # mean 5, std 0
        ({4: 3}, 0, True),
        ({0: 4, 10: 1}, 0, False),  # 2 + 4 = 6
        ({3: 1, 5: 1}, 0, False),  # 4 + 1 = 5
        ({3: 1, 4: 1}, 1, True),  # 3.5 + 0.7
        ({3: 2, 5: 1}, 0, True),  # 3.67 + 0.94 = 4.61
        ({0: 2, 5: 1}, 0, True),  # 1.67 + 2.36 = 4.02
        ({0: 2, 5: 1}, 1, True),  # 1.67 + 2.89 = 4.55
        ({0: 1, 5: 1}, 1, False),  # 2.5 + 3.54
        ({7: 1, 8: 1}, 0, False),  # over the threshold by its mean alone
    ],
)
def test_the_criterion_is_exact_at_the_boundary(counts, ddof, below):
    assert Histogram(counts).mean_plus_std_below(Fraction(5), ddof) is below


def test_the_boundary_is_distinguished_from_its_nearest_neighbour():
    million = 10**6
    at = Histogram({0: million, 5: million})
    under = Histogram({0: million + 1, 5: million})
    assert at.mean_plus(1, 0) == 5.0
    assert not at.mean_plus_std_below(Fraction(5), 0)
    assert under.mean_plus_std_below(Fraction(5), 0)


def test_the_threshold_may_be_any_fraction():
    scores = Histogram({1: 4, 4: 1})  # mean 8/5, std 6/5
    assert scores.mean_plus(1, 0) == 2.8
    assert not scores.mean_plus_std_below(Fraction(14, 5), 0)
    assert scores.mean_plus_std_below(Fraction(14, 5) + Fraction(1, 10**30), 0)
