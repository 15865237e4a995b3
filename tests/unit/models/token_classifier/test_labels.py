"""Label maps: every shipped one uses known infoTypes, and drops nothing by accident."""

from pathlib import Path

import pytest

from tacenda.models.token_classifier.labels import LabelMap, meanings, pin_label_map, read_label_map, shipped
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.schema.errors import UserError


def test_the_shipped_maps() -> None:
    assert shipped() == ("conll", "i2b2", "kaggle_essays", "kb_bert", "meddocan", "ontonotes")
    for name in shipped():
        labels = read_label_map(LabelMap(name))
        assert {m for m in labels.values() if m is not None} <= {*catalogue()}, name
        assert "PERSON_NAME" in labels.values()


@pytest.mark.parametrize(
    ("label_map", "labels", "expected"),
    [
        ("conll", ["O", "B-PER", "I-PER", "B-MISC"], [None, "PERSON_NAME", "PERSON_NAME", None]),
        ("i2b2", ["L-HOSP", "O", "U-STAFF"], ["ORGANIZATION_NAME", None, "PERSON_NAME"]),
        ("i2b2", ["B-LOCATION-OTHER", "S-DATE"], ["LOCATION", "DATE"]),
        ("kb_bert", ["O", "I-LOC/ORG", "TME"], [None, "LOCATION", "DATE"]),
        ("meddocan", ["B-CALLE"], ["STREET_ADDRESS"]),
        (None, ["O", "PERSON_NAME", "E-EMAIL_ADDRESS"], [None, "PERSON_NAME", "EMAIL_ADDRESS"]),
    ],
)
def test_meanings(label_map: str | None, labels: list[str], expected: list[str | None]) -> None:
    given = None if label_map is None else LabelMap(label_map)
    assert list(meanings(labels, given, "m")) == expected


def test_a_users_own_map(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text('labels: {"1": "AGE", "X": null}')
    assert meanings(["B-1", "X", "O"], LabelMap(str(path)), "m") == ("AGE", None, None)
    for text in ("labels: [a]", "x: 1", "labels: {1: AGE}", "{"):
        (tmp_path / "bad.yaml").write_text(text)
        with pytest.raises(UserError, match=r"bad\.yaml: (not valid YAML|needs 'labels')"):
            read_label_map(LabelMap(str(tmp_path / "bad.yaml")))


@pytest.mark.parametrize("meaning", ["PERSN_NAME", "person_name", "PRODUCT", ""])
def test_a_label_that_leads_to_no_infotype_is_refused(tmp_path: Path, meaning: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f'labels: {{"LOC": "LOCATION", "PER": "{meaning}"}}')
    with pytest.raises(UserError) as raised:
        meanings(["PER", "LOC"], LabelMap(str(path)), "m")
    assert str(raised.value) == (
        f"label_map {path}: label PER means {meaning or '(empty)'}, which is not an infoType; "
        "see 'tacenda config infotypes', or write null"
    )


def test_a_label_map_is_found_from_any_folder_and_must_be_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text('labels: {"X": "AGE"}')
    pinned = pin_label_map("mine.yaml")
    monkeypatch.chdir("/")
    assert (pinned.name, read_label_map(pinned)) == (str(tmp_path / "mine.yaml"), {"X": "AGE"})
    Path(pinned.name).write_text('labels: {"X": null}')
    with pytest.raises(UserError, match=r"mine\.yaml: was changed since the run began; start the run again"):
        read_label_map(pinned)
    assert pin_label_map("conll").name == "conll"


def test_a_label_without_meaning_is_refused() -> None:
    with pytest.raises(
        UserError, match=r"^model m: label FOO: label map conll does not have it; set label_map"
    ):
        meanings(["O", "B-FOO"], LabelMap("conll"), "m")
    with pytest.raises(UserError, match="label PER: not an infoType; set label_map to conll, i2b2"):
        meanings(["B-PER"], None, "m")
    with pytest.raises(UserError, match="label_map colln: no such map; choose one of conll"):
        meanings(["B-PER"], LabelMap("colln"), "m")
