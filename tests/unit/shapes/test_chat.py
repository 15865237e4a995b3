import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.shapes.chat import ChatShape
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind
from tests.cases import cases, tabled

SHAPE = ChatShape(ReadOptions(max_turn_chars=50))
CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "book", "arguments": json.dumps({"city": "Lund", "phone": 46701234567})},
}
RECORD = {
    "id": "x",
    "metadata": [{"dropped": True}],
    "messages": [
        {"role": "system", "content": "Be kind", "cache": "dropped"},
        {
            "role": "user",
            "name": "Anna",
            "content": [{"type": "text", "text": "Hi"}, {"type": "text", "text": "I"}],
        },
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "done"},
    ],
}


def read(record):
    return SHAPE.read_records([(0, record)], "key")


def test_every_part_is_a_cell_and_is_written_in_its_place():
    batch, rejections = read(RECORD)
    assert (batch.ids, rejections) == (["x"], [])
    assert list(zip(batch.turns, batch.speakers, batch.parts, batch.texts, strict=True)) == [
        (0, "system", None, "Be kind"),
        (1, "Anna", "content.0", "Hi"),
        (1, "Anna", "content.1", "I"),
        (2, "assistant", "tool_calls.0.arguments.city", "Lund"),
        (2, "assistant", "tool_calls.0.arguments.phone", "46701234567"),
        (3, "tool", None, "done"),
    ]
    texts = ["S", "A", "B", "[LOCATION_1]", "[PHONE_NUMBER_1]", "T"]
    (written,) = SHAPE.write_records(batch, texts, [None, "[P]", "[P]", None, None, None])
    arguments = json.dumps({"city": "[LOCATION_1]", "phone": "[PHONE_NUMBER_1]"})
    parts = [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}]
    call = {"id": "call_1", "type": "function", "function": {"name": "book", "arguments": arguments}}
    assert written == {
        "id": "x",
        "messages": [
            {"role": "system", "content": "S"},
            {"role": "user", "name": "[P]", "content": parts},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": "T"},
        ],
    }


def test_a_name_without_a_cell_is_not_written():
    call = {"function": {"name": "f"}}
    batch, _ = read(
        {"messages": [{"role": "assistant", "name": "Anna", "content": None, "tool_calls": [call]}]}
    )
    assert batch.texts == []
    assert SHAPE.write_records(batch, [], [])[0]["messages"][0]["name"] is None


def test_a_role_that_may_be_a_name_is_written_as_its_speaker():
    batch, _ = read({"messages": [{"role": "Anna", "content": "x"}, {"role": "caller", "content": "y"}]})
    assert batch.speakers == ["Anna", "caller"]
    (written,) = SHAPE.write_records(batch, ["a", "b"], ["[PERSON_NAME_1]", "caller"])
    assert [message["role"] for message in written["messages"]] == ["[PERSON_NAME_1]", "caller"]


def test_an_old_function_call_is_read_too():
    call = {"arguments": '{"a": "b"}', "index": 0, "name": "f"}
    batch, _ = read({"messages": [{"role": "assistant", "content": None, "function_call": call}]})
    assert batch.parts == ["function_call.arguments.a"]
    (written,) = SHAPE.write_records(batch, ["c"], [None])
    (said,) = written["messages"]
    # In their order, and without what nobody declared.
    assert json.dumps(said["function_call"]) == json.dumps({"arguments": '{"a": "c"}', "name": "f"})


@tabled("message", "error")
def test_a_bad_message_rejects_the_record(message, error):
    batch, rejections = read({"messages": [{"role": "user", "content": "fine"}, message]})
    assert len(batch) == 0
    assert batch.texts == []
    assert [rejection.error for rejection in rejections] == [error]


SAID = cases(__file__, "said")


def test_what_a_model_said_beside_its_content_is_searched():
    batch, rejections = read({"messages": SAID})
    assert rejections == []
    assert batch.parts == [
        None, "refusal", None, "reasoning_content", "tool_calls.0.input", "audio.transcript",
    ]  # fmt: skip
    texts = [text.replace("Anna", "[P]") for text in batch.texts]
    (written,) = SHAPE.write_records(batch, texts, batch.speakers)
    told = json.dumps(SAID).replace("Anna", "[P]").replace("aGVsbG8=", "[EMBEDDED_MEDIA]")
    assert written["messages"] == json.loads(told)
    told = {kind: [text for one, text in batch.labels[0] if one == kind] for kind in (Kind.LABEL, Kind.TOOL)}
    assert told == {Kind.LABEL: ["call_1", "custom", "audio_1", "audio_2"], Kind.TOOL: ["shell"]}


def test_a_table_with_struct_arguments_survives_a_round_trip():
    arguments = {"city": "Lund", "phone": 46701234567}
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}
    table = pa.Table.from_pylist(
        [
            {"n": 1, "messages": [{"role": "user", "content": "Hi", "tool_calls": None}]},
            {"n": 2, "messages": [{"role": "assistant", "content": None, "tool_calls": [call]}]},
        ]
    )
    batch, rejections = SHAPE.read_table(table, 0, "key")
    assert rejections == []
    assert batch.texts == ["Hi", "Lund", "46701234567"]
    schema = SHAPE.output_schema(table.schema)
    rows = SHAPE.write_table(batch, ["A", "B", "46701234567"], batch.speakers, schema).to_pylist()
    assert rows[0]["messages"] == [{"role": "user", "content": "A", "tool_calls": None}]
    assert rows[1]["messages"][0]["tool_calls"][0]["function"]["arguments"] == {
        "city": "B",
        "phone": "46701234567",
    }
    assert "n" not in rows[0]


@pytest.mark.parametrize("old", [False, True])
def test_no_column_of_a_table_is_named_by_an_argument_that_may_be_data(old):
    def message(arguments):
        function = {"name": "f", "arguments": arguments}
        call = {"function_call": function} if old else {"tool_calls": [{"id": "c", "function": function}]}
        return {"role": "assistant", "content": None, **call}

    invited = {"invited": {"anna@x.se": "yes"}, "seats": 120}
    arguments = [invited, {"invited": None, "seats": 2}, None]
    table = pa.Table.from_pylist([{"messages": [message(value)]} for value in arguments])
    batch, _ = SHAPE.read_table(table, 0, "key")
    assert batch.texts == ["anna@x.se", "yes", "120"]
    schema = SHAPE.output_schema(table.schema)
    assert "anna" not in str(schema)
    texts = ["[EMAIL_ADDRESS_1]", "yes", "120"]
    rows = SHAPE.write_table(batch, texts, batch.speakers, schema).to_pylist()
    (written,) = zip(*(row["messages"] for row in rows), strict=True)
    functions = [m["function_call"] if old else m["tool_calls"][0]["function"] for m in written]
    assert [function["arguments"] for function in functions] == [
        '{"invited":{"[EMAIL_ADDRESS_1]":"yes"},"seats":120}',
        '{"seats":2}',
        None,
    ]


def test_a_table_of_calls_of_other_fields_can_be_stored():
    calls = {"function_call": {"input": "x"}, "tool_calls": [{"input": "x"}]}
    message = {"role": "user", "content": "Hi", **calls}
    table = pa.Table.from_pylist([{"messages": [{**message, "tool_calls": []}]}, {"messages": [message]}])
    batch, rejections = SHAPE.read_table(table, 0, "key")
    assert [rejection.error for rejection in rejections] == ["UnsupportedContent"]
    written = SHAPE.write_table(batch, ["a"], batch.speakers, SHAPE.output_schema(table.schema))
    pq.write_table(written, pa.BufferOutputStream())
    assert written["messages"].to_pylist()[0][0]["function_call"] == {"name": None}


def test_a_chat_knows_the_numbers_in_its_arguments():
    call = {
        "id": "c",
        "type": "function",
        "function": {"name": "a", "arguments": '{"customer_id": 8123, "name": "Anna"}'},
    }
    use = {"type": "tool_use", "id": "d", "name": "a", "input": {"customer_id": 8123}}
    record = {
        "messages": [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "assistant", "content": [use]},
        ],
    }
    batch, _ = ChatShape(ReadOptions()).read_records([(0, record)], "k")
    assert batch.numbers == [[0, 2]]
