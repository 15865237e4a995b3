import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.reviewing.spans_files import ReviewedSpan, load_reviews
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import UserError

SPAN = {"conversation_id": "a", "turn": 0, "start": 1, "end": 4, "label": "MISSED_PERSON_NAME"}
CLEAN = {"conversation_id": "b", "label": None}


def _lines(*rows: Any) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def _file(folder: Path, name: str, rows: list[dict[str, Any]]) -> str:
    path = folder / name
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(_lines(*rows)))
    elif name.endswith(".zst"):
        path.write_bytes(pa.compress(_lines(*rows), "zstd", asbytes=True))
    else:
        path.write_bytes(_lines(*rows))
    return str(path)


@pytest.mark.parametrize("name", ["s.jsonl", "s.jsonl.gz", "s.jsonl.zst", "s.parquet"])
def test_every_kind_of_file_says_the_same(tmp_path: Path, name: str) -> None:
    rows = [{**SPAN, "entity": None}, {**SPAN, "turn": 2, "entity": "p1"}, CLEAN]
    assert load_reviews([_file(tmp_path, name, rows)]) == {
        "a": [
            ReviewedSpan(0, None, AnnotatedSpan(1, 4, "MISSED_PERSON_NAME")),
            ReviewedSpan(2, None, AnnotatedSpan(1, 4, "MISSED_PERSON_NAME", "p1")),
        ],
        "b": [],
    }


def test_other_names_and_numbers_for_ids(tmp_path: Path) -> None:
    row = {"id": 7, "turn": 1, "part": "content.0.text", "start": 0, "end": 1, "tag": "URL", "entity_id": 3}
    assert load_reviews([_file(tmp_path, "s.jsonl", [row])]) == {
        "7": [ReviewedSpan(1, "content.0.text", AnnotatedSpan(0, 1, "URL", "3"))]
    }


@pytest.mark.parametrize(
    ("columns", "entity"),
    [
        ({"entity": None, "entity_id": "m"}, "m"),
        ({"entity": "", "entity_id": 3}, "3"),
        ({"entity": ""}, None),
        ({"entity": float("nan")}, None),
        ({"entity": 2.0}, "2"),
    ],
)
def test_an_entity_is_the_first_that_somebody_named(
    tmp_path: Path, columns: dict[str, Any], entity: str | None
) -> None:
    (review,) = load_reviews([_file(tmp_path, "s.parquet", [{**SPAN, **columns}])])["a"]
    assert review.span.entity == entity


def test_a_null_label_beside_a_tag_is_no_clean_review(tmp_path: Path) -> None:
    url = _file(tmp_path, "s.parquet", [{**SPAN, "label": None, "tag": "URL"}])
    assert load_reviews([url])["a"][0].span.label == "URL"


def test_files_add_up_and_blank_lines_are_ignored(tmp_path: Path) -> None:
    one, other = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    one.write_bytes(b"\n" + _lines(SPAN) + b"  \n\n")
    other.write_bytes(_lines(SPAN, CLEAN)[:-1])
    assert {key: len(spans) for key, spans in load_reviews([str(one), str(other)]).items()} == {
        "a": 2,
        "b": 0,
    }
    assert load_reviews([]) == {}


def _without(name: str) -> dict[str, Any]:
    return {key: value for key, value in SPAN.items() if key != name}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (_without("conversation_id"), "column 'conversation_id' is missing"),
        ({**SPAN, "conversation_id": 1.5}, "'conversation_id'"),
        ({**SPAN, "conversation_id": True}, "'conversation_id'"),
        (_without("label"), "column 'label' is missing"),
        ({**_without("label"), "lable": "URL"}, "column 'label' is missing"),
        ({**SPAN, "label": None}, "say what was missed there"),
        ({**SPAN, "label": 5}, "'label' must be a string"),
        ({**SPAN, "label": ""}, "'label' must be a string"),
        (_without("turn"), "column 'turn'"),
        ({**SPAN, "turn": "0"}, "column 'turn'"),
        ({**SPAN, "turn": True}, "column 'turn'"),
        ({**SPAN, "start": 1.0}, "column 'start'"),
        (_without("end"), "column 'end'"),
        ({**SPAN, "start": 4}, "0 <= start < end"),
        ({**SPAN, "start": -1}, "0 <= start < end"),
        ({**SPAN, "part": 3}, "column 'part'"),
        ({**SPAN, "entity": ["Pam"]}, "column 'entity' must be"),
        ({**SPAN, "entity_id": 0.5}, "column 'entity_id' must be"),
        ([1], "line 2: not a JSON object"),
    ],
)
def test_a_row_that_is_no_span_is_named_and_never_quoted(tmp_path: Path, row: Any, told: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(_lines(CLEAN, row))
    with pytest.raises(UserError) as caught:
        load_reviews([str(path)])
    message = str(caught.value)
    assert told in message
    assert message.startswith((f"{path} row 2: ", f"{path} line 2: "))
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("s.jsonl", b"{oops Pam"),
        ("s.jsonl", b"\xff\xfe{}"),
        ("s.jsonl", b"PAR1\x00\x00"),
        ("s.jsonl.gz", b"no gzip"),
        ("s.jsonl.gz", gzip.compress(b'{"a": 1}\n' * 99, mtime=0)[:-20]),
        ("s.jsonl.zst", b"no zstd"),
        ("s.parquet", b""),
        ("s.parquet", b"PAR1 garbage PAR1"),
        ("s.parquet", b'{"conversation_id": "a"}'),
    ],
)
def test_unreadable_files_are_user_errors(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UserError) as caught:
        load_reviews([str(path)])
    assert str(path) in str(caught.value)
    assert "Pam" not in str(caught.value)


def test_text_of_a_parquet_file_that_is_no_text(tmp_path: Path) -> None:
    labels = pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff\xfe"], pa.binary()).buffers())
    table = pa.table({"conversation_id": ["a"], "turn": [0], "start": [0], "end": [1], "label": labels})
    pq.write_table(table, tmp_path / "s.parquet")
    with pytest.raises(UserError, match=r"s\.parquet"):
        load_reviews([str(tmp_path / "s.parquet")])


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.jsonl", tmp_path):
        with pytest.raises(UserError):
            load_reviews([str(path)])
