import pickle

import pyarrow as pa
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import (
    SHAPES,
    kinds_of_record,
    kinds_of_schema,
    make_shape,
    recognise,
)

EXAMPLES = {
    "conversation": {"id": "a", "turns": [{"speaker": "s", "text": "x"}]},
    "turns": {"conversation_id": "a", "turn_index": 0, "speaker": "s", "text": "x"},
    "chat": {"messages": [{"role": "user", "content": "x"}]},
    "sharegpt": {"conversations": [{"from": "human", "value": "x"}]},
    "document": {"text": "x"},
    "vcon": {"vcon": "0.0.2", "parties": [{}], "dialog": [{"type": "text", "body": "x"}]},
    "preference": {"chosen": "x", "rejected": "x"},
    "prompt_completion": {"prompt": "x", "completion": "x"},
    "alpaca": {"instruction": "x", "output": "x"},
}


def test_every_shape_has_an_example_and_its_own_name():
    assert list(EXAMPLES) == list(SHAPES)
    assert [shape.name for shape in SHAPES.values()] == list(SHAPES)


@pytest.mark.parametrize(("name", "record"), EXAMPLES.items())
def test_every_shape_is_recognised_from_a_record_and_from_a_schema(name, record):
    options = ReadOptions()
    assert recognise(kinds_of_record(record), options, "f").name == name
    assert recognise(kinds_of_schema(pa.Table.from_pylist([record]).schema), options, "f").name == name


@pytest.mark.parametrize(("name", "record"), EXAMPLES.items())
def test_every_shape_can_be_forced_and_travels_to_workers(name, record):
    shape = pickle.loads(pickle.dumps(recognise({}, ReadOptions(shape=name), "f")))
    batch, rejections = shape.read_records([(0, record)], "key")
    assert rejections == []
    assert set(batch.texts) == {"x"}


def test_mapped_names_are_recognised():
    record = {"call": 1, "utterances": [], "text": "x", "lines": 3}
    options = ReadOptions(fields={"turns": "utterances", "text": "nothing"})
    with pytest.raises(UserError, match="the shape conversation has no such field"):
        recognise(kinds_of_record(record), options, "f")
    record.pop("text")
    assert (
        recognise(kinds_of_record(record), ReadOptions(fields={"turns": "utterances"}), "f").name
        == "conversation"
    )


@pytest.mark.parametrize("order", ["turn_index", "time", "timestamp", "start"])
def test_rows_need_an_order(order):
    assert (
        recognise(kinds_of_record({"conversation_id": 1, "text": "x", order: 1}), ReadOptions(), "f").name
        == "turns"
    )


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"messages": [], "conversations": []}, "fits chat and sharegpt"),
        ({"turns": [], "text": "x"}, "fits conversation and document"),
        ({"utterances": [], "other": 1}, r"fits no shape \(fields: other, utterances\)"),
        ({"conversation_id": 1, "speaker": "s", "text": "x"}, "fits no shape"),
        ({"text": 5}, "fits no shape"),
        ({}, r"fits no shape \(fields: none\)"),
    ],
)
def test_a_doubt_is_the_users_to_settle(record, message):
    with pytest.raises(UserError, match=message) as told:
        recognise(kinds_of_record(record), ReadOptions(), "s3://b/file.jsonl")
    assert str(told.value).startswith("s3://b/file.jsonl: ")
    assert "--shape" in str(told.value) or "--from" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (ReadOptions(shape="csv"), "no such shape; use one of conversation"),
        (ReadOptions(shape="chat", fields={"turns.text": "t"}), "the shape chat has no such field"),
        (ReadOptions(shape="conversation", keep=("turns.spans",)), "spans do not fit"),
        (ReadOptions(shape="conversation", keep=("spans",)), "spans do not fit"),
        (ReadOptions(shape="conversation", keep=("meta.source",)), "but for those of turns; keep meta, or"),
        (ReadOptions(shape="chat", keep=("turns.start",)), "but for those of messages; keep turns, or"),
        (ReadOptions(shape="document", keep=("meta.source",)), "keeps whole fields; keep meta, or"),
    ],
)
def test_an_option_that_does_not_fit_is_reported(options, message):
    with pytest.raises(UserError, match=message):
        make_shape(options.shape, options)


@pytest.mark.parametrize(
    ("name", "kept"),
    [("conversation", "utterances.start"), ("conversation", "turns.start"), ("vcon", "dialog.duration")],
)
def test_fields_of_the_entries_of_a_list_can_be_kept(name, kept):
    fields = {"turns": "utterances"} if name == "conversation" else {}
    assert make_shape(name, ReadOptions(fields=fields, keep=(kept,)))


@pytest.mark.parametrize(
    ("name", "fields"),
    [("document", {"conversation_id": "text"}), ("conversation", {"turns.text": "speaker"})],
)
def test_one_field_cannot_be_two(name, fields):
    with pytest.raises(UserError, match=r"fields .* both would be read from '(text|speaker)'"):
        make_shape(name, ReadOptions(fields=fields))
    swapped = {"turns.text": "speaker", "turns.speaker": "text"}
    assert make_shape("conversation", ReadOptions(fields=swapped))


def test_a_field_of_another_type_than_a_shape_needs_is_reported():
    kinds = kinds_of_schema(pa.schema([("id", pa.int64()), ("text", pa.binary())]))
    with pytest.raises(UserError, match=r"\(fields: id, text, neither text nor list\)"):
        recognise(kinds, ReadOptions(), "a")
