import pickle

import pyarrow as pa
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.arrow_fields import example_of
from tacenda.transforms.shapes.chat import DocumentShape
from tacenda.transforms.shapes.declared import reader_name
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind
from tacenda.transforms.shapes.recognise import SHAPES, make_shape, recognise
from tests import shaped
from tests.cases import tabled


def test_every_shape_has_an_example_and_its_own_name():
    assert {*shaped.SHAPES.values()} == {*SHAPES}
    assert [shape.name for shape in SHAPES.values()] == list(SHAPES)


@pytest.mark.parametrize(("make", "name"), shaped.SHAPES.items())
def test_every_shape_is_recognised_or_forced_and_travels_to_workers(make, name):
    options, (record,) = ReadOptions(), make(["x"])
    assert recognise(record, options, "f").name == name
    assert recognise(example_of(pa.Table.from_pylist([record]).schema), options, "f").name == name
    forced = pickle.loads(pickle.dumps(recognise({}, ReadOptions(shape=name), "f")))
    batch, rejections = forced.read_records([(0, record)], "key")
    assert rejections == []
    assert "x" in batch.texts


def test_mapped_names_are_recognised():
    kinds = {"call": 1, "utterances": [], "lines": 3}
    with pytest.raises(UserError, match="the shape conversation has no such field"):
        recognise(kinds, ReadOptions(fields={"turns": "utterances", "text": "nothing"}), "f")
    assert recognise(kinds, ReadOptions(fields={"turns": "utterances"}), "f").name == "conversation"


@pytest.mark.parametrize("order", ["turn_index", "time", "timestamp", "start"])
def test_rows_need_an_order(order):
    row = {"conversation_id": 1, "text": "x", order: 1}
    assert recognise(row, ReadOptions(), "f").name == "turns"


@tabled("record", "message")
def test_a_doubt_is_the_users_to_settle(record, message):
    with pytest.raises(UserError, match=message) as told:
        recognise(record, ReadOptions(), "s3://b/file.jsonl")
    assert str(told.value).startswith("s3://b/file.jsonl: ")
    assert "--shape" in str(told.value) or "--from" in str(told.value)
    assert "\n" not in str(told.value)


@tabled("name", "options", "message")
def test_an_option_that_does_not_fit_is_reported(name, options, message):
    with pytest.raises(UserError, match=message):
        make_shape(name, ReadOptions(**options))


def test_fields_of_the_entries_of_a_list_can_be_kept():
    assert make_shape("vcon", ReadOptions(keep=("dialog.duration",)))
    assert make_shape("conversation", ReadOptions(fields={"turns": "said"}, keep=("said.x", "turns.y")))


def test_fields_may_swap_their_names():
    swapped = {"turns.text": "speaker", "turns.speaker": "text"}
    assert make_shape("conversation", ReadOptions(fields=swapped))


def test_every_text_and_message_is_a_turn_of_one_conversation():
    asked, answered = [{"role": "user", "content": "Write."}], [{"role": "assistant", "content": "Dear Anna"}]
    record = {"prompt": asked, "chosen": answered, "rejected": "no", "score_chosen": 7}
    batch, _ = make_shape("preference", ReadOptions()).read_records([(0, record)], "key")
    assert list(zip(batch.turns, batch.parts, batch.speakers, strict=True)) == [
        (0, "prompt", "user"),
        (1, "chosen", "assistant"),
        (2, "rejected", None),
    ]


def test_null_stays_null_and_what_nobody_declared_is_dropped():
    shape = make_shape("alpaca", ReadOptions(keep=("source",)))
    record = {"id": 3, "instruction": "a", "input": None, "output": "b", "source": "c", "who": "Anna"}
    batch, _ = shape.read_records([(0, record)], "key")
    assert batch.ids == ["3"]
    assert batch.texts == ["a", "b", "c"]
    (written,) = shape.write_records(batch, batch.texts, batch.speakers)
    assert written == {"id": 3, "instruction": "a", "input": None, "output": "b", "source": "c"}


@tabled("name", "record", "error")
def test_a_bad_record_is_rejected(name, record, error):
    shape = make_shape(name, ReadOptions(max_turn_chars=10))
    batch, rejections = shape.read_records([(7, record)], "key")
    assert (len(batch), [(r.position, r.error) for r in rejections]) == (0, [(7, error)])


def test_tools_in_messages_are_reported_as_labels():
    call = {"id": "call_1", "function": {"name": "find", "arguments": "{}"}}
    messages = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    shape = make_shape("prompt_completion", ReadOptions())
    batch, _ = shape.read_records([(0, {"prompt": "a", "completion": messages})], "key")
    assert batch.labels == [[(Kind.LABEL, "call_1"), (Kind.TOOL, "find")]]


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


@tabled("name", "keep", "record")
def test_text_fields_cannot_be_kept_fields(name, keep, record):
    made = SHAPES[name](ReadOptions(keep=tuple(keep), opaque=dict.fromkeys(keep, "nobody's")))
    batch, rejections = made.read_records([(0, record)], "key")
    assert rejections == []
    hidden = ["-"] * len(batch.texts)
    assert "Anna" not in str(made.write_records(batch, hidden, hidden))


LIKE_LABELS = ("sales", "Kundtjänst, natt", "2025 Q1", "", None)
LIKE_TEXT = ("anna@x.se", "call 46701234567", "She came in and said. " * 4, "a\nb", "+46 70 123 45 67")


@tabled("name", "fields")
def test_a_context_that_is_no_label_rejects_its_conversation_alone(name, fields):
    rows = [
        {"conversation_id": f"c{n}", "context": context, **fields}
        for n, context in enumerate([*LIKE_LABELS, *LIKE_TEXT])
    ]
    made, table = make_shape(name, ReadOptions()), pa.Table.from_pylist(rows)
    for batch, lost in (made.read_records(list(enumerate(rows)), "k"), made.read_table(table, 0, "k")):
        assert batch.contexts == [context or "" for context in LIKE_LABELS]
        assert [(r.position, r.error) for r in lost] == [(n, "ContextIsText") for n in range(5, 10)]


@pytest.mark.parametrize(
    "nobody",
    [
        *("", " ", "\t\n", "\u00a0", "\u200b", "-", "?", "...", "\u3164", "\uffa0", "\u2800", "x" * 101),
        *(None, 7, True, ["Pam"], {"name": "Pam"}),
    ],
)
def test_blanks_and_punctuation_are_no_names(nobody):
    assert reader_name(nobody) == ""
    assert [reader_name(f" {name}\n") for name in ("47", "王小明", "P. B.")] == ["47", "王小明", "P. B."]
