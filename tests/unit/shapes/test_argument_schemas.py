from tacenda.transforms.shapes.chat import ChatShape
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.tool_arguments import parameters_of, schemas_of_values

NUMBER = {"type": "integer", "minimum": 5}
PARAMETERS = {"type": "object", "properties": {"customer_id": NUMBER, "tags": {"items": {"maxLength": 9}}}}


def test_definitions_of_both_spellings_are_read():
    tools = [{"type": "function", "function": {"name": "a", "parameters": PARAMETERS}}]
    assert parameters_of(tools) == parameters_of([{"name": "a", "input_schema": PARAMETERS}])
    assert parameters_of({"a": 1}) == {}


def test_each_value_has_the_schema_of_its_place():
    given = {"customer_id": 812, "tags": ["x"], "other": 3, "ann@x.se": "y"}
    assert dict(schemas_of_values(given, PARAMETERS, "input")) == {
        "input.customer_id": NUMBER,
        "input.tags.0": {"maxLength": 9},
        "input.other": {"type": "number"},
        "input.3": {},
    }


def test_a_chat_knows_the_schemas_of_its_arguments():
    call = {"id": "c", "type": "function", "function": {"name": "a", "arguments": '{"customer_id": 8123}'}}
    use = {"type": "tool_use", "id": "d", "name": "a", "input": {"customer_id": 8123}}
    record = {
        "messages": [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "assistant", "content": [use]},
        ],
        "tools": [{"type": "function", "function": {"name": "a", "parameters": PARAMETERS}}],
    }
    batch, _ = ChatShape(ReadOptions()).read_records([(0, record)], "k")
    assert batch.schemas == [
        {(0, "tool_calls.0.arguments.customer_id"): NUMBER, (1, "content.0.input.customer_id"): NUMBER}
    ]
    assert {(0, batch.parts[0]), (1, batch.parts[1])} == set(batch.schemas[0] or ())
