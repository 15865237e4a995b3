"""Counts, measures, and their summary; worked examples are from the papers that define the measures."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from tacenda.transforms.evaluating.counting import COLUMNS, UNIT, best_total, count, count_clusters, totals
from tacenda.transforms.evaluating.gold_reading import gold_labels
from tacenda.transforms.evaluating.metrics import (
    LINKINGS,
    MATCHINGS,
    RATIOS,
    compare,
    f_beta,
    mcnemar_exact,
    measure,
    percentile_interval,
    resampled_sums,
)
from tacenda.transforms.evaluating.summary import Settings, errors, having, summarise
from tacenda.transforms.evaluating.table import render
from tacenda.transforms.scoring.score_table import ScoreTable
from tests.cases import tabled


def clustered(key, response):
    """Counts of a conversation that is given by key and response, one character per mention."""
    return count_clusters(list(zip(map(ord, key), map(ord, response), strict=True)))


def muc(sums):
    return sums["common_links"] / sums["key_links"], sums["common_links"] / sums["response_links"]


def b_cubed(sums):
    return tuple(sums[f"b_cubed_{side}"] / UNIT / sums["linked_mentions"] for side in ("recall", "precision"))


def f1(recall, precision):
    return 2 * recall * precision / (recall + precision)


@pytest.mark.parametrize(
    # Vilain et al. 1995: chains of the mentions A to D; a mention that one side lacks stands there by itself.
    ("key", "response", "recall", "precision"),
    [
        ("aaaa", "aabb", 2 / 3, 1),
        ("aabb", "aaaa", 1, 2 / 3),
        ("aaaa", "aaaa", 1, 1),
        ("aaa", "aba", 1 / 2, 1),
        ("AaaaaFaaIa", "111222333j", 3 / 6, 3 / 6),
    ],
)
def test_muc_example_of_the_paper(key, response, recall, precision):
    assert muc(clustered(key, response)) == (pytest.approx(recall), pytest.approx(precision))


@pytest.mark.parametrize(
    # Bagga and Baldwin 1998, figures 1 to 3, and Luo 2005, table 1: F of MUC, B³ and CEAF by φ4.
    ("response", "precision", "of_muc", "of_b_cubed", "of_ceaf"),
    [
        ("1" * 5 + "2" * 7, 16 / 21, 0.947, 0.865, 0.733),
        ("1" * 5 + "2" * 2 + "1" * 5, 7 / 12, 0.947, 0.737, 0.667),
        ("1" * 12, None, 0.900, 0.545, 0.294),
        ("123456789abc", None, None, 0.400, 0.178),
    ],
)
def test_b_cubed_and_ceaf_examples_of_the_papers(response, precision, of_muc, of_b_cubed, of_ceaf):
    sums = clustered("1" * 5 + "2" * 2 + "3" * 5, response)
    if of_muc is None:
        assert (sums["response_links"], sums["common_links"]) == (0, 0)
    else:
        assert f1(*muc(sums)) == pytest.approx(of_muc, abs=5e-4)
    if precision:
        assert b_cubed(sums) == (1, pytest.approx(precision, abs=1e-6))
    similarity = sums["cluster_similarity"] / UNIT
    of_clusters = similarity / sums["key_clusters"], similarity / sums["response_clusters"]
    assert f1(*b_cubed(sums)) == pytest.approx(of_b_cubed, abs=5e-4)
    assert f1(*of_clusters) == pytest.approx(of_ceaf, abs=5e-4)


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("1234")), max_size=12))
def test_counts_are_those_of_the_definitions(mentions):
    keys, responses = ([{i for i, m in enumerate(mentions) if m[k] == x} for x in "abcd1234"] for k in (0, 1))
    keys, responses = [list(filter(None, side)) for side in (keys, responses)]
    sums = clustered("".join(k for k, _ in mentions), "".join(r for _, r in mentions))

    def links(cluster, others):
        return len(cluster) - sum(bool(cluster & other) for other in others)

    assert sums["common_links"] == sum(links(key, responses) for key in keys)
    assert sums["common_links"] == sum(links(response, keys) for response in responses)
    recall = sum(len(k & r) ** 2 / len(k) for k in keys for r in responses)
    precision = sum(len(k & r) ** 2 / len(r) for k in keys for r in responses)
    assert sums["b_cubed_recall"] / UNIT == pytest.approx(recall, abs=1e-6)
    assert sums["b_cubed_precision"] / UNIT == pytest.approx(precision, abs=1e-6)
    phi = np.array([[2 * len(k & r) / (len(k) + len(r)) for r in responses] for k in keys])
    best = best_of_all(phi) if mentions else 0
    assert sums["cluster_similarity"] / UNIT == pytest.approx(best, abs=1e-6)


def best_of_all(weights):
    short = weights if weights.shape[0] <= weights.shape[1] else weights.T
    rows, columns = short.shape
    return max(sum(short[range(rows), order]) for order in permutations(range(columns), rows))


@given(arrays(np.int64, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=st.integers(0, 9)))
def test_the_assignment_is_optimal(weights):
    assert best_total(weights.astype(float)) == best_of_all(weights)


@tabled("precision", "recall", "f2")
def test_f2_equals_the_published_value(precision, recall, f2):
    assert f_beta(np.array([precision]), np.array([recall]), 2)[0] == pytest.approx(f2, abs=0.0101)


def test_ratios_are_shares_of_counts(corpus):
    matches = corpus(
        ("a:CITY b:PERSON_NAME", "a:LOCATION c:CITY"), ("a:CITY", "a:PERSON_NAME"), ("", "d:CITY")
    )
    figures = measure(count(matches), (1.0, 0.5), 200, 1)
    expected = {
        "recall": (2, 3),
        "typed_recall": (1, 3),
        "strict_recall": (1, 3),
        "char_recall": (8, 12),
        "char_precision": (8, 16),
        "over_masking": (8, 60),
        "overlap_precision": (2, 4),
        "strict_precision": (1, 4),
        "conversation_leak_rate": (1, 2),
        "conversation_recall": (1, 2),
        "conversation_precision": (1, 2),
    }
    assert {name: (figures[name]["hits"], figures[name]["of"]) for name in expected} == expected
    assert figures["recall"]["value"] == pytest.approx(2 / 3)
    assert set(figures) == {"f", "linking_f1", *RATIOS}
    assert (set(figures["f"]), set(figures["linking_f1"])) == (set(MATCHINGS), set(LINKINGS))
    assert list(figures["f"]["masking"]) == ["1", "0.5"]
    assert figures["f"]["masking"]["1"]["value"] == pytest.approx(2 * (2 / 3) * 0.5 / (2 / 3 + 0.5))


def test_intervals_hold_the_value_and_are_the_wider_of_two(corpus):
    talks = [("a:CITY b:CITY c:CITY", "a:CITY b:CITY c:CITY" if i % 3 else "d:CITY") for i in range(60)]
    recall = measure(count(corpus(*talks)), (2.0,), 1000, 1)["recall"]
    # Three spans share their fate, so the bootstrap must be about sqrt(3) wider than Wilson's.
    wilson, bootstrap = (np.diff(recall[name])[0] for name in ("wilson", "bootstrap"))
    assert bootstrap / wilson == pytest.approx(3**0.5, rel=0.15)
    ends = list(zip(recall["wilson"], recall["bootstrap"], strict=True))
    assert recall["interval"] == (min(ends[0]), max(ends[1]))
    assert recall["interval"][0] < recall["value"] < recall["interval"][1]


def test_a_perfect_score_of_few_conversations_is_not_certain(corpus):
    figures = measure(count(corpus(("a:CITY", "a:CITY"), ("b:CITY", "b:CITY"))), (1.0,), 100, 1)
    assert figures["recall"]["value"] == 1
    assert figures["recall"]["interval"][0] < 0.5
    assert figures["char_precision"]["interval"] is None
    assert figures["f"]["masking"]["1"] == {"value": 1.0, "interval": None}


def test_figures_without_counts_are_none(corpus):
    figures = measure(count(corpus(("", "", {"complete": False}))), (1.0,), 10, 1)
    assert {figures[ratio][key] for ratio in RATIOS for key in ("value", "interval")} == {None}
    assert figures["f"]["strict"]["1"] == {"value": None, "interval": None}


def test_linking_is_measured_by_conversation(corpus):
    gold = "a:CITY:1 b:CITY:1 c:CITY:2"
    matches = corpus(
        (gold, "a:CITY b:CITY c:CITY", {"entities": [1, 1, 2]}),
        (gold, "a:CITY b:CITY c:CITY", {"entities": [1, 2, 2]}),
        (gold, "a:CITY b:CITY", {"entities": [3, 3]}),
    )
    figures = measure(count(matches), (2.0,), 50, 1)
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


def test_the_bootstrap_is_seeded():
    counts = np.random.default_rng(3).integers(0, 5, (200, 4))
    sums = resampled_sums(counts, 100, seed=7)
    assert np.array_equal(sums, resampled_sums(counts, 100, seed=7))
    assert not np.array_equal(sums, resampled_sums(counts, 100, seed=8))


def test_percentile_intervals():
    assert percentile_interval(np.linspace(0, 1, 1001)) == pytest.approx((0.025, 0.975))
    assert percentile_interval(np.array([np.nan, 0.0, 1.0])) == pytest.approx((0.025, 0.975))
    assert percentile_interval(np.array([np.nan, np.nan])) is None
    assert percentile_interval(np.array([1.0, 1.0, np.nan])) is None


def test_counts_of_one_conversation(corpus):
    matches = corpus(("a:CITY b:PERSON_NAME c:MISC", "a:LOCATION b:CITY c:CITY d:CITY"))
    once = ("spans_typed", "spans_strict", "findings_typed", "findings_strict", "false_positives")
    twice = ("spans", "covered", "spans_overlapped", "spans_exact", "spans_fitted", "entities", "consistent")
    assert {name: number for name, number in totals(count(matches)).items() if number} == {
        **dict.fromkeys((*once, "sensitive", "worst_A"), 1),
        **dict.fromkeys((*twice, "findings_overlapped", "findings_exact"), 2),
        "gold_chars": 8,
        "covered_chars": 8,
        "judged_chars": 16,
        "right_chars": 12,
        "harmless_chars": 12,
        "hidden_chars": 4,
        "findings": 4,
        "judged": 3,
    }


@tabled("gold", "found", "worst")
def test_the_worst_of_a_conversation(corpus, gold, found, worst):
    sums = totals(count(corpus((gold, found))))
    assert [name for name in COLUMNS if name.startswith("worst_") and sums[name]] == [f"worst_{worst}"]
    assert sums["right"] == sums["judged_right"] == (worst in "CDE")


@tabled("talks", "expected")
def test_what_counts(corpus, talks, expected):
    sums = totals(count(corpus(*talks)))
    assert {name: sums[name] for name in expected} == expected


def test_every_span_of_one_label_counts(corpus):
    parts = having(corpus(("a:DATE b:CITY", "b:CITY")), "label")
    assert totals(count(parts["DATE"], None))["leaked"] == 1


@pytest.fixture
def matches(corpus):
    return corpus(
        ("a:CITY b:DATE", "a:CITY", {"file": "one", "lang": "en", "speaker": "agent"}),
        ("a:CITY", "b:CITY", {"file": "two", "lang": "sv", "speaker": "customer"}),
        (
            "a:PERSON_NAME c:MISC d:STRANGE",
            "a:CITY c:CITY",
            {"file": "two", "lang": "en", "speaker": "agent"},
        ),
    )


def told(matches, *slices, **settings):
    table = ScoreTable.load("appendix")
    return summarise(matches, gold_labels(), table, Settings(resamples=50, **settings), slices)


def test_total_files_labels_info_types_and_slices(matches):
    summary = told(matches, "lang", "speaker")
    total = summary["total"]
    assert (total["gold_spans"], total["recall"]["hits"], total["conversations_with_pii"]) == (4, 2, 3)
    hits = {name: group["recall"]["hits"] for name, group in summary["files"].items()}
    assert hits == {"one": 1, "two": 1}
    assert summary["labels"] == {
        "core": {"CITY": 2, "PERSON_NAME": 1, "STRANGE": 1},
        "quasi": {"DATE": 1},
        "dont_care": {"MISC": 1},
    }
    assert summary["unknown_labels"] == ["STRANGE"]
    rows = total["per_label"]
    assert list(rows) == ["CITY", "DATE", "PERSON_NAME", "STRANGE"]
    assert (rows["CITY"]["gold"], rows["CITY"]["recall"]["hits"], rows["CITY"]["conversations"]) == (2, 1, 2)
    assert rows["CITY"]["conversation_leak_rate"]["value"] == 0.5
    assert (rows["DATE"]["apart"], rows["DATE"]["recall"]["value"]) == (True, 0)
    assert (rows["PERSON_NAME"]["recall"]["value"], rows["PERSON_NAME"]["typed_recall"]["value"]) == (1, 0)
    # One right, one wrong, one of the wrong type, one on a don't-care span.
    city = total["per_info_type"]["CITY"]
    assert (city["findings"], city["judged"], city["false_positives"], city["char_precision"]) == (
        *(4, 3, 1, 0.75),
    )
    by_slice = {
        field: {value: group["gold_spans"] for value, group in values.items()}
        for field, values in summary["slices"].items()
    }
    assert by_slice == {"lang": {"en": 3, "sv": 1}, "speaker": {"agent": 3, "customer": 1}}
    assert summary["slices"]["speaker"]["customer"]["conversation_leak_rate"]["value"] == 1
    assert summary["slices"]["speaker"]["customer"]["over_masking"]["value"] is None


def test_errors_are_reported_as_positions_with_labels(matches):
    rows = [(row["error"], row["conversation_id"], row["label"], row["info_type"]) for row in errors(matches)]
    assert rows == [
        ("missed", "c0", "DATE", None),
        ("missed", "c1", "CITY", None),
        ("wrong_type", "c2", "PERSON_NAME", "CITY"),
        ("missed", "c2", "STRANGE", None),
        ("false_positive", "c1", None, "CITY"),
    ]
    assert next(errors(matches))["start"] == 5


def line(text, begin):
    return next(row.split() for row in text.splitlines() if row.strip().startswith(begin))


def test_figures_are_in_the_column_of_their_heading(corpus):
    text = render(told(corpus(("a:CITY b:CITY", "a:CITY c:CITY"), ("a:ODD", None)), betas=(1.0, 0.5)))
    head = "file convs spans recall 95 % typed char prec. 95 % F1 F0.5 leaking 95 %"
    assert " ".join(line(text, "file")) == head
    assert line(text, "gold ")[:4] == ["gold", "2", "3", "0.333"]
    assert line(text, "CITY")[:3] == ["CITY", "2", "0.500"]
    assert line(text, "B ")[-1] == "2"
    # Words have four letters: of three two are left, in both conversations; of two found one is wrong.
    amounts = text[text.index("What remains, and what was replaced needlessly") :]
    assert line(amounts, "gold ") == ["gold", "12", "8", "2", "2", "8", "4", "0.111", "0.000-0.250"]
    assert "unknown labels, counted all the same: ODD" in text
    assert "1 conversation could not be processed" in text
    assert "total" not in text


def test_several_files_have_a_total_and_every_label_on_demand(corpus):
    matches = corpus(("a:CITY", "a:CITY", {"file": "one"}), ("a:DATE", "a:DATE", {"file": "two"}))
    summary = told(matches, "lang")
    assert line(render(summary), "total")[1:4] == ["2", "1", "1.000"]
    assert "By lang" in render(summary)
    assert "gold, two" not in render(summary)
    text = render(summary, every_label=True)
    assert all(what in text for what in ("By infoType of the gold, two", "DATE (apart)", "By infoType found"))


def test_boundaries_and_linking_are_shown(corpus):
    matches = corpus(("a:CITY:1 b:CITY:1 c:CITY:2", "a:CITY b:CITY c:CITY", {"entities": [1, 1, 1]}))
    text = render(told(matches))
    row = line(text[text.index("Boundaries") :], "gold")
    assert (row[1], row[2], row[4]) == ("3", "1.000", "0.000")
    assert line(text, "pairwise")[1:4:2] == ["1.000", "0.333"]
    assert line(text, "CEAF-e")[1] == "0.400"
    assert "linking: of 3 spans" in text


@pytest.mark.parametrize(
    ("first", "second", "p_value"),
    [(0, 0, 1.0), (4, 4, 1.0), (0, 5, 0.0625), (1, 9, 22 / 1024), (9, 1, 22 / 1024), (0, 1, 1.0)],
)
def test_mcnemar_is_the_binomial_test_of_one_half(first, second, p_value):
    assert mcnemar_exact(first, second) == pytest.approx(p_value)


def test_mcnemar_of_many_pairs_neither_overflows_nor_vanishes():
    assert mcnemar_exact(5000, 5200) == pytest.approx(0.0487, abs=1e-3)
    assert 0 <= mcnemar_exact(0, 5000) < 1e-300


def test_two_configs_over_the_same_gold(corpus):
    gold = ["a:CITY b:CITY", "a:CITY", "a:CITY c:DATE", ""]
    first = corpus(*zip(gold, ["a:CITY", "", "a:CITY", "d:CITY"], strict=True))
    second = corpus(*zip(gold, ["a:CITY b:CITY", "", "", ""], strict=True))
    compared = compare(first, second, 500, 1)
    both = {"only_first": 1, "only_second": 1, "neither": 1, "p_value": 1.0}
    assert compared["spans"] == {"both": 1, **both}
    assert compared["conversations"] == {"both": 0, **both}
    assert compared["recall_difference"]["value"] == 0
    low, high = compared["recall_difference"]["interval"]
    assert low < 0 < high
    first, second = corpus(("a:CITY b:CITY", "")), corpus(("a:CITY b:CITY", "a:CITY"))
    text = render({**told(first), "comparison": compare(first, second, 50, 1)})
    assert line(text, "spans ") == ["spans", "0", "0", "1", "1", "1.0000"]
    assert "recall of the other config minus the first's: +0.500" in text
