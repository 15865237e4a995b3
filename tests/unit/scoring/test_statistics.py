"""The figures of a corpus, and their intervals."""

import json
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from tacenda.transforms.scoring.intervals import (
    exact_interval,
    percentile_interval,
    spread_intervals,
    upper_bound,
    wilson_interval,
)
from tacenda.transforms.scoring.statistics import Histogram, RiskSketch
from tests.cases import tabled

TABLE_4 = json.loads((Path(__file__).parents[2] / "golden" / "table4_scores.json").read_text("utf-8"))


def sketch_of(**contexts):
    sketch = RiskSketch()
    for context, scores in contexts.items():
        for score in scores:
            sketch.add("human", context, score)
    return sketch


def printed(group):
    return {
        "count": group["count"],
        "mean": f"{group['mean']:.1f}",
        "std": f"{group['std']:.1f}",
        "p95": f"{group['p95']:.1f}",
        "max": group["max"],
        "mu_plus_sigma": f"{group['mu_plus_sigma']:.1f}",
    }


def as_printed(row):
    return {key: row[key] if key in ("count", "max") else f"{row[key]:.1f}" for key in row}


def test_table_4_recomputes():
    sketch = sketch_of(**{row["context"]: row["scores"] for row in TABLE_4["rows"]})
    human = sketch.figures()["sources"]["human"]
    for row in TABLE_4["rows"]:
        assert printed(human["contexts"][row["context"]]) == as_printed(row["printed"])
        assert human["contexts"][row["context"]]["pass"]
    assert len(human["contexts"]) == 5
    # The paper prints 498 conversations in total; its rows have 497.
    assert printed(human["total"]) == as_printed(TABLE_4["total"]["printed"]) | {"count": 497}
    assert human["total"]["pass"]


def test_figures_of_one_context():
    group = sketch_of(sales=[0, 0, 0, 5, 9]).figures()["sources"]["human"]["contexts"]["sales"]
    assert (group["at_or_over_threshold"], group["share_at_or_over_threshold"]) == (2, 0.4)
    assert group["share_interval_95"] == pytest.approx((0.0527, 0.8534), abs=1e-4)
    assert group["direct_identifier_interval_95"] == pytest.approx((0, 0.5218), abs=1e-4)
    assert group["p95_interval_95"] == [5, None]
    assert group["mean_interval_95"][0] <= group["mean"] <= group["mean_interval_95"][1]
    assert group["std_interval_95"][0] <= group["std"] <= group["std_interval_95"][1]
    assert group["histogram"] == {"0": 3, "5": 1, "9": 1}
    assert not group["pass"]


def test_zeros_count_and_the_unreviewed_do_not():
    sketch = sketch_of(sales=[0, 0, 3])
    sketch.add_unreviewed("human", "sales")
    sketch.add_unreviewed("human", "meetings")
    human = sketch.figures()["sources"]["human"]
    sales, meetings = human["contexts"]["sales"], human["contexts"]["meetings"]
    assert (sales["count"], sales["unreviewed"], sales["mean"]) == (3, 1, 1.0)
    nothing = ("mean", "p95", "max", "share_at_or_over_threshold", "mean_interval_95", "p95_interval_95")
    assert {meetings[name] for name in nothing} == {None}
    assert (meetings["count"], meetings["unreviewed"], meetings["pass"]) == (0, 1, False)
    assert (human["total"]["count"], human["total"]["unreviewed"]) == (3, 2)


def test_sources_are_never_added_up():
    sketch = RiskSketch()
    sketch.add("model", "sales", 9)
    sketch.add("human", "sales", 1)
    sketch.add("gold", "sales", 4)
    highest = {source: of["total"]["max"] for source, of in sketch.figures()["sources"].items()}
    assert list(highest.items()) == [("human", 1), ("gold", 4), ("model", 9)]


def test_direct_identifiers_have_their_share():
    sketch = RiskSketch()
    sketch.add("gold", "", 5, direct_identifier=True, names_somebody=True)
    sketch.add("gold", "", 5)
    group = sketch.figures()["sources"]["gold"]["contexts"][""]
    assert (group["direct_identifiers"], group["direct_identifier_share"]) == (1, 0.5)
    assert group["naming_somebody"] == 1


@pytest.mark.parametrize("score", [-1, 2.0, True, "3", None])
def test_a_score_is_a_natural_number(score):
    with pytest.raises(ValueError, match="integer"):
        RiskSketch().add("human", "", score)


def test_a_source_is_one_of_three():
    with pytest.raises(ValueError, match="human, gold, model"):
        RiskSketch().add("hearsay", "", 1)


def test_the_sketch_is_small_and_goes_to_json_and_back():
    sketch = RiskSketch()
    for score in [10, 9, 0] * 1000:
        sketch.add("human", "sales", score, direct_identifier=score > 9)
    sketch.add("human", "", 2)
    sketch.add_unreviewed("gold", "sales")
    document = sketch.to_json()
    none = {"direct": 0, "named": 0, "unreviewed": 0}
    assert document["scores"] == {
        "gold": {"sales": {**none, "scores": [], "unreviewed": 1}},
        "human": {
            "": {**none, "scores": [[2, 1]]},
            "sales": {**none, "scores": [[0, 1000], [9, 1000], [10, 1000]], "direct": 1000},
        },
    }
    again = RiskSketch.from_json(json.loads(json.dumps(document)))
    assert json.dumps(again.to_json()) == json.dumps(document)
    assert again.figures() == sketch.figures()
    assert (RiskSketch().figures()["sources"], RiskSketch().to_json()["scores"]) == ({}, {})


def test_sums_beyond_what_a_float_holds_stay_exact():
    histogram = Histogram({2**53: 1, 2**53 + 1: 1})
    assert histogram.mean() == Fraction(2**54 + 1, 2)
    assert histogram.std() == 0.5


@tabled("counts", "below")
def test_the_criterion_is_exact_at_the_boundary(counts, below):
    assert Histogram(counts).mean_plus_std_below(Fraction(5)) is below


def test_the_threshold_may_be_any_fraction():
    scores = Histogram({1: 4, 4: 1})  # mean 8/5, std 6/5
    assert scores.mean_plus(1) == 2.8
    assert not scores.mean_plus_std_below(Fraction(14, 5))
    assert scores.mean_plus_std_below(Fraction(14, 5) + Fraction(1, 10**30))


@tabled("successes", "trials", "low", "high")
def test_wilson_intervals_are_the_published_ones(successes, trials, low, high):
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


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
def test_so_few_successes_have_one_chance_in_twenty_at_the_bound(successes, trials):
    share = upper_bound(successes, trials)
    chance = sum(comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(successes + 1))
    assert chance == pytest.approx(0.05, rel=1e-6)
    assert successes / trials < share < 1


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 200, 0.0, 0.0182753), (19, 200, 0.0581696, 0.1443766), (5, 5, 0.4781762, 1.0)],
)
def test_exact_intervals_are_quantiles_of_the_beta_distribution(successes, trials, low, high):
    assert exact_interval(successes, trials) == pytest.approx((low, high), abs=1e-7)


def test_the_interval_of_many_successes_is_that_of_their_normal_approximation():
    assert exact_interval(0, 0) == (0.0, 1.0)
    low, high = exact_interval(500_000, 1_000_000)
    assert (low, high) == pytest.approx((0.49902, 0.50098), abs=1e-5)
    assert exact_interval(950_000, 1_000_000) == pytest.approx((0.949571, 0.950426), abs=2e-6)


def test_the_median_of_ten_lies_between_the_second_and_the_ninth():
    # Hahn and Meeker, table A.15a: ranks 2 and 9 of 10 enclose the median with 97.9 %.
    assert percentile_interval(dict.fromkeys(range(1, 11), 1), 50) == (2, 9)


@pytest.mark.parametrize(("count", "high"), [(1, None), (71, None), (72, 3), (500, 3)])
def test_few_scores_do_not_bound_a_high_percentile(count, high):
    assert percentile_interval({3: count}, 95) == (0 if count == 1 else 3, high)


def test_without_scores_there_is_no_interval():
    assert percentile_interval({}, 95) is None


HIGH = {0: 72, 1: 6, 2: 5, 3: 7, 4: 1, 5: 2, 6: 1, 7: 2, 12: 1, 17: 1, 20: 1}


@pytest.mark.parametrize(
    ("count", "passes"), [(1, False), (2, False), (5, False), (6, True), (20, True), (100, True)]
)
def test_clean_conversations_have_an_upper_bound_that_shrinks_with_their_number(count, passes):
    *_, (low, high) = spread_intervals({0: count})
    assert low == 0 < high
    assert (high < 5) == passes


@pytest.mark.parametrize("counts", [{0: 20, 5: 3}, {0: 30, 2: 5, 5: 3}, HIGH])
def test_the_bootstrap_is_that_of_numpy(counts):
    scores = np.repeat(list(counts), list(counts.values()))
    drawn = np.random.default_rng(1).choice(scores, (40_000, len(scores)))
    figures = (
        lambda values: values.mean(axis=-1),
        lambda values: values.std(axis=-1),
        lambda values: values.mean(axis=-1) + values.std(axis=-1),
    )
    for interval, figure in zip(spread_intervals(counts), figures, strict=True):
        expected = np.quantile(figure(drawn), [0.025, 0.975])
        assert interval[0] == pytest.approx(expected[0], rel=0.05)
        # What was not seen may lie above what any sample of these shows.
        assert interval[1] >= expected[1] * 0.97
        assert interval[0] <= figure(scores) <= interval[1]


def test_the_interval_of_a_whole_population_is_a_point():
    assert spread_intervals({0: 1, 4: 1}, population=2) == ((2, 2), (2, 2), (4, 4))
    *_, (_, high) = spread_intervals({0: 1, 4: 1}, population=3)
    assert high > 5
    assert spread_intervals({}) is None
