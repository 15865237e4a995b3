import json
import re
from typing import Any

import pytest

from tacenda.transforms.reviewing.marks import Mark, Talk
from tacenda.transforms.reviewing.packet import FORMAT, read_packet, render_packet
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.score_table import ScoreTable

TABLE = ScoreTable.load()
HOSTILE = "</script><script>alert(1)</script><!-- {{ 7*7 }}"
TALKS = [
    Talk("c1", "sales", "h1", (("Jim", "Pam Beesly called"), (None, HOSTILE))),
    Talk(HOSTILE, HOSTILE, "h2", ((HOSTILE, "x"),)),
]
BY_ID = {talk.conversation_id: talk for talk in TALKS}


def _mark(**changes: Any) -> dict[str, Any]:
    told = {"turn": 0, "start": 0, "end": 10, "label": "MISSED_PERSON_NAME", "entity": None}
    return {**told, "on_label": False, "text": "Pam Beesly", **changes}


def _export(**changes: Any) -> dict[str, Any]:
    one = {"conversation_id": "c1", "text_hash": "h1", "read": True, "marks": [_mark()]}
    other = {"conversation_id": HOSTILE, "text_hash": "h2", "read": False, "marks": []}
    return {"format": FORMAT, "reviewed_by": "Pam", "conversations": [{**one, **changes}, other]}


def _data(page: str) -> Any:
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(data)


def test_hostile_text_stays_in_the_data() -> None:
    page = render_packet(TALKS, TABLE)
    assert _data(page)["conversations"][1]["context"] == HOSTILE
    assert page.count("<script") == 2
    assert "alert" not in page.replace(json.dumps(HOSTILE)[1:-1].replace("<", "\\u003c"), "")


def test_predictions_and_marks_are_hidden_unless_asked_for() -> None:
    plain = _data(render_packet(TALKS, TABLE))["conversations"]
    assert [(one["hint"], one["marks"]) for one in plain] == [("", []), ("", [])]
    told = {"c1": "Self-check: 5 points"}
    given = _data(render_packet(TALKS, TABLE, hints=told, marks={"c1": [Mark(0, 0, 3, "MISSED_AGE")]}))
    assert given["conversations"][0]["hint"] == "Self-check: 5 points"
    assert given["conversations"][0]["marks"][0]["label"] == "MISSED_AGE"
    # What was saved in the browser for the one must not appear in the other.
    assert given["packet"] != _data(render_packet(TALKS, TABLE))["packet"]


def test_every_tag_can_be_chosen_and_speakers_have_no_rows_of_their_own() -> None:
    tags = {one["tag"]: one["speaker"] for one in _data(render_packet(TALKS, TABLE))["tags"]}
    assert {*tags, *(f"{tag}_SPEAKER" for tag in tags if tags[tag])} == {*TABLE.rows}


def test_an_export_comes_back_as_readings_of_what_was_read() -> None:
    (reading,) = read_packet(_export(), BY_ID, TABLE, "file")
    assert (reading.conversation_id, reading.reader) == ("c1", "Pam")
    assert reading.marks == (Mark(0, 0, 10, "MISSED_PERSON_NAME"),)
    (numbered,) = read_packet(_export(marks=[_mark(entity=3)]), BY_ID, TABLE, "file")
    assert numbered.marks[0].entity == "3"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"text_hash": "h3"}, "another text"),
        ({"conversation_id": "c9"}, "not in the corpus"),
        ({"conversation_id": None}, "not in the corpus"),
        ({"marks": None}, "no list of marks"),
        ({"marks": [_mark(start=1)]}, "another text there"),
        ({"marks": [_mark(start="0")]}, "needs turn"),
        ({"marks": [_mark(turn=True)]}, "needs turn"),
        ({"marks": [_mark(entity=[1])]}, "entity"),
        ({"marks": [_mark(label="PERSN")]}, "unknown tag"),
        ({"marks": [7]}, "needs turn"),
    ],
)
def test_a_wrong_export_is_refused(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(UserError, match=told) as raised:
        read_packet(_export(**changes), BY_ID, TABLE, "file")
    assert "Pam" not in str(raised.value)


@pytest.mark.parametrize("name", ["", " - ", None, 7])
def test_an_export_names_its_reader(name: Any) -> None:
    with pytest.raises(UserError, match="names no reader"):
        read_packet({**_export(), "reviewed_by": name}, BY_ID, TABLE, "file")
