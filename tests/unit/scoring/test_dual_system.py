from math import inf

import numpy as np
import pytest

from tacenda.transforms.schema.residual import Dependence
from tacenda.transforms.scoring.dual_system import (
    Looks,
    chao_least,
    chapman,
    chapman_variance,
    looks_of,
    missed,
    odds_ratio,
    unseen,
    unseen_interval,
)

TURTLES = Looks(both=5, first=5, second=10)
"""The textbook's turtles: 10 marked, then 15 caught, of which 5 have a mark."""


def test_chapmans_number_is_that_of_the_textbook() -> None:
    assert chapman(TURTLES) == pytest.approx(28.33, abs=0.01)
    assert chapman_variance(TURTLES) == pytest.approx(11 * 16 * 5 * 10 / (36 * 7))


def test_sadinles_interval_is_that_of_the_textbook() -> None:
    low, high = unseen_interval(TURTLES)
    assert round(low + TURTLES.seen) == 22
    assert round(high + TURTLES.seen) == 65


def test_looks_that_agree_on_everything_miss_nothing() -> None:
    assert chapman(Looks(40, 0, 0)) == 40
    assert unseen(Looks(40, 0, 0)) == 0
    assert chao_least(Looks(40, 0, 0)) == 40
    low, high = unseen_interval(Looks(40, 0, 0))
    assert low == 0
    assert high < 1


def test_chaos_bound_is_that_of_two_looks() -> None:
    # Once seen 15, twice 5: 20 + 225 / 20.
    assert chao_least(TURTLES) == pytest.approx(31.25)
    assert chao_least(Looks(0, 3, 1)) == 4 + 3
    # With equal looks it is that of Lincoln and Petersen.
    assert chao_least(Looks(10, 6, 6)) == pytest.approx(22 + 3.6)


def test_dependence_multiplies_what_both_miss() -> None:
    assert unseen(TURTLES, 3.0) == pytest.approx(3 * unseen(TURTLES))
    (low, high), (least, most) = unseen_interval(TURTLES), unseen_interval(TURTLES, (0.5, 4.0))
    assert least < low < high < most


def test_the_odds_ratio_of_known_numbers() -> None:
    assert odds_ratio(Looks(80, 20, 20), 5) == pytest.approx(1, abs=0.1)
    assert odds_ratio(Looks(80, 20, 20), 20) == pytest.approx(4, rel=0.1)
    assert odds_ratio(Looks(3, 0, 0), 0) < inf


@pytest.mark.parametrize(
    ("true_odds", "both", "first", "second"),
    [(1.0, 0.6, 0.2, 0.12), (4.0, 0.6, 0.2, 0.12), (1.0, 0.9, 0.02, 0.03), (3.0, 0.5, 0.4, 0.02)],
)
def test_intervals_hold_for_95_of_100_simulated_corpora(
    true_odds: float, both: float, first: float, second: float
) -> None:
    draw = np.random.default_rng(5)
    # Shares of the four cells, of which the last is what both miss.
    none = true_odds * first * second / both
    shares = np.array([both, first, second, none]) / (both + first + second + none)
    inside = []
    for cells in draw.multinomial(300, shares, 3000).tolist():
        low, high = unseen_interval(Looks(*cells[:3]), (true_odds, true_odds))
        inside.append(low <= cells[3] <= high)
    assert np.mean(inside) >= 0.93


def test_what_is_no_personal_data_counts_for_nothing() -> None:
    by = Dependence(right_both=1.0, right_first=0.5, middle=2.0, least=1.0, most=4.0)
    found = missed(Looks(100, 20, 6), by)
    assert found.looks == Looks(100, 10, 6)
    assert found.unseen == pytest.approx(2 * 10 * 6 / 101)
    assert found.most == pytest.approx(4 * 10 * 6 / 101)
    assert found.interval[0] < found.unseen < found.interval[1]
    assert found.independent == pytest.approx(chapman(found.looks))
    assert found.least_total >= found.looks.seen


def test_counts_are_read_in_the_order_in_which_they_are_kept() -> None:
    told = looks_of([1, 2, 3000, 4, 5, 6500, 0, 0, 0])
    assert told["PERSON_NAME"] == Looks(1, 2, 3)
    assert told["LOCATION"] == Looks(4, 5, 6.5)
    assert told["ORGANIZATION_NAME"] == Looks(0, 0, 0)
