import pyarrow as pa
import pytest

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
    assert shape.labels_of(batch.frames[0]).identifiers == ["call_1", "find"]
