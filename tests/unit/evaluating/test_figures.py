"""Counts, measures, and their summary."""

import numpy as np
import pytest

from tacenda.transforms.evaluating.counting import count, totals
from tacenda.transforms.evaluating.gold_reading import gold_labels
from tacenda.transforms.evaluating.metrics import (
    MATCHINGS,
    RATIOS,
    compare,
    f_beta,
    measure,
    percentile_interval,
    resampled_sums,
)
from tacenda.transforms.evaluating.summary import Settings, errors, having, summarise
from tacenda.transforms.evaluating.table import render
from tacenda.transforms.scoring.score_table import ScoreTable
from tests.cases import cases


@pytest.mark.parametrize(
    # Table 1 of Mina et al., on personal data in dialogues with a virtual agent; each figure is rounded.
    ("precision", "recall", "f2"),
    [(0.43, 0.74, 0.65), (0.06, 0.95, 0.23), (0.27, 0.93, 0.62), (0.63, 0.99, 0.89), (0.64, 0.99, 0.90)],
)
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
        "overlap_precision": (2, 4),
        "strict_precision": (1, 4),
        "conversation_leak_rate": (1, 2),
    }
    assert {name: (figures[name]["hits"], figures[name]["of"]) for name in expected} == expected
    assert figures["recall"]["value"] == pytest.approx(2 / 3)
    assert set(figures) == {"f", *RATIOS}
    assert set(figures["f"]) == set(MATCHINGS)
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
    figures = measure(count(corpus(("", ""))), (1.0,), 10, 1)
    assert {figures[ratio][key] for ratio in RATIOS for key in ("value", "interval")} == {None}
    assert figures["f"]["strict"]["1"] == {"value": None, "interval": None}


def test_linking_is_measured_by_conversation(corpus):
    gold = "a:CITY:1 b:CITY:1 c:CITY:2"
    matches = corpus(
        (gold, "a:CITY b:CITY c:CITY", {"entities": [1, 1, 2]}),
        (gold, "a:CITY b:CITY c:CITY", {"entities": [1, 2, 2]}),
        (gold, "a:CITY b:CITY", {"entities": [3, 3]}),
    )
    figures = measure(count(matches), (1.0,), 50, 1)
    expected = {
        "consistent_detection": (5, 6),
        "consistent_detection_repeated": (3, 3),
        "pairwise_recall": (2, 3),
        "pairwise_precision": (2, 3),
    }
    assert {name: (figures[name]["hits"], figures[name]["of"]) for name in expected} == expected
    linking = figures["f"]["linking"]["1"]
    assert linking["value"] == pytest.approx(2 / 3)
    assert linking["interval"][0] < linking["value"] < linking["interval"][1]


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
        **dict.fromkeys((*once, "sensitive"), 1),
        **dict.fromkeys((*twice, "findings_overlapped", "findings_exact"), 2),
        "gold_chars": 8,
        "covered_chars": 8,
        "judged_chars": 16,
        "right_chars": 12,
        "findings": 4,
        "judged": 3,
    }


@pytest.mark.parametrize(("talks", "expected"), cases(__file__, "test_what_counts"))
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
    # Words have four letters: of three two are left, in both conversations; of two found one is wrong.
    amounts = text[text.index("What remains, and what was replaced needlessly") :]
    assert line(amounts, "gold ") == ["gold", "12", "8", "2", "2", "8", "4"]
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
    assert line(text, "linking ")[1:4:2] == ["1.000", "0.333"]
    assert "linking: of 3 spans" in text


def test_two_configs_over_the_same_gold(corpus):
    gold = ["a:CITY b:CITY", "a:CITY", "a:CITY c:DATE", ""]
    first = corpus(*zip(gold, ["a:CITY", "", "a:CITY", "d:CITY"], strict=True))
    second = corpus(*zip(gold, ["a:CITY b:CITY", "", "", ""], strict=True))
    compared = compare(first, second, 500, 1)
    both = {"only_first": 1, "only_second": 1, "neither": 1}
    assert compared["spans"] == {"both": 1, **both}
    assert compared["conversations"] == {"both": 0, **both}
    assert compared["recall_difference"]["value"] == 0
    low, high = compared["recall_difference"]["interval"]
    assert low < 0 < high
    first, second = corpus(("a:CITY b:CITY", "")), corpus(("a:CITY b:CITY", "a:CITY"))
    text = render({**told(first), "comparison": compare(first, second, 50, 1)})
    assert line(text, "spans ") == ["spans", "0", "0", "1", "1"]
    assert "recall of the other config minus the first's: +0.500" in text
