import json

from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.writing.staging import quarantine_lines

FILES = ("a.jsonl", "b.jsonl").__getitem__


def test_lines_are_sorted_by_place_and_name_the_file_of_the_position() -> None:
    rejections = [
        Rejection(7, Stage.SCORE, "UnknownTag", file=1),
        Rejection(30, Stage.READ, "NullText", rows=4, file=0),
        Rejection(7, Stage.READ, "NullText", file=1),
    ]
    lines = quarantine_lines("00001", FILES, rejections)
    assert [tuple(json.loads(line).values()) for line in lines.splitlines()] == [
        ("00001", "a.jsonl", 30, "read", "NullText", 4),
        ("00001", "b.jsonl", 7, "read", "NullText", 1),
        ("00001", "b.jsonl", 7, "score", "UnknownTag", 1),
    ]
    assert list(json.loads(lines.splitlines()[0])) == ["unit", "file", "position", "stage", "error", "rows"]
    assert quarantine_lines("00001", FILES, reversed(rejections)) == lines


def test_an_empty_quarantine_has_no_lines() -> None:
    assert quarantine_lines("00000", FILES, []) == b""
