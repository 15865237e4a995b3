from collections import Counter

import numpy as np
import pytest

from tacenda.transforms.schema.residual import Dependence, Meaning
from tacenda.transforms.scoring.expected import MILLION, NOTHING, Expected
from tacenda.transforms.scoring.intervals import gamma_quantile
from tacenda.transforms.scoring.predicted import expected_counts, interval, predicted
from tacenda.transforms.scoring.score_table import ScoreTable

EXACT = {"factor": 1.0, "shape": 1e9}
SPREAD = {"mean": EXACT, "share": EXACT, "direct": EXACT}
TABLE = ScoreTable.load()
HALF = Expected((500_000, 0, 0, 0, 0, 500_000), 250_000)


def test_counts_add_up_in_any_division() -> None:
    several = [HALF, NOTHING, Expected((900_000, 100_000), 0), HALF]
    whole = Counter(expected_counts("calls", several))
    parts = Counter(expected_counts("calls", several[:1]))
    parts.update(expected_counts("calls", several[1:]))
    assert whole == parts
    assert whole["conversations/calls"] == 4
    assert whole["0/calls"] + whole["1/calls"] + whole["5/calls"] == 4 * MILLION


def test_figures_are_those_of_the_mixture() -> None:
    counts = {**expected_counts("a/b", [HALF] * 100), **expected_counts("", [NOTHING] * 100)}
    told = predicted(counts, SPREAD, {}, TABLE, 5)
    assert list(told["contexts"]) == ["", "a/b"]
    one, total = told["contexts"]["a/b"], told["total"]
    assert (one["count"], one["mean"], one["std"], one["p95"]) == (100, 2.5, 2.5, 5)
    assert (one["share_at_or_over_threshold"], one["direct_identifier_share"]) == (0.5, 0.25)
    assert (total["count"], total["mean"]) == (200, 1.25)
    assert told["contexts"][""]["mean_interval_95"] == [0, 0]
    low, high = one["mean_interval_95"]
    assert low < 2.5 < high


def test_what_both_looks_miss_is_by_kind_and_adds_up() -> None:
    by = {"PERSON_NAME": Dependence(1.0, 0.5, 2.0, 1.0, 4.0)}
    seen = NOTHING._replace(looks=(5, 2, 1500, 3, 0, 0, 0, 0, 0))
    counts = {**expected_counts("a", [seen] * 10), **expected_counts("b", [seen, NOTHING])}
    told = predicted(counts, SPREAD, by, TABLE, 5)
    (kind, one), *others = told["contexts"]["a"]["both_looks_miss"].items()
    assert kind == "PERSON_NAME"
    assert not others
    assert (one["seen_by_both"], one["by_the_first_alone"], one["by_the_second_alone"]) == (50, 10, 15)
    assert one["missed_by_both"] == pytest.approx(2 * 10 * 15 / 51, abs=1e-4)
    low, high = one["missed_by_both_interval_95"]
    assert low < one["missed_by_both"] < high
    assert told["total"]["both_looks_miss"][kind]["seen_by_both"] == 55


def test_without_an_independent_detector_nothing_is_said_of_both() -> None:
    by = {"PERSON_NAME": Dependence(1.0, 0.5, 2.0, 1.0, 4.0)}
    assert predicted(expected_counts("a", [HALF]), SPREAD, by, TABLE, 5)["total"]["both_looks_miss"] == {}


def test_upper_ends_contain_what_both_looks_miss_at_the_greatest_odds_ratio() -> None:
    meanings = (Meaning("PERSON_NAME", False, False, 0.25), Meaning("PERSON_NAME", True, False, 0.75))
    by = {"PERSON_NAME": Dependence(1.0, 0.5, 2.0, 1.0, 4.0, meanings)}
    looked = [HALF._replace(looks=(5, 2, 1500, 0, 0, 0, 0, 0, 0))] * 10
    counts = expected_counts("a", [*looked, *[NOTHING] * 90])
    one = predicted(counts, SPREAD, by, TABLE, 5)["total"]
    plain = predicted(counts, SPREAD, {}, TABLE, 5)["total"]
    most = 4 * 10 * 15 / 51
    told = one["both_looks_miss"]["PERSON_NAME"]
    assert told["missed_by_both_at_most"] == pytest.approx(most, abs=1e-4)
    # A whole name scores 5 and identifies, a part of one 3 in this table.
    half = TABLE.score(TABLE.resolve("PERSON_NAME", partial=True))
    each = (0.25 * 5 + 0.75 * half, 0.25, 0.25)
    names = ("points_each", "at_or_over_threshold_each", "direct_each")
    assert [told[name] for name in names] == pytest.approx(each)
    for figure, added in zip(
        ("mean", "share_at_or_over_threshold", "direct_identifier_share"), each, strict=True
    ):
        low, high = one[f"{figure}_interval_95"]
        assert (one[figure], low) == (plain[figure], plain[f"{figure}_interval_95"][0])
        assert high == pytest.approx(plain[f"{figure}_interval_95"][1] + most * added / 100, abs=1e-3)
    assert one["std_interval_95"][1] > plain["std_interval_95"][1]
    assert one["p95_interval_95"][1] >= plain["p95_interval_95"][1]


def test_what_is_missed_is_told_even_if_nothing_else_is_expected() -> None:
    assert interval(0.0, 0.0, EXACT, 2.5) == (0, 0, 2.5)
    nothing = predicted(expected_counts("a", [NOTHING]), SPREAD, {}, TABLE, 5)["total"]
    assert nothing["mean_interval_95"] == [0, 0]


def test_the_interval_holds_for_95_of_100_draws_of_its_own_model() -> None:
    draw = np.random.default_rng(7)
    of = {"factor": 0.8, "shape": 2.0}
    probabilities = draw.uniform(0, 0.2, 400)
    expected, squares = 5 * probabilities.sum(), 25 * probabilities.sum()
    _, low, high = interval(expected, squares, of)
    factors = draw.gamma(of["shape"], of["factor"] / of["shape"], 4000)
    sums = 5 * draw.poisson(factors * probabilities.sum())
    assert 0.93 <= np.mean((low <= sums) & (sums <= high)) <= 0.97


def test_an_interval_widens_with_the_spread_of_makers() -> None:
    _, *narrow = interval(50.0, 250.0, {"factor": 1.0, "shape": 50.0})
    _, *wide = interval(50.0, 250.0, {"factor": 1.0, "shape": 2.0})
    assert wide[0] < narrow[0] < 50 < narrow[1] < wide[1]


@pytest.mark.parametrize(
    ("probability", "shape", "quantile"),
    [(0.025, 0.5, 0.000491), (0.975, 0.5, 2.511943), (0.025, 4, 1.089865), (0.975, 20, 29.670854)],
)
def test_gamma_quantiles_are_those_of_tables(probability: float, shape: float, quantile: float) -> None:
    assert gamma_quantile(probability, shape) == pytest.approx(quantile, abs=2e-6)


def test_gamma_quantiles_continue_where_the_approximation_begins() -> None:
    assert gamma_quantile(0.975, 1000) - gamma_quantile(0.975, 999.9) == pytest.approx(0.103, abs=0.01)
