import numpy as np
import pytest

from tacenda.transforms.evaluating.counting import count_core
from tacenda.transforms.evaluating.metrics import LINKINGS, MATCHINGS, RATIOS, f_beta, measure


@pytest.mark.parametrize(
    # Table 1 of Mina et al., on personal data in dialogues with a virtual agent; each figure is rounded.
    ("precision", "recall", "f2"),
    [(0.43, 0.74, 0.65), (0.06, 0.95, 0.23), (0.27, 0.93, 0.62), (0.63, 0.99, 0.89), (0.64, 0.99, 0.90)],
)
def test_f2_equals_the_published_value(precision, recall, f2):
    assert f_beta(np.array([precision]), np.array([recall]), 2)[0] == pytest.approx(f2, abs=0.0101)


def test_a_larger_beta_weights_recall_more():
    values = [float(f_beta(np.array([0.5]), np.array([0.9]), beta)[0]) for beta in (0.01, 1, 2, 100)]
    assert values[0] == pytest.approx(0.5, abs=1e-3)
    assert values[1] == pytest.approx(2 * 0.5 * 0.9 / 1.4)
    assert values[3] == pytest.approx(0.9, abs=1e-3)
    assert values == sorted(values)
    unknown = np.nan
    values = f_beta(np.array([0.0, unknown, unknown, 0.5]), np.array([0.0, 0.0, 0.5, unknown]), 1)
    np.testing.assert_equal(values, [0.0, 0.0, np.nan, np.nan])


def test_ratios_are_shares_of_counts(corpus):
    matches = corpus(
        ("a:CITY b:PERSON_NAME", "a:LOCATION c:CITY"),
        ("a:CITY", "a:PERSON_NAME"),
        ("", "d:CITY"),
    )
    figures = measure(count_core(matches), (1.0, 0.5), 200, 1)
    expected = {
        "recall": (2, 3),
        "typed_recall": (1, 3),
        "strict_recall": (1, 3),
        "char_recall": (8, 12),
        "char_precision": (8, 16),
        "overlap_precision": (2, 4),
        "strict_precision": (1, 4),
        "conversation_leak_rate": (1, 2),
        "conversation_recall": (1, 2),
        "conversation_precision": (1, 2),
    }
    assert {name: (figures[name]["hits"], figures[name]["of"]) for name in expected} == expected
    assert figures["recall"]["value"] == pytest.approx(2 / 3)
    assert set(figures) == {"f", "linking_f1", *(ratio.name for ratio in RATIOS)}
    assert set(figures["f"]) == set(MATCHINGS)
    assert set(figures["linking_f1"]) == set(LINKINGS)
    assert list(figures["f"]["masking"]) == ["1", "0.5"]
    assert figures["f"]["masking"]["1"]["value"] == pytest.approx(2 * (2 / 3) * 0.5 / (2 / 3 + 0.5))


def test_intervals_hold_the_value_and_are_the_wider_of_two(corpus):
    talks = [("a:CITY b:CITY c:CITY", "a:CITY b:CITY c:CITY" if i % 3 else "d:CITY") for i in range(60)]
    matches = corpus(*talks)
    recall = measure(count_core(matches), (2.0,), 1000, 1)["recall"]
    # Three spans share their fate, so the bootstrap must be about sqrt(3) wider than Wilson's.
    wilson, bootstrap = (np.diff(recall[name])[0] for name in ("wilson", "bootstrap"))
    assert bootstrap / wilson == pytest.approx(3**0.5, rel=0.15)
    assert recall["interval"] == (
        min(recall["wilson"][0], recall["bootstrap"][0]),
        max(recall["wilson"][1], recall["bootstrap"][1]),
    )
    assert recall["interval"][0] < recall["value"] < recall["interval"][1]


def test_a_perfect_score_of_few_conversations_is_not_certain(corpus):
    figures = measure(count_core(corpus(("a:CITY", "a:CITY"), ("b:CITY", "b:CITY"))), (1.0,), 100, 1)
    assert figures["recall"]["value"] == 1
    assert figures["recall"]["interval"][0] < 0.5
    assert figures["char_precision"]["interval"] is None
    assert figures["f"]["masking"]["1"] == {"value": 1.0, "interval": None}


def test_figures_without_counts_are_none(corpus):
    figures = measure(count_core(corpus(("", ""))), (1.0,), 10, 1)
    assert {figures[ratio.name]["value"] for ratio in RATIOS} == {None}
    assert {figures[ratio.name]["interval"] for ratio in RATIOS} == {None}
    assert figures["f"]["strict"]["1"] == {"value": None, "interval": None}


def test_without_bootstrap_intervals_are_wilsons(corpus):
    figures = measure(count_core(corpus(("a:CITY b:CITY", "a:CITY c:CITY"))), (1.0,), 0, 1)
    assert figures["recall"]["interval"] == figures["recall"]["wilson"]
    assert figures["char_recall"]["interval"] is None
    assert figures["f"]["strict"]["1"]["interval"] is None


def test_linking_is_measured_by_conversation(corpus):
    gold = "a:CITY:1 b:CITY:1 c:CITY:2"
    matches = corpus(
        (gold, "a:CITY b:CITY c:CITY", {"entities": [1, 1, 2]}),
        (gold, "a:CITY b:CITY c:CITY", {"entities": [1, 2, 2]}),
        (gold, "a:CITY b:CITY", {"entities": [3, 3]}),
    )
    figures = measure(count_core(matches), (2.0,), 50, 1)
    expected = {
        "consistent_detection": (5, 6),
        "consistent_detection_repeated": (3, 3),
        "pairwise_recall": (2, 3),
        "pairwise_precision": (2, 3),
        "muc_recall": (2, 3),
        "b_cubed_recall": (7, 8),
        # Of the second talk, one of two clusters fits by two thirds, the other by as much.
        "ceaf_e_recall": (pytest.approx(2 + 4 / 3 + 1, abs=1e-6), 5),
    }
    assert {name: (figures[name]["hits"], figures[name]["of"]) for name in expected} == expected
    assert figures["linking_f1"]["pairwise"]["value"] == pytest.approx(2 / 3)
    low, high = figures["linking_f1"]["b_cubed"]["interval"]
    assert low < figures["linking_f1"]["b_cubed"]["value"] < high
