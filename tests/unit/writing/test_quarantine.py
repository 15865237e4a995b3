import json

from transforms.schema.rejection import Rejection, Stage
from transforms.writing.quarantine import quarantine_lines


def test_lines_are_sorted_by_place_and_name_the_unit_of_the_position() -> None:
    rejections = [
        Rejection(7, Stage.SCORE, "UnknownTag"),
        Rejection(30, Stage.READ, "NullText", rows=4, unit="00000"),
        Rejection(7, Stage.READ, "NullText"),
    ]
    lines = quarantine_lines("00001", rejections)
    assert [tuple(json.loads(line).values()) for line in lines.splitlines()] == [
        ("00000", 30, "read", "NullText", 4),
        ("00001", 7, "read", "NullText", 1),
        ("00001", 7, "score", "UnknownTag", 1),
    ]
    assert list(json.loads(lines.splitlines()[0])) == ["unit", "position", "stage", "error", "rows"]
    assert quarantine_lines("00001", reversed(rejections)) == lines


def test_none_is_no_line() -> None:
    assert quarantine_lines("00000", []) == b""
