import pyarrow as pa
import pytest

from tacenda.transforms.shapes.fields import DocumentShape
from tacenda.transforms.shapes.options import ReadOptions

SHAPE = DocumentShape(ReadOptions(keep=("lang",), max_turn_chars=10))


def test_a_document_is_one_turn_without_speaker():
    record = {"id": 3, "text": "A letter", "lang": "sv", "author": "dropped", "context": "mail"}
    batch, _ = SHAPE.read_records([(0, record), (50, {"text": ""})], "key")
    assert batch.ids == ["3", "key-50"]
    assert batch.contexts == ["mail", ""]
    assert (batch.texts, batch.speakers, batch.turns) == (["A letter", "sv", ""], [None] * 3, [0, -1, 0])
    assert SHAPE.write_records(batch, ["B", "sv", "C"], [None] * 3) == [
        {"id": 3, "text": "B", "lang": "sv", "context": "mail"},
        {"text": "C"},
    ]


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ({"id": 1}, "MissingField"),
        ({"text": None}, "NullText"),
        ({"text": ["a"]}, "WrongType"),
        ({"text": "12345678901"}, "TurnTooLong"),
        ({"text": "a", "id": []}, "WrongType"),
    ],
)
def test_a_bad_document_is_rejected(record, error):
    batch, rejections = SHAPE.read_records([(0, record)], "key")
    assert len(batch) == 0
    assert [rejection.error for rejection in rejections] == [error]


def test_a_table_survives_a_round_trip():
    table = pa.table({"text": ["a", "b"], "lang": ["sv", "da"], "author": ["x", "y"]})
    batch, _ = SHAPE.read_table(table, 0, "key")
    written = SHAPE.write_table(
        batch, ["A", "sv", "B", "da"], batch.speakers, SHAPE.output_schema(table.schema)
    )
    assert written.equals(pa.table({"text": ["A", "B"], "lang": ["sv", "da"]}))


def test_what_stands_beside_the_id_is_dropped():
    records = [
        {"conversation_id": "a", "id": {"email": "anna@x.se"}, "text": "x"},
        {"conversation_id": None, "id": "b", "text": "y"},
    ]
    batch, rejections = SHAPE.read_records(list(enumerate(records)), "key")
    assert rejections == []
    assert batch.ids == ["a", "b"]
    assert SHAPE.write_records(batch, ["x", "y"], [None, None]) == [
        {"conversation_id": "a", "text": "x"},
        {"id": "b", "text": "y"},
    ]
