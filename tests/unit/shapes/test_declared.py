import json
import pickle

import orjson
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.shapes.chat import ChatShape
from tacenda.transforms.shapes.declared import enumerated, reader_name, reader_of
from tacenda.transforms.shapes.fields import DocumentShape
from tacenda.transforms.shapes.json_cells import with_json_cells, without_json_cells
from tacenda.transforms.shapes.json_text import places_of_values, walk_json
from tacenda.transforms.shapes.options import ReadOptions, actual_name, kept_fields
from tacenda.transforms.shapes.turn_list import ConversationShape, ShareGptShape
from tacenda.transforms.shapes.turn_rows import TurnRowsShape

TURNS = [{"speaker": "a", "text": "x"}]
LIKE_LABELS = ("sales", "Kundtjänst, natt", "2025 Q1", "", None)
LIKE_TEXT = (
    "anna@x.se",
    "call 46701234567",
    "She came in and then she said. " * 4,
    "a\nb",
    "+46 70 123 45 67",
)
SHAPES = (
    (ConversationShape, {"turns": TURNS}),
    (DocumentShape, {"text": "x"}),
    (TurnRowsShape, {"turn_index": 0, "speaker": "a", "text": "x"}),
)


@pytest.mark.parametrize(("shape", "fields"), SHAPES)
@pytest.mark.parametrize("stored", ["records", "table"])
def test_a_context_that_is_no_label_rejects_its_conversation_alone(shape, fields, stored):
    rows = [
        {"conversation_id": f"c{n}", "context": context, **fields}
        for n, context in enumerate([*LIKE_LABELS, *LIKE_TEXT])
    ]
    made = shape(ReadOptions())
    if stored == "records":
        batch, rejections = made.read_records(list(enumerate(rows)), "key")
    else:
        batch, rejections = made.read_table(pa.Table.from_pylist(rows), 0, "key")
    assert batch.contexts == [context or "" for context in LIKE_LABELS]
    assert [(r.position, r.error) for r in rejections] == [(n, "ContextIsText") for n in range(5, 10)]


@pytest.mark.parametrize("name", ["Pam Beesly", "47", "王小明", "P. B."])
def test_whoever_has_a_name_can_be_named(name: str) -> None:
    assert reader_name(f" {name}\n") == name


@pytest.mark.parametrize(
    "nobody", ["", " ", "\t\n", "\u00a0", "\u200b", "-", "?", "...", "\u3164", "\uffa0", "\u2800", "x" * 101]
)
def test_blanks_and_punctuation_are_no_names(nobody: str) -> None:
    assert reader_name(nobody) == ""


@pytest.mark.parametrize("value", [None, 7, True, ["Pam"], {"name": "Pam"}])
def test_what_is_no_text_names_nobody(value: object) -> None:
    assert reader_of({"reviewed_by": value}) == ""
    assert reader_of({}) is None


CITIES = {"type": "object", "properties": {"city": {"type": "string", "enum": ["London", "Paris"]}}}
TOOLS = [{"type": "function", "function": {"name": "book", "parameters": CITIES}}]
ANSWER = json.dumps({"city": "London", "guest": "Grace", "code": 4155550199})

VALUES = st.recursive(
    st.sampled_from(["London", "Grace", 'a "b"', "", 4155550199, 12, True, None, '{"in": "Paris"}']),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b@x.se"]), inner, max_size=3)
    ),
    max_leaves=8,
)
CONSTANTS = st.frozensets(st.sampled_from(["London", "Paris", "4155550199", "12"]))


def test_values_of_schemas_at_any_depth_and_in_text() -> None:
    deep = {"$defs": {"x": {"anyOf": [{"const": "A-1"}, {"items": {"enum": ["b", 7, 2.5, None, True]}}]}}}
    assert enumerated([deep, json.dumps(TOOLS)]) == {"A-1", "b", "7", "2.5", "London", "Paris"}
    assert enumerated(["no JSON", None, {"properties": {"enum": {"type": "string"}}}]) == frozenset()


def test_what_a_tool_enumerates_is_no_cell_in_calls_and_results() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "book", "arguments": ANSWER}}
    use = {"type": "tool_use", "id": "c2", "name": "book", "input": json.loads(ANSWER)}
    record = {
        "tools": TOOLS,
        "messages": [
            {"role": "user", "content": "London"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": ANSWER},
            {"role": "assistant", "content": [use]},
        ],
    }
    shape = ChatShape(ReadOptions())
    batch, rejections = shape.read_records([(0, record)], "k")
    assert not rejections
    assert batch.texts == ["London", "Grace", "4155550199", "", "Grace", "4155550199", "Grace", "4155550199"]
    (written,) = shape.write_records(batch, [text and "[X_1]" for text in batch.texts], batch.speakers)
    assert written["tools"] == TOOLS
    said = {"city": "London", "guest": "[X_1]", "code": "[X_1]"}
    assert json.loads(written["messages"][1]["tool_calls"][0]["function"]["arguments"]) == said
    assert json.loads(written["messages"][2]["content"]) == said
    assert written["messages"][3]["content"][0]["input"] == said


def test_tools_of_sharegpt_count_too() -> None:
    record = {
        "tools": json.dumps(TOOLS),
        "conversations": [
            {"from": "function_call", "value": json.dumps({"name": "book", "arguments": json.loads(ANSWER)})},
            {"from": "observation", "value": ANSWER},
        ],
    }
    shape = ShareGptShape(ReadOptions())
    batch, _ = shape.read_records([(0, record)], "k")
    assert batch.texts == ["", "Grace", "4155550199", "", "Grace", "4155550199"]
    assert shape.write_records(batch, batch.texts, batch.speakers) == [record]


@given(VALUES, CONSTANTS)
def test_what_parsed_parses_after_and_constants_stay(value: object, constants: frozenset[str]) -> None:
    text = orjson.dumps([value]).decode()
    seen: list[str] = []

    def visit(_path: str, old: str) -> str:
        seen.append(old)
        return '[X_1] "\n'

    written = walk_json(text, "", visit, constants=constants)
    json.loads(written)
    assert not constants & set(seen)
    assert len(list(places_of_values(text, constants=constants))) == len(seen)
    for constant in constants:
        quoted = json.dumps(constant)
        assert written.count(quoted) == text.count(quoted)
    batch = ConversationBatch.of_turns([[("tool", text)]])
    opened, _ = with_json_cells((batch, []), lambda _frame: constants)
    _, texts, _ = without_json_cells(opened, opened.texts, opened.speakers)
    assert list(texts) == [text]


def test_names_are_mapped_and_nested_ones_lose_their_list():
    options = ReadOptions(fields={"conversation_id": "call_id", "turns.text": "said"})
    assert actual_name(options, "conversation_id") == "call_id"
    assert actual_name(options, "turns.text") == "said"
    assert actual_name(options, "turns.speaker") == "speaker"


def test_kept_fields_are_distinguished_by_their_list_under_either_name():
    options = ReadOptions(fields={"turns": "utterances"}, keep=("channel", "turns.start", "utterances.end"))
    assert kept_fields(options) == ("channel",)
    assert kept_fields(options, "turns") == ("start", "end")
    assert kept_fields(options, "messages") == ()


def test_options_travel_to_workers():
    options = ReadOptions(shape="chat", fields={"messages": "m"}, keep=("x",))
    assert pickle.loads(pickle.dumps(options)) == options
