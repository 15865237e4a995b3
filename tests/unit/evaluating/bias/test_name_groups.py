from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tacenda.transforms.evaluating.bias.name_groups import Cell, check_name_groups, load_name_groups
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.yaml_text import parse_yaml


def test_the_shipped_lists_are_those_of_the_paper_four_groups_of_two_genders_of_ten_names():
    groups = load_name_groups()
    assert groups.groups == ["swedish", "finnish", "anglo_american", "arabic"]
    assert {len(names) for names in groups.names.values()} == {10}
    assert len({name for names in groups.names.values() for name in names}) == 80
    assert groups.names[Cell("arabic", "women")][:2] == ("Fatima", "Hala")


def test_nineteen_origins_are_shipped_those_of_the_generated_calls():
    generated = files("tacenda.transforms.generating.sample").joinpath("data/names.yaml").read_text("utf-8")
    groups = load_name_groups("origins")
    assert groups.groups == list(parse_yaml(generated)["origins"])
    assert len(groups.groups) == 19
    assert {len(names) for names in groups.names.values()} == {10}
    assert len({name for names in groups.names.values() for name in names}) == 380


def _lists(**changed: Any) -> dict[str, Any]:
    groups = {
        "north": {"women": ["Ada", "Bea"], "men": ["Carl", "Dan"]},
        "south": {"women": ["Eva", "Fia"], "men": ["Gus", "Hal"]},
    }
    return {"groups": {**groups, **changed}}


def test_lists_of_the_users_own_are_read(tmp_path: Path):
    file = tmp_path / "names.yaml"
    file.write_text("groups:\n  a: {women: [Ada], men: [Bo]}\n  b: {women: [Cy], men: [Di]}\n")
    assert load_name_groups(str(file)).names[Cell("b", "men")] == ("Di",)
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
        (
            _lists(south={"women": ["Eva", "ada"], "men": ["Gus", "Hal"]}),
            "both north: women and south: women",
        ),
        (_lists(south={"women": ["Eva", "eva"], "men": ["Gus", "Hal"]}), "has a name twice"),
    ],
)
def test_lists_that_cannot_be_compared_are_refused(document: Any, what: str):
    with pytest.raises(UserError, match=what):
        check_name_groups(document, "names.yaml")
