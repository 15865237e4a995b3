"""metrics"""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from tacenda.transforms.evaluating.counting import (
    COLUMNS,
    best_total,
    count_all,
    count_core,
    totals,
)
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
from tacenda.transforms.evaluating.summary import Settings, errors, summarise
from tacenda.transforms.evaluating.table import render
from tacenda.transforms.scoring.score_table import ScoreTable


@pytest.mark.parametrize(
    # Table 1 of Mina et al., on personal data in dialogues with a virtual agent; each figure is rounded.
    ("precision", "recall", "f2"),
    [(0.43, 0.74, 0.65), (0.06, 0.95, 0.23), (0.27, 0.93, 0.62), (0.63, 0.99, 0.89), (0.64, 0.99, 0.90)],
)
def test_f2_equals_the_published_value(precision, recall, f2):
    assert f_beta(np.array([precision]), np.array([recall]), 2)[0] == pytest.approx(f2, abs=0.0101)


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


@given(arrays(np.int64, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=st.integers(0, 9)))
def test_the_assignment_is_optimal(weights):
    short = weights if weights.shape[0] <= weights.shape[1] else weights.T
    rows, columns = short.shape
    best = max(sum(short[range(rows), order]) for order in permutations(range(columns), rows))
    assert best_total(weights.astype(float)) == best


def test_the_same_seed_gives_the_same_sums():
    counts = np.random.default_rng(3).integers(0, 5, (200, 4))
    sums = resampled_sums(counts, 100, seed=7)
    assert np.array_equal(sums, resampled_sums(counts, 100, seed=7))
    assert not np.array_equal(sums, resampled_sums(counts, 100, seed=8))


def test_percentile_intervals():
    assert percentile_interval(np.linspace(0, 1, 1001)) == pytest.approx((0.025, 0.975))
    assert percentile_interval(np.array([np.nan, 0.0, 1.0]), 0.5) == pytest.approx((0.25, 0.75))
    assert percentile_interval(np.array([np.nan, np.nan])) is None
    assert percentile_interval(np.array([1.0, 1.0, np.nan])) is None


def counted(matches):
    return {name: number for name, number in totals(count_core(matches)).items() if number}


def test_counts_of_one_conversation(corpus):
    matches = corpus(("a:CITY b:PERSON_NAME c:MISC", "a:LOCATION b:CITY c:CITY d:CITY"))
    assert counted(matches) == {
        "spans": 2,
        "covered": 2,
        "spans_overlapped": 2,
        "spans_typed": 1,
        "spans_exact": 2,
        "spans_strict": 1,
        "spans_fitted": 2,
        "entities": 2,
        "consistent": 2,
        "gold_chars": 8,
        "covered_chars": 8,
        "findings": 4,
        "judged": 3,
        "false_positives": 1,
        "findings_overlapped": 2,
        "findings_typed": 1,
        "findings_exact": 2,
        "findings_strict": 1,
        "judged_chars": 16,
        "right_chars": 12,
        "sensitive": 1,
        "worst_A": 1,
    }


@pytest.mark.parametrize(
    ("gold", "found", "worst"),
    [
        ("a:CITY b:CITY", "a:CITY c:CITY", "B"),
        ("a:CITY", None, "B"),
        ("a:CITY", "a:DATE c:CITY", "A"),
        ("a:CITY b:CITY", "a:DATE b:CITY", "C"),
        ("a:CITY", "a:LOCATION", "D"),
        ("a:TIME", "a:DATE", "D"),
        ("a:MISC", "a:CITY", "E"),
        ("a:TIME", "", "F"),
        ("", "", "F"),
    ],
)
def test_the_worst_of_a_conversation(corpus, gold, found, worst):
    sums = totals(count_core(corpus((gold, found))))
    assert [name for name in COLUMNS if name.startswith("worst_") and sums[name]] == [f"worst_{worst}"]
    assert sums["right"] == sums["judged_right"] == (worst in "CDE")


def test_findings_that_cannot_be_judged_are_not_false_positives(corpus):
    sums = totals(count_core(corpus(("a:CITY", "a:CITY b:DATE", {"complete_for": ["LOCATION"]}))))
    assert (sums["findings"], sums["judged"], sums["false_positives"]) == (2, 1, 0)
    assert sums["worst_D"] == 1
    sums = totals(count_core(corpus(("a:CITY", "a:CITY", {"complete": False}))))
    assert (sums["judged"], sums["right"], sums["judged_right"]) == (0, 1, 0)


def test_quasi_labels_count_only_when_asked_for(corpus):
    matches = corpus(("a:DATE b:CITY", "b:CITY"))
    assert totals(count_core(matches))["spans"] == 1
    assert totals(count_core(matches))["leaked"] == 0
    assert totals(count_all(matches.of("label", "DATE")))["leaked"] == 1


def test_an_entity_is_found_if_all_its_mentions_are(corpus):
    matches = corpus(
        ("a:CITY:1 b:CITY:1 c:CITY:2 d:MISC:3", "a:CITY c:CITY"), ("a:CITY:1 b:CITY:1", "a:CITY b:CITY")
    )
    sums = totals(count_core(matches))
    assert (sums["entities"], sums["consistent"]) == (3, 2)
    assert (sums["repeated"], sums["repeated_consistent"]) == (2, 1)


def test_mentions_without_a_finding_or_a_certain_meaning_are_not_linked(corpus):
    gold = "a:CITY:1 b:CITY:1 c:CITY:1 d:TITLE:1"
    matches = corpus((gold, "a:CITY b:CITY d:TITLE", {"entities": [1, 2, 1]}), (gold, "a:CITY"), (gold, None))
    sums = totals(count_core(matches))
    assert (sums["linked_mentions"], sums["key_clusters"], sums["response_clusters"]) == (2, 1, 2)


TABLE = ScoreTable.load("appendix")


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


def summary(matches, *slices):
    return summarise(matches, gold_labels(), TABLE, Settings(resamples=50), slices)


def test_total_files_and_labels(matches):
    told = summary(matches)
    assert told["total"]["gold_spans"] == 4
    assert (told["total"]["recall"]["hits"], told["total"]["conversations_with_pii"]) == (2, 3)
    assert {name: group["recall"]["hits"] for name, group in told["files"].items()} == {"one": 1, "two": 1}
    assert told["labels"] == {
        "core": {"CITY": 2, "PERSON_NAME": 1, "STRANGE": 1},
        "quasi": {"DATE": 1},
        "dont_care": {"MISC": 1},
    }
    assert told["unknown_labels"] == ["STRANGE"]


def test_labels_have_support_and_recall_and_quasi_is_separate(matches):
    rows = summary(matches)["total"]["per_label"]
    assert list(rows) == ["CITY", "DATE", "PERSON_NAME", "STRANGE"]
    assert (rows["CITY"]["gold"], rows["CITY"]["recall"]["hits"], rows["CITY"]["conversations"]) == (2, 1, 2)
    assert rows["CITY"]["conversation_leak_rate"]["value"] == 0.5
    assert (rows["DATE"]["apart"], rows["DATE"]["recall"]["value"]) == (True, 0)
    assert (rows["PERSON_NAME"]["recall"]["value"], rows["PERSON_NAME"]["typed_recall"]["value"]) == (1, 0)


def test_info_types_have_precision(matches):
    row = summary(matches)["total"]["per_info_type"]["CITY"]
    # One right, one wrong, one of the wrong type, one on a don't-care span.
    assert (row["findings"], row["judged"], row["false_positives"]) == (4, 3, 1)
    assert row["char_precision"] == 0.75


def test_slices_by_field_of_the_conversation_and_by_role(matches):
    told = summary(matches, "lang", "speaker")["slices"]
    assert {value: group["gold_spans"] for value, group in told["lang"].items()} == {"en": 3, "sv": 1}
    assert {value: group["gold_spans"] for value, group in told["speaker"].items()} == {
        "agent": 3,
        "customer": 1,
    }
    assert told["speaker"]["customer"]["conversation_leak_rate"]["value"] == 1


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


def told(matches, *slices, **settings):
    table = ScoreTable.load("appendix")
    return summarise(matches, gold_labels(), table, Settings(resamples=50, **settings), slices)


def line(text, begin):
    return next(row.split() for row in text.splitlines() if row.strip().startswith(begin))


def test_figures_are_in_the_column_of_their_heading(corpus):
    summary = told(corpus(("a:CITY b:CITY", "a:CITY c:CITY"), ("a:ODD", None)), betas=(1.0, 0.5))
    text = render(summary)
    head = "file convs spans recall 95 % typed char prec. 95 % F1 F0.5 leaking 95 %"
    assert " ".join(line(text, "file")) == head
    assert line(text, "gold ")[:4] == ["gold", "2", "3", "0.333"]
    assert line(text, "CITY")[:3] == ["CITY", "2", "0.500"]
    assert line(text, "B ")[-1] == "2"
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
    assert "By infoType of the gold, two" in text
    assert "DATE (apart)" in text
    assert "By infoType found" in text


def test_a_comparison_is_shown(corpus):
    first, second = corpus(("a:CITY b:CITY", "")), corpus(("a:CITY b:CITY", "a:CITY"))
    text = render({**told(first), "comparison": compare(first, second, 50, 1)})
    assert line(text, "spans ") == ["spans", "0", "0", "1", "1", "1.0000"]
    assert "recall of the other config minus the first's: +0.500" in text


def test_boundaries_and_linking_are_shown(corpus):
    matches = corpus(("a:CITY:1 b:CITY:1 c:CITY:2", "a:CITY b:CITY c:CITY", {"entities": [1, 1, 1]}))
    text = render(told(matches))
    row = next(
        row.split() for row in text[text.index("Boundaries") :].splitlines() if row.startswith("  gold")
    )
    assert (row[1], row[2], row[4]) == ("3", "1.000", "0.000")
    assert line(text, "pairwise")[1:4:2] == ["1.000", "0.333"]
    assert line(text, "CEAF-e")[1] == "0.400"
    assert "linking: of 3 spans" in text


def test_amounts_are_those_of_the_shares(corpus):
    text = render(told(corpus(("a:CITY b:CITY", "a:CITY c:CITY"), ("a:CITY", "a:CITY"))))
    amounts = text[text.index("What remains, and what was replaced needlessly") :]
    # Words have four letters: of three one is left, in one of two conversations; of three found one is wrong.
    assert line(amounts, "gold ") == ["gold", "12", "4", "2", "1", "12", "4"]


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
    assert compared["spans"] == {
        "both": 1, "only_first": 1, "only_second": 1, "neither": 1, "p_value": 1.0,
    }  # fmt: skip
    assert compared["conversations"] == {
        "both": 0, "only_first": 1, "only_second": 1, "neither": 1, "p_value": 1.0,
    }  # fmt: skip
    assert compared["recall_difference"]["value"] == 0
    low, high = compared["recall_difference"]["interval"]
    assert low < 0 < high
