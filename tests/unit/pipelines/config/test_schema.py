from typing import Any

import pytest

from tacenda.pipelines.config import document as schema
from tacenda.pipelines.config.document import ConfigDocument, load_config
from tacenda.transforms.schema.errors import UserError

MADE: dict[str, Any] = {
    "made": {
        "type": "object",
        "properties": {
            "count": {"type": "integer", "minimum": 1, "maximum": 3, "errorMessage": "must be 1 to 3"},
            "share": {"type": "number", "exclusiveMaximum": 1, "errorMessage": "must be below 1"},
            "why": {"type": "string", "pattern": r"\S", "errorMessage": "must be words"},
            "kind": {"enum": ["a", "b"], "errorMessage": "must be a or b"},
            "by": {
                "type": "object",
                "errorMessage": "must be a mapping",
                "additionalProperties": {"type": "boolean", "errorMessage": "must be true or false"},
            },
            "parts": {
                "type": "array",
                "errorMessage": "must be a list",
                "items": {
                    "type": "object",
                    "properties": {"size": {"type": "string", "errorMessage": "must be a text"}},
                },
            },
            "names": {
                "type": "array",
                "errorMessage": "must be a list",
                "items": {"type": "string", "errorMessage": "must be a name"},
            },
            "elsewhere": {"readBy": "somebody", "type": "string"},
        },
    }
}


@pytest.fixture(autouse=True)
def made(monkeypatch):
    monkeypatch.setattr(schema, "own_sections", lambda: MADE)


@pytest.mark.parametrize(
    "section",
    [
        None,
        {},
        {"count": 1, "share": 0.5, "why": "so", "kind": "a", "by": {"x": True}, "parts": [{"size": "s"}, {}]},
        {"count": None, "by": None, "parts": None, "kind": None},
        {"count": 3, "share": -7, "by": {}, "parts": [], "elsewhere": 5},
    ],
)
def test_valid_values_are_accepted(section):
    ConfigDocument("c.yaml", {"made": section}).settings("made")


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ({"cuont": 1}, "made.cuont: is not a setting; did you mean count?"),
        ({"count": 0}, "made.count: must be 1 to 3"),
        ({"count": 4}, "made.count: must be 1 to 3"),
        ({"count": 1.5}, "made.count: must be 1 to 3"),
        ({"count": True}, "made.count: must be 1 to 3"),
        ({"share": 1}, "made.share: must be below 1"),
        ({"share": float("nan")}, "made.share: must be below 1"),
        ({"share": float("-inf")}, "made.share: must be below 1"),
        ({"why": " "}, "made.why: must be words"),
        ({"kind": "c"}, "made.kind: must be a or b"),
        ({"kind": ["a"]}, "made.kind: must be a or b"),
        ({"by": [1]}, "made.by: must be a mapping"),
        ({"by": {"x": 1}}, "made.by.x: must be true or false"),
        ({"by": {"x": None}}, "made.by.x: must be true or false"),
        ({"by": {5: True}}, "made.by.5: the key is not a string; put it in quotes"),
        ({"parts": {}}, "made.parts: must be a list"),
        ({"parts": ["x"]}, "made.parts[0]: must be a mapping with size"),
        ({"parts": [{}, None]}, "made.parts[1]: must be a mapping with size"),
        ({"names": ["x", 5]}, "made.names[1]: must be a name"),
        ({"parts": [{}, {"size": 5}]}, "made.parts[1].size: must be a text"),
    ],
)
def test_invalid_values_are_reported(section, told):
    with pytest.raises(UserError) as raised:
        ConfigDocument("c.yaml", {"made": section}).settings("made")
    assert str(raised.value) == f"c.yaml: {told}"


def test_the_line_is_reported(tmp_path):
    file = tmp_path / "c.yaml"
    file.write_text("risk:\n  count: 7\n")
    document = load_config(str(file))
    document.data["made"] = document.data.pop("risk")
    document.places["made.count"] = document.places["risk.count"]
    with pytest.raises(UserError, match=r"c\.yaml:2: risk\.count: must be 1 to 3"):
        document.settings("made")
