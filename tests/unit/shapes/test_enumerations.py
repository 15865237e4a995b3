import json

import orjson
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.shapes.chat import ChatShape
from tacenda.transforms.shapes.declared import enumerated
from tacenda.transforms.shapes.json_cells import with_json_cells, without_json_cells
from tacenda.transforms.shapes.json_text import places_of_values, walk_json
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.turn_list import ShareGptShape

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
