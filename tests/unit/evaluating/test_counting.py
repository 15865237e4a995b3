import pytest

from tacenda.transforms.evaluating.counting import COLUMNS, count_all, count_core, totals


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
    assert totals(count_all(matches.of_label("DATE")))["leaked"] == 1


def test_no_conversations_give_zero_counts(corpus):
    assert set(totals(count_core(corpus())).values()) == {0}


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
