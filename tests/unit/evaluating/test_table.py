from tacenda.transforms.evaluating.comparing import compare
from tacenda.transforms.evaluating.gold_labels import gold_labels
from tacenda.transforms.evaluating.summary import Settings, summarise
from tacenda.transforms.evaluating.table import render
from tacenda.transforms.scoring.score_table import ScoreTable


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


def test_empty_counts_are_shown_as_dashes(corpus):
    text = render(told(corpus(("a:CITY", "a:CITY", {"complete": False}))))
    assert line(text, "gold ")[6:9] == ["–", "–", "–"]


def test_no_p_value_is_shown_as_zero(corpus):
    gold = "a:CITY b:CITY c:CITY d:CITY"
    first, second = corpus(*[(gold, "")] * 9), corpus(*[(gold, gold)] * 9)
    text = render({**told(first), "comparison": compare(first, second, 0, 1)})
    assert line(text, "spans ")[-1] == "<0.0001"


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


def test_linking_is_shown_only_if_measured(corpus):
    assert "Linking" not in render(told(corpus(("a:CITY", "a:CITY"))))


def test_amounts_are_those_of_the_shares(corpus):
    text = render(told(corpus(("a:CITY b:CITY", "a:CITY c:CITY"), ("a:CITY", "a:CITY"))))
    amounts = text[text.index("What remains, and what was replaced needlessly") :]
    # Words have four letters: of three one is left, in one of two conversations; of three found one is wrong.
    assert line(amounts, "gold ") == ["gold", "12", "4", "2", "1", "12", "4"]
