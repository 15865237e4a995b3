import json

import jsonschema
import pytest

from tacenda.transforms.shapes.recognise import SHAPES
from tacenda.transforms.shapes.row_validity import invalid_rows, row_schema

MESSAGE = {"role": "user", "content": "x"}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
GOOD = {
    "conversation": {"id": 1, "turns": [{"speaker": None, "text": "x", "more": {}}]},
    "turns": {"conversation_id": "a", "turn_index": 0, "text": None},
    "chat": {"messages": [MESSAGE, {"role": "assistant", "content": None, "tool_calls": [CALL]}]},
    "sharegpt": {"conversations": [{"from": "human", "value": "x"}], "tools": "[]"},
    "document": {"text": "x", "context": None},
    "vcon": {"uuid": "u", "parties": [{"name": "[P]"}], "dialog": [{"type": "text", "body": "x"}]},
    "preference": {"chosen": [MESSAGE], "rejected": "x", "prompt": None, "margin": 0.5},
    "prompt_completion": {"prompt": "x", "completion": [MESSAGE], "label": True},
    "alpaca": {"instruction": "x", "input": "", "output": "x"},
}
BAD = {
    "conversation": [{"turns": [{"text": None}]}, {"turns": "x"}, {"id": "a"}, []],
    "turns": [{"conversation_id": None, "text": "x"}, {"conversation_id": "a"}],
    "chat": [{"messages": [{"content": "x"}]}, {"messages": [{"role": "user", "content": [{}]}]}],
    "sharegpt": [{"conversations": [{"from": "human"}]}, {"conversations": [{"value": 1}]}],
    "document": [{"text": 1}, {"body": "x"}],
    "vcon": [{"uuid": "u"}, {"dialog": [{"body": {}}]}],
    "preference": [{"chosen": "x"}, {"chosen": "x", "rejected": [{"role": 1}]}],
    "prompt_completion": [{"prompt": "x", "completion": None}],
    "alpaca": [{"instruction": "x", "output": 1}],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_has_a_schema_that_says_what_its_rows_are(shape):
    rows = [GOOD[shape], *BAD[shape]]
    assert invalid_rows(shape, {}, rows) == list(range(1, len(rows)))
    schema = row_schema(shape, {})
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    assert [validator.is_valid(row) for row in rows] == [True, *[False] * len(BAD[shape])]


def test_fields_are_named_as_in_the_rows():
    fields = {"turns": "said", "turns.text": "words", "conversation_id": "call"}
    rows = [{"call": 1, "said": [{"words": "x"}]}, {"call": 1, "said": [{"text": "x"}]}, {"turns": []}]
    assert invalid_rows("conversation", fields, rows) == [1, 2]
    # The schema itself stays what it is.
    assert invalid_rows("conversation", {}, [json.loads(json.dumps(GOOD["conversation"]))]) == []
