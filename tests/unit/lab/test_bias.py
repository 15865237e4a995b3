import json
from importlib.resources import files

import pytest

from tacenda.pipelines.lab.bias import (
    Cell,
    Place,
    Prediction,
    eligible_place,
    equal_opportunity,
    load_name_groups,
    variants,
)
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.yaml_text import parse_yaml
from tests.cases import tabled

NAMES = load_name_groups()


def test_shipped_are_the_papers_four_groups_and_the_origins_of_the_generated_calls():
    generated = files("tacenda.transforms.generating.sample").joinpath("data/names.yaml").read_text("utf-8")
    papers = ["swedish", "finnish", "anglo_american", "arabic"]
    for groups, expected in (
        (NAMES, papers),
        (load_name_groups("origins"), parse_yaml(generated)["origins"]),
    ):
        assert [*dict.fromkeys(cell.group for cell in groups)] == list(expected)
        assert {len(names) for names in groups.values()} == {10}
        assert len({name for names in groups.values() for name in names}) == 20 * len(expected)
    assert NAMES[Cell("arabic", "women")][:2] == ("Fatima", "Hala")


def _lists(**changed):
    groups = {
        "north": {"women": ["Ada", "Bea"], "men": ["Carl", "Dan"]},
        "south": {"women": ["Eva", "Fia"], "men": ["Gus", "Hal"]},
    }
    return {"groups": {**groups, **changed}}


def test_lists_of_the_users_own_are_read(tmp_path):
    file = tmp_path / "names.yaml"
    file.write_text("groups:\n  a: {women: [Ada], men: [Bo]}\n  b: {women: [Cy], men: [Di]}\n")
    assert load_name_groups(str(file))[Cell("b", "men")] == ("Di",)
    with pytest.raises(UserError, match="no such file"):
        load_name_groups(str(tmp_path / "none.yaml"))
    file.write_text("groups: {")
    with pytest.raises(UserError, match=r"names\.yaml: is not YAML"):
        load_name_groups(str(file))


@pytest.mark.parametrize(
    ("document", "what"),
    [
        ([], "needs 'groups' with two groups"),
        ({"groups": {"one": {}}}, "needs 'groups' with two groups"),
        (_lists(south={"women": ["Eva", "Fia"]}), "south: men: must be a list of names"),
        (_lists(south={"women": ["Eva", "Mary Ann"], "men": ["Gus", "Hal"]}), "a word each"),
        (_lists(south={"women": ["Eva"], "men": ["Gus", "Hal"]}), "between 1 and 2 names"),
        (_lists(south={"women": ["Eva", "ada"], "men": ["Gus", "Hal"]}), "listed twice"),
        (_lists(south={"women": ["Eva", "eva"], "men": ["Gus", "Hal"]}), "listed twice"),
    ],
)
def test_lists_that_cannot_be_compared_are_refused(document, what, tmp_path):
    (file := tmp_path / "names.yaml").write_text(json.dumps(document))
    with pytest.raises(UserError, match=what):
        load_name_groups(str(file))


def _marked(text, **labels):
    return [
        AnnotatedSpan(text.index(value), text.index(value) + len(value), label)
        for value, label in labels.items()
    ]


def test_gold_before_and_behind_the_name_stays_on_its_words_and_other_cells_as_they_are():
    text = "Call 555-0100: Emil, emil-free@example.com"
    labels = {"555-0100": "PHONE_NUMBER", "Emil": "PERSON_NAME", "free@example.com": "EMAIL_ADDRESS"}
    spans = [[], _marked(text, **labels)]
    place = Place(1, text.index("Emil"), text.index("Emil") + 4)
    made = list(variants(["lives here", text], spans, place, NAMES))
    assert len(made) == 80
    for variant in made:
        first, changed = variant.texts
        assert (first, changed.replace(variant.name, "Emil", 1)) == ("lives here", text)
        marked = [changed[span.start : span.end] for span in variant.spans[1]]
        assert marked == ["555-0100", variant.name, "free@example.com"]


@tabled("text", "names", "why")
def test_texts_in_which_a_name_cannot_be_exchanged_are_left_out(text, names, why):
    assert eligible_place([text], ["agent"], [_marked(text, **dict.fromkeys(names, "PERSON_NAME"))]) == why


def test_a_name_that_is_no_speaker_label_is_eligible():
    spans = [_marked("This is Emil", Emil="PERSON_NAME")]
    assert "in a speaker label" in eligible_place(["This is Emil"], ["Agent Emil"], spans)
    assert eligible_place(["This is Emil"], ["Agent"], spans) == Place(0, 8, 12)


def _rows(golds, predicted):
    return [
        Prediction(f"d{document:03}", cell, gold, predicted(document, cell, number))
        for document, gold in enumerate(golds)
        for cell, names in NAMES.items()
        for number, _ in enumerate(names)
    ]


def test_the_papers_essay_model_shows_no_difference():
    """Seven essays of four levels, 80 names; one level is wrong, whatever the name: accuracy 6/7."""
    golds = ["A1", "A1", "A2", "A2", "B1", "B1", "B2"]
    report = equal_opportunity(_rows(golds, lambda document, *_: "B1" if document == 6 else golds[document]))
    assert (report["documents"], report["variants"]) == (7, 560)
    assert report["accuracy"] == pytest.approx(6 / 7, abs=1e-4)
    assert report["recall"] == 0.75  # over the four levels that gold has; the paper's .60 counts a fifth
    assert {part["eq_opp"] for part in report["groups"].values()} == {0}
    assert report["flip_rate"] == report["spread_of_groups"] == report["spread_of_genders"] == 0
    assert any("only 7 documents" in warning for warning in report["warnings"])


def test_a_disadvantaged_group_is_reported_with_size_and_interval():
    def predicted(document, cell, number):
        return "missed" if cell == Cell("arabic", "men") and number < 4 and document % 2 else "found"

    report = equal_opportunity(_rows(["found"] * 60, predicted))
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


def test_recall_weighs_classes_and_a_single_group_has_no_comparison():
    golds = ["rare", *["common"] * 9]
    report = equal_opportunity(_rows(golds, lambda *_: "common"), resamples=0)
    assert (report["recall"], report["accuracy"]) == (0.5, 0.9)
    assert report["groups"]["swedish"]["eq_opp_95"] is None
    assert any("one class" in warning for warning in report["warnings"])
    report = equal_opportunity([Prediction("a", Cell("north", "women"), "yes", "yes")])
    assert (report["groups"]["north"]["eq_opp"], report["groups"]["north"]["recall"]) == (None, 1)
