from collections.abc import Callable

import pytest

from tacenda.transforms.evaluating.bias.name_groups import Cell, load_name_groups
from tacenda.transforms.evaluating.bias.opportunity import equal_opportunity
from tacenda.transforms.evaluating.bias.tally import Prediction, Tally

GROUPS = load_name_groups()


def _tally(golds: list[str], predicted: Callable[[int, Cell, int], str]) -> Tally:
    return Tally().add(
        Prediction(f"d{document:03}", cell, gold, predicted(document, cell, number))
        for document, gold in enumerate(golds)
        for cell, names in GROUPS.names.items()
        for number, _ in enumerate(names)
    )


def test_the_papers_essay_model_shows_no_difference():
    """Seven essays of four levels, 80 names; one level is wrong, whatever the name: accuracy 6/7."""
    golds = ["A1", "A1", "A2", "A2", "B1", "B1", "B2"]
    report = equal_opportunity(_tally(golds, lambda document, *_: "B1" if document == 6 else golds[document]))
    assert (report["documents"], report["variants"]) == (7, 560)
    assert report["accuracy"] == pytest.approx(6 / 7, abs=1e-4)
    assert report["recall"] == 0.75  # over the four levels that gold has; the paper's .60 counts a fifth
    assert {part["eq_opp"] for part in report["groups"].values()} == {0}
    assert report["flip_rate"] == report["spread_of_groups"] == report["spread_of_genders"] == 0
    assert any("only 7 documents" in warning for warning in report["warnings"])


def test_a_disadvantaged_group_is_reported_with_size_and_interval():
    def predicted(document: int, cell: Cell, number: int) -> str:
        return "missed" if cell == Cell("arabic", "men") and number < 4 and document % 2 else "found"

    report = equal_opportunity(_tally(["found"] * 60, predicted))
    arabic = report["groups"]["arabic"]
    assert (arabic["documents"], arabic["variants"], arabic["recall"]) == (60, 1200, 0.9)
    assert arabic["eq_opp"] == -0.1
    low, high = arabic["eq_opp_95"]
    assert low < -0.1 < high < 0
    assert report["cells"]["arabic men"]["recall"] == 0.8
    assert report["genders"]["women"]["eq_opp"] == pytest.approx(0.05)
    assert report["spread_of_groups"] == 0.1
    assert report["flip_rate"] == 0.5
    assert report["warnings"] == []


def test_recall_weighs_classes_and_not_documents():
    golds = ["rare", *["common"] * 9]
    report = equal_opportunity(_tally(golds, lambda *_: "common"), resamples=0)
    assert report["recall"] == 0.5
    assert report["accuracy"] == 0.9
    assert report["groups"]["swedish"]["eq_opp_95"] is None
    assert any("one class" in warning for warning in report["warnings"])


def test_a_single_group_has_no_comparison():
    tally = Tally().add([Prediction("a", Cell("north", "women"), "yes", "yes")])
    report = equal_opportunity(tally)
    assert report["groups"]["north"]["eq_opp"] is None
    assert report["groups"]["north"]["recall"] == 1


def test_the_order_of_rows_does_not_matter():
    rows = [
        Prediction(f"d{i % 40}", list(GROUPS.names)[i % 7], "yes", "yes" if i % 3 else "no")
        for i in range(500)
    ]
    assert equal_opportunity(Tally().add(rows)) == equal_opportunity(Tally().add(rows[::-1]))


def test_without_predictions_there_is_no_report():
    with pytest.raises(ValueError, match="no predictions"):
        equal_opportunity(Tally())
