import json
from fractions import Fraction
from pathlib import Path

import pytest

from tacenda.transforms.scoring.statistics import RiskSketch

TABLE_4 = json.loads((Path(__file__).parents[2] / "golden" / "table4_scores.json").read_text("utf-8"))


def sketch_of(**contexts):
    sketch = RiskSketch()
    for context, scores in contexts.items():
        for score in scores:
            sketch.add("human", context, score)
    return sketch


def printed(group):
    return {
        "count": group.count,
        "mean": f"{group.mean:.1f}",
        "std": f"{group.std:.1f}",
        "p95": f"{group.p95:.1f}",
        "max": group.max,
        "mu_plus_sigma": f"{group.mu_plus_sigma:.1f}",
    }


def as_printed(row):
    return {key: row[key] if key in ("count", "max") else f"{row[key]:.1f}" for key in row}


@pytest.mark.parametrize("ddof", [0, 1])
def test_table_4_recomputes(ddof):
    statistics = sketch_of(**{row["context"]: row["scores"] for row in TABLE_4["rows"]}).compute(ddof=ddof)
    human = statistics.sources["human"]
    for row in TABLE_4["rows"]:
        assert printed(human.contexts[row["context"]]) == as_printed(row["printed"])
        assert human.contexts[row["context"]].passed
    assert len(human.contexts) == 5
    # The paper prints 498 conversations in total; its rows have 497.
    assert printed(human.total) == as_printed(TABLE_4["total"]["printed"]) | {"count": 497}
    assert human.total.passed


def test_figures_of_one_context():
    group = sketch_of(sales=[0, 0, 0, 5, 9]).compute().sources["human"].contexts["sales"]
    assert (group.count, group.total, group.max, group.mean, group.p50) == (5, 14, 9, 2.8, 0.0)
    assert group.std == pytest.approx(3.6551, abs=1e-4)
    assert (group.p95, group.p99) == (pytest.approx(8.2), pytest.approx(8.84))
    assert group.mu_plus_sigma == pytest.approx(group.mean + group.std)
    assert group.mu_plus_2sigma == pytest.approx(group.mean + 2 * group.std)
    assert (group.at_or_over_threshold, group.share_at_or_over_threshold) == (2, 0.4)
    assert group.share_interval == pytest.approx((0.0527, 0.8534), abs=1e-4)
    assert group.direct_identifier_interval == pytest.approx((0, 0.5218), abs=1e-4)
    assert group.p95_interval == (5, None)
    assert group.mean_interval[0] <= group.mean <= group.mean_interval[1]
    assert group.std_interval[0] <= group.std <= group.std_interval[1]
    assert group.histogram == {0: 3, 5: 1, 9: 1}
    assert not group.passed


def test_a_mean_plus_std_of_just_the_threshold_fails():
    group = sketch_of(sales=[0, 5]).compute().sources["human"].total
    assert group.mu_plus_sigma == 5.0
    assert not group.passed
    assert not group.passes(5)
    assert group.passes(Fraction(5001, 1000))


def test_the_threshold_moves_share_and_criterion():
    statistics = sketch_of(sales=[0, 2, 3]).compute(threshold=2)
    group = statistics.sources["human"].total
    assert (statistics.threshold, group.at_or_over_threshold, group.passed) == (2, 2, False)


def test_a_sample_divides_by_one_less():
    sketch = sketch_of(sales=[1, 3])
    assert sketch.compute(ddof=0).sources["human"].total.std == 1.0
    assert sketch.compute(ddof=1).sources["human"].total.std == pytest.approx(2**0.5)
    with pytest.raises(ValueError, match="ddof"):
        sketch.compute(ddof=2)


def test_zeros_count_and_the_unreviewed_do_not():
    sketch = sketch_of(sales=[0, 0, 3])
    sketch.add_unreviewed("human", "sales")
    sketch.add_unreviewed("human", "meetings")
    human = sketch.compute().sources["human"]
    assert (human.contexts["sales"].count, human.contexts["sales"].unreviewed) == (3, 1)
    assert human.contexts["sales"].mean == 1.0
    meetings = human.contexts["meetings"]
    assert (meetings.count, meetings.unreviewed, meetings.mean, meetings.p95, meetings.max) == (
        0,
        1,
        None,
        None,
        None,
    )
    assert (meetings.share_at_or_over_threshold, meetings.passed) == (None, False)
    assert (human.total.count, human.total.unreviewed) == (3, 2)


def test_sources_are_never_added_up():
    sketch = RiskSketch()
    sketch.add("model", "sales", 9)
    sketch.add("human", "sales", 1)
    sketch.add("gold", "sales", 4)
    statistics = sketch.compute()
    assert list(statistics.sources) == ["human", "gold", "model"]
    assert [figures.total.total for figures in statistics.sources.values()] == [1, 4, 9]


def test_direct_identifiers_have_their_share():
    sketch = RiskSketch()
    sketch.add("gold", "", 5, direct_identifier=True, names_somebody=True)
    sketch.add("gold", "", 5)
    group = sketch.compute().sources["gold"].contexts[""]
    assert (group.direct_identifiers, group.direct_identifier_share) == (1, 0.5)
    assert group.naming_somebody == 1


def test_nothing_added_gives_no_sources():
    assert RiskSketch().compute().sources == {}
    assert RiskSketch().to_json() == {}


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
    assert document == {
        "gold": {"sales": {"scores": [], "direct": 0, "named": 0, "unreviewed": 1}},
        "human": {
            "": {"scores": [[2, 1]], "direct": 0, "named": 0, "unreviewed": 0},
            "sales": {
                "scores": [[0, 1000], [9, 1000], [10, 1000]],
                "direct": 1000,
                "named": 0,
                "unreviewed": 0,
            },
        },
    }
    again = RiskSketch.from_json(json.loads(json.dumps(document)))
    assert json.dumps(again.to_json()) == json.dumps(document)
    assert again.compute() == sketch.compute()


@pytest.mark.parametrize(
    "document",
    [
        [],
        {"human": []},
        {"human": {"": {}}},
        {"human": {"": {"scores": [[1]], "direct": 0, "named": 0, "unreviewed": 0}}},
        {"human": {"": {"scores": [[1, 0]], "direct": 0, "named": 0, "unreviewed": 0}}},
        {"human": {"": {"scores": [["1", 1]], "direct": 0, "named": 0, "unreviewed": 0}}},
        {"human": {"": {"scores": [], "direct": -1, "unreviewed": 0}}},
        {"human": {"": {"scores": [], "direct": 0}}},
        {"hearsay": {"": {"scores": [], "direct": 0, "named": 0, "unreviewed": 0}}},
    ],
)
def test_a_damaged_sketch_is_refused(document):
    with pytest.raises(ValueError):
        RiskSketch.from_json(document)


def test_merging_leaves_the_other_sketch_alone():
    one, other = sketch_of(sales=[1]), sketch_of(sales=[2], meetings=[3])
    before = other.to_json()
    merged = RiskSketch().merge(other).merge(one)
    merged.add("human", "sales", 7)
    assert other.to_json() == before
    assert merged.to_json()["human"]["sales"]["scores"] == [[1, 1], [2, 1], [7, 1]]


def test_statistics_json_has_the_names_of_the_contract():
    sketch = sketch_of(sales=[0, 1])
    document = sketch.compute().to_json()
    assert (document["threshold"], document["ddof"], document["percentiles"]) == (5, 0, "linear")
    total = document["sources"]["human"]["total"]
    assert document["sources"]["human"]["contexts"]["sales"] == total
    assert {"count", "mean", "std", "p95", "max", "mu_plus_sigma", "mu_plus_2sigma", "pass"} <= set(total)
    assert total["histogram"] == {"0": 1, "1": 1}
    assert total["pass"] is True
    assert json.loads(json.dumps(document)) == document
