from math import comb

import pytest

from tacenda.transforms.scoring.intervals import exact_interval, upper_bound, wilson_interval


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17, 1998, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_are_the_published_ones(successes, trials, low, high):
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_wilson_intervals_are_symmetric_and_0_to_1_without_trials():
    low, high = wilson_interval(3, 10)
    assert wilson_interval(7, 10) == pytest.approx((1 - high, 1 - low))
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert wilson_interval(10, 10)[1] == 1.0
    assert wilson_interval(5, 10, 0.99)[0] < wilson_interval(5, 10, 0.95)[0]


@pytest.mark.parametrize(("successes", "trials"), [(-1, 3), (4, 3), (1, 0)])
def test_wilson_refuses_what_is_no_proportion(successes, trials):
    with pytest.raises(ValueError, match="trials"):
        wilson_interval(successes, trials)


def test_none_of_200_bounds_the_papers_red_team_at_one_and_a_half_percent():
    assert upper_bound(0, 200) == pytest.approx(0.0149, abs=5e-5)
    assert upper_bound(0, 400) == pytest.approx(0.0075, abs=5e-5)
    assert upper_bound(0, 0) == 1.0
    assert upper_bound(7, 7) == 1.0
    for successes, trials in ((0, -1), (3, 2), (-1, 2)):
        with pytest.raises(ValueError, match="trials"):
            upper_bound(successes, trials)


@pytest.mark.parametrize(("successes", "trials"), [(1, 20), (19, 200), (150, 200), (5, 100_000)])
def test_so_few_successes_have_one_chance_in_twenty_at_the_bound(successes: int, trials: int):
    share = upper_bound(successes, trials)
    chance = sum(comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(successes + 1))
    assert chance == pytest.approx(0.05, rel=1e-6)
    assert successes / trials < share < 1


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 200, 0.0, 0.0182753), (19, 200, 0.0581696, 0.1443766), (5, 5, 0.4781762, 1.0)],
)
def test_exact_intervals_are_quantiles_of_the_beta_distribution(
    successes: int, trials: int, low: float, high: float
) -> None:
    assert exact_interval(successes, trials) == pytest.approx((low, high), abs=1e-7)


def test_the_interval_of_many_successes_is_that_of_their_normal_approximation() -> None:
    low, high = exact_interval(500_000, 1_000_000)
    assert (low, high) == pytest.approx((0.49902, 0.50098), abs=1e-5)
    assert exact_interval(950_000, 1_000_000) == pytest.approx((0.949571, 0.950426), abs=2e-6)


def test_without_trials_any_share_is_possible() -> None:
    assert exact_interval(0, 0) == (0.0, 1.0)
