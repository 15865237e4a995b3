import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.drafting import draft
from tacenda.transforms.shapes.mapping import Turns, mapping_from
from tacenda.transforms.storage.yaml_text import parse_yaml

LINES = [
    {"actor": {"label": "Tomas Lind", "kind": "left"}, "phrase": "Good morning, who is calling?", "t0": 0.5},
    {"actor": {"label": "Noor Haddad", "kind": "right"}, "phrase": "I call about my bill.", "t0": 2},
]
RECORDS = [{"call": {"ref_id": f"a{n}"}, "lines": LINES, "queue": "four words are here"} for n in range(3)]


def test_an_unseen_export_is_drafted_and_what_has_no_place_is_said():
    drafted = draft(RECORDS)
    assert drafted.unplaced == ["queue"]
    assert "queue" in drafted.text
    mapping = mapping_from(parse_yaml(drafted.text), "ours", "ours.yaml")
    assert mapping.id == "call.ref_id"
    assert mapping.turns == (Turns("lines.phrase", ("lines.actor.label",), "lines.actor.kind", "lines.t0"),)


def test_no_value_is_in_a_draft():
    drafted = draft([*RECORDS, {"noor.haddad@example.net": "four words are here"}])
    assert not any(word in drafted.text for word in ("Noor", "Tomas", "morning", "words", "@", "left"))


def test_without_texts_there_is_nothing_to_draft():
    with pytest.raises(UserError, match="no field of the first records"):
        draft([{"a": 1, "b": "x"}])
