import pyarrow as pa
import pytest

from tacenda.transforms.shapes.fields import DocumentShape
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape

RECORDS = {
    "preference": {
        "prompt": [{"role": "user", "content": "Write to Anna."}],
        "chosen": [{"role": "assistant", "content": "Dear Anna"}],
        "rejected": "no",
        "score_chosen": 7,
        "score_rejected": 1.5,
    },
    "prompt_completion": {"prompt": "Who?\n\n###\n\n", "completion": " Anna END", "label": True},
    "alpaca": {"instruction": "Say hello.", "input": "", "output": "Hello Anna"},
}


@pytest.mark.parametrize(("name", "record"), RECORDS.items())
def test_a_record_goes_and_comes_back(name, record):
    shape = make_shape(name, ReadOptions())
    batch, rejections = shape.read_records([(0, record)], "key")
    assert rejections == []
    assert shape.write_records(batch, batch.texts, batch.speakers) == [record]
    new = [text.replace("Anna", "[PERSON_NAME_1]") for text in batch.texts]
    (written,) = shape.write_records(batch, new, batch.speakers)
    assert str(written) == str(record).replace("Anna", "[PERSON_NAME_1]")


@pytest.mark.parametrize(("name", "record"), RECORDS.items())
def test_a_table_survives_a_round_trip(name, record):
    shape = make_shape(name, ReadOptions())
    table = pa.Table.from_pylist([record])
    batch, rejections = shape.read_table(table, 0, "key")
    assert rejections == []
    schema = shape.output_schema(table.schema)
    assert shape.write_table(batch, batch.texts, batch.speakers, schema).to_pylist() == [record]


def test_every_text_and_message_is_a_turn_of_one_conversation():
    batch, _ = make_shape("preference", ReadOptions()).read_records([(0, RECORDS["preference"])], "key")
    assert batch.turns == [0, 1, 2]
    assert batch.parts == ["prompt", "chosen", "rejected"]
    assert batch.speakers == ["user", "assistant", None]


def test_null_stays_null_and_what_nobody_declared_is_dropped():
    shape = make_shape("alpaca", ReadOptions(keep=("source",)))
    record = {"id": 3, "instruction": "a", "input": None, "output": "b", "source": "c", "who": "Anna"}
    batch, _ = shape.read_records([(0, record)], "key")
    assert batch.ids == ["3"]
    assert batch.texts == ["a", "b", "c"]
    (written,) = shape.write_records(batch, batch.texts, batch.speakers)
    assert written == {"id": 3, "instruction": "a", "input": None, "output": "b", "source": "c"}


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ({"prompt": "a"}, "MissingField"),
        ({"prompt": "a", "completion": 5}, "WrongType"),
        ({"prompt": "a", "completion": "b", "label": "Anna"}, "WrongType"),
        ({"prompt": "a", "completion": "b" * 1001}, "TurnTooLong"),
        ({"prompt": "a", "completion": [{"content": "x"}]}, "MissingField"),
    ],
)
def test_a_bad_record_is_rejected(record, error):
    shape = make_shape("prompt_completion", ReadOptions(max_turn_chars=1000))
    batch, rejections = shape.read_records([(7, record)], "key")
    assert len(batch) == 0
    assert [(r.position, r.error) for r in rejections] == [(7, error)]


def test_tools_in_messages_are_reported_as_labels():
    call = {"id": "call_1", "function": {"name": "find", "arguments": "{}"}}
    messages = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    shape = make_shape("prompt_completion", ReadOptions())
    batch, _ = shape.read_records([(0, {"prompt": "a", "completion": messages})], "key")
    assert shape.labels_of(batch.frames[0]) == (["call_1"], ["find"])


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


def test_a_table_survives_a_round_trip_document():
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
