from typing import Any
from xml.etree import ElementTree

import pytest

from tacenda.transforms.reviewing.label_studio import labelling_config, read_annotations, tasks
from tacenda.transforms.reviewing.marks import Mark, Talk
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.score_table import ScoreTable

TABLE = ScoreTable.load()
TALK = Talk("c1", "sales", "h1", (("Jim", "😀 Pam Beesly called"), (None, "Pam works for Dunder Mifflin")))
READERS = {"3": "Pam", "jim@example.com": "Jim"}


def _region(turn: int, start: int, seen: str, tag: str, name: str, **changes: Any) -> dict[str, Any]:
    value = {"start": str(turn), "end": str(turn), "startOffset": start, "endOffset": start + len(seen)}
    return {
        "id": name,
        "type": "paragraphlabels",
        "value": {**value, "text": seen, "paragraphlabels": [tag], **changes},
    }


NAME = _region(0, 2, "Pam Beesly", "PERSON_NAME", "a")
LONE = _region(1, 0, "Pam", "PERSON_NAME", "b")
FIRM = _region(1, 14, "Dunder Mifflin", "ORGANIZATION_NAME", "c")


def _how(name: str, *choices: str) -> dict[str, Any]:
    return {"id": name, "type": "choices", "value": {"choices": list(choices)}}


def _exported(*result: Any, **changes: Any) -> list[dict[str, Any]]:
    (task,) = tasks([TALK], {})
    return [{"id": 1, **task, "annotations": [{"completed_by": 3, "result": list(result), **changes}]}]


def _read(exported: list[dict[str, Any]]) -> Any:
    return read_annotations(exported, {"c1": TALK}, TABLE, READERS, "file")


def test_tasks_have_no_predictions() -> None:
    (task,) = tasks([TALK], {})
    assert "predictions" not in task
    assert task["data"]["hint"] == ""
    assert task["data"]["dialogue"][1] == {"author": "–", "text": "Pam works for Dunder Mifflin"}


def test_the_interface_has_every_tag() -> None:
    view = ElementTree.fromstring(labelling_config(TABLE))
    tags = {one.get("value") for one in view.iter("Label")}
    assert tags == {tag for tag in TABLE.rows if not tag.endswith("_SPEAKER")}


def test_regions_choices_and_relations_become_marks() -> None:
    same = {"type": "relation", "from_id": "b", "to_id": "a", "direction": "right"}
    (reading,) = _read(_exported(NAME, _how("b", "partial"), LONE, _how("c", "speaker"), FIRM, same))
    assert reading.reader == "Pam"
    assert reading.marks == (
        Mark(0, 2, 12, "MISSED_PERSON_NAME", "1"),
        Mark(1, 0, 3, "MISSED_PERSON_NAME_PARTIAL", "1"),
        Mark(1, 14, 28, "MISSED_ORGANIZATION_NAME_SPEAKER"),
    )


def test_offsets_in_utf_16_units_are_found() -> None:
    (reading,) = _read(_exported(_region(0, 3, "Pam Beesly", "PERSON_NAME", "a")))
    assert reading.marks == (Mark(0, 2, 12, "MISSED_PERSON_NAME"),)


def test_a_skipped_task_is_not_read_and_an_empty_one_is_clean() -> None:
    assert _read(_exported(was_cancelled=True)) == []
    (reading,) = _read(_exported(completed_by={"id": 9, "email": "jim@example.com"}))
    assert (reading.reader, reading.marks) == ("Jim", ())


@pytest.mark.parametrize(
    ("exported", "told"),
    [
        (_exported(completed_by=4), "--reader 4=NAME"),
        (_exported(_region(0, 4, "Pam Beesly", "PERSON_NAME", "a")), "another text there"),
        (_exported(_region(0, 2, "Pam Beesly", "PERSON_NAME", "a", end="1")), "within one turn"),
        (_exported(_region(7, 2, "Pam Beesly", "PERSON_NAME", "a")), "within one turn"),
        (_exported(_region(0, 2, "Pam Beesly", "PERSON_NAME", "a", text=None)), "does not have its text"),
        (_exported(_region(0, 2, "Pam Beesly", "X", "a", paragraphlabels=[])), "exactly one tag"),
        (_exported(_region(0, 2, "Pam Beesly", "FRIEND", "a")), "unknown tag"),
        (_exported({"id": "a", "type": "labels", "value": {}}), "of another kind"),
        (_exported(_how("z", "partial")), "without a tag"),
        (_exported(NAME, {"type": "relation", "from_id": "a", "to_id": "z"}), "without a tag"),
        ([{"data": {"conversation_id": "c1", "text_hash": "h9"}, "annotations": []}], "another text"),
        ([{"data": {"conversation_id": "c2"}, "annotations": []}], "not in the corpus"),
        ([{"data": {"conversation_id": "c1", "text_hash": "h1"}}], "no annotations"),
        ([7], "not in the corpus"),
    ],
)
def test_what_cannot_be_taken_for_sure_is_refused(exported: list[Any], told: str) -> None:
    with pytest.raises(UserError, match=told) as raised:
        _read(exported)
    assert "Pam" not in str(raised.value)
