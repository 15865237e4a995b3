from typing import Any

import pytest

from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.writing.converting import Dialogue, dialogues

CALL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
USER = {"role": "user", "content": "a"}


def _read(shape: str, *records: dict[str, Any], fields: dict[str, str] | None = None) -> list[Any]:
    form = make_shape(shape, ReadOptions(fields=fields or {}))
    batch, lost = form.read_records(list(enumerate(records)), "key")
    assert lost == []
    texts = [text.upper() for text in batch.texts]
    return [
        one if isinstance(one, str) else [(m.role, m.text) for m in one.messages]
        for one in dialogues(form, batch, texts, batch.speakers, {})
    ]


@pytest.mark.parametrize(
    ("shape", "record", "said"),
    [
        (
            "conversation",
            {"id": "c", "turns": [{"speaker": "Agent", "text": "a"}, {"speaker": "Caller", "text": "b"}]},
            [("assistant", "A"), ("user", "B")],
        ),
        ("conversation", {"id": "c", "turns": [{"speaker": "Pam", "text": "a"}]}, "NoRole"),
        (
            "conversation",
            {"id": "c", "turns": [{"speaker": "user", "text": '{"b": "x"}'}]},
            [("user", '{"b": "X"}')],
        ),
        ("sharegpt", {"conversations": [{"from": "human", "value": "a"}]}, [("user", "A")]),
        ("turns", {"conversation_id": "c", "turn_index": 0, "speaker": "user", "text": "a"}, [("user", "A")]),
        ("chat", {"messages": [USER]}, [("user", "A")]),
        ("chat", {"system": "s", "messages": [USER]}, [("system", "S"), ("user", "A")]),
        ("chat", {"messages": [{**USER, "name": "Pam"}]}, [("user", "A")]),
        (
            "chat",
            {"messages": [{"role": "assistant", "content": None, "tool_calls": [CALL]}]},
            "NotPlainText",
        ),
        (
            "chat",
            {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]},
            "NotPlainText",
        ),
        ("chat", {"messages": [{**USER, "weight": 0}]}, "NotPlainText"),
        ("chat", {"messages": [USER], "tools": [{"type": "function"}]}, "NotPlainText"),
        ("chat", {"messages": [{"role": "tool", "content": "a"}]}, "NoRole"),
        ("prompt_completion", {"prompt": "a", "completion": "b"}, [("user", "A"), ("assistant", "B")]),
        (
            "prompt_completion",
            {"prompt": [USER], "completion": [{"role": "assistant", "content": "b"}]},
            [("user", "A"), ("assistant", "B")],
        ),
        ("prompt_completion", {"prompt": "a", "completion": "b", "label": False}, "HasLabel"),
        (
            "alpaca",
            {"system": "s", "instruction": "a", "input": "i", "output": "b"},
            [("system", "S"), ("user", "A\n\nI"), ("assistant", "B")],
        ),
        ("alpaca", {"instruction": "a", "output": [USER]}, "NotPlainText"),
    ],
)
def test_what_is_said_in_a_record(shape: str, record: dict[str, Any], said: Any) -> None:
    assert _read(shape, record) == [said]


def test_one_that_is_no_dialogue_leaves_the_others() -> None:
    bad = {"messages": [{"role": "tool", "content": "a"}]}
    assert _read("chat", {"messages": [USER]}, bad, {"messages": [USER]}) == [
        [("user", "A")],
        "NoRole",
        [("user", "A")],
    ]


def test_fields_with_other_names() -> None:
    fields = {"messages": "log", "messages.role": "who", "messages.content": "said"}
    assert _read("chat", {"log": [{"who": "user", "said": "a"}]}, fields=fields) == [[("user", "A")]]


def test_speakers_are_those_that_are_written() -> None:
    form = make_shape("conversation", ReadOptions())
    batch, _ = form.read_records([(0, {"id": "c", "turns": [{"speaker": "Agent", "text": "a"}]})], "key")
    (dialogue,) = dialogues(form, batch, ["x"], ["[PERSON_NAME_1]"], {})
    assert isinstance(dialogue, Dialogue)
    assert dialogue.messages[0].speaker == "[PERSON_NAME_1]"
    assert dialogue.messages[0].role == "assistant"
