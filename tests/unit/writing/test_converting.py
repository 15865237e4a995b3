from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest

from tacenda.transforms.linking.speakers import is_role
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import SHAPES, kinds_of_record, make_shape, recognise
from tacenda.transforms.writing.converting import (
    ROLES,
    SOURCES,
    TARGETS,
    Dialogue,
    Message,
    _known,
    dialogues,
    folded_roles,
    role_of,
    target_for,
)


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("Agent", "assistant"),
        ("agent_2", "assistant"),
        ("CUSTOMER:", "user"),
        ("Caller B", "user"),
    ],
)
def test_labels_that_are_known(label: str, role: str) -> None:
    assert role_of(label, {}) == role


@pytest.mark.parametrize("label", [None, "", "Pam", "Speaker 1", "tool"])
def test_other_labels_have_no_role_unless_given(label: str | None) -> None:
    with pytest.raises(RecordError, match="NoRole"):
        role_of(label, {})
    assert role_of(label, {"*": "user"}) == "user"


def test_the_roles_of_a_run_come_first() -> None:
    own = folded_roles({"Speaker_1": "assistant", "Agent": "user", "Anna": "system"})
    assert [role_of(label, own) for label in ("Speaker 1", "agent", "anna")] == [
        "assistant",
        "user",
        "system",
    ]


def test_the_list_has_roles_only_and_no_label_that_replacement_takes_for_a_name() -> None:
    assert set(_known().values()) == set(ROLES)
    assert [label for label in _known() if not is_role(label)] == []


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


SYSTEM = Message("system", "system", "Be brief.")
ASKED = Message("user", "user", "Where is [PERSON_NAME_1]?")
ANSWERED = Message("assistant", "assistant", "In [LOCATION_1].")
EXCHANGE = Dialogue("c1", "sales", (ASKED, ANSWERED))
WITH_SYSTEM = Dialogue("c2", "", (SYSTEM, ASKED, ANSWERED))


def _said(dialogue: Dialogue) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in dialogue.messages]


def _read_targets(record: dict[str, Any], shape: str) -> Dialogue:
    form = make_shape(shape, ReadOptions())
    batch, lost = form.read_records([(0, record)], "key")
    assert lost == []
    (dialogue,) = dialogues(form, batch, batch.texts, batch.speakers, {})
    assert isinstance(dialogue, Dialogue), dialogue
    return dialogue


@pytest.mark.parametrize("dialogue", [EXCHANGE, WITH_SYSTEM])
@pytest.mark.parametrize("name", TARGETS)
def test_each_target_is_read_back_as_what_was_said(name: str, dialogue: Dialogue) -> None:
    record = TARGETS[name].record(dialogue)
    assert recognise(kinds_of_record(record), ReadOptions(), "here").name == name
    again = _read_targets(record, name)
    assert (again.id, again.context, _said(again)) == (dialogue.id, dialogue.context, _said(dialogue))


@pytest.mark.parametrize("name", TARGETS)
def test_each_record_fills_the_columns_of_its_target(name: str) -> None:
    record, schema = TARGETS[name].record(WITH_SYSTEM), TARGETS[name].schema
    assert list(record) == schema.names
    assert pa.Table.from_pylist([record], schema=schema).to_pylist() == [record]


@pytest.mark.parametrize("through", TARGETS)
@pytest.mark.parametrize("name", TARGETS)
def test_conversion_through_another_shape_gives_the_same(name: str, through: str) -> None:
    converted = TARGETS[name].record(_read_targets(TARGETS[through].record(WITH_SYSTEM), through))
    assert _said(_read_targets(converted, name)) == _said(WITH_SYSTEM)


def test_the_shape_of_the_input_is_no_conversion() -> None:
    assert target_for("chat", make_shape("chat", ReadOptions())) is None
    assert target_for(None, make_shape("document", ReadOptions())) is None


def test_each_shape_is_converted_or_refused_in_one_line() -> None:
    refused = set(SHAPES) - SOURCES
    assert refused >= {"document", "preference"}
    for name in SOURCES - {"alpaca"}:
        assert target_for("alpaca", make_shape(name, ReadOptions())) == "alpaca"
    for name in refused:
        with pytest.raises(UserError, match=r"^--to alpaca: [^\n]*; leave --to out$"):
            target_for("alpaca", make_shape(name, ReadOptions()))


@pytest.mark.parametrize("keep", [("channel",), ("turns.start",)])
def test_kept_fields_are_not_converted(keep: Sequence[str]) -> None:
    with pytest.raises(UserError, match="no place for kept fields"):
        target_for("chat", make_shape("conversation", ReadOptions(keep=tuple(keep))))


@pytest.mark.parametrize(
    ("name", "roles", "error"),
    [
        *(
            ("alpaca", roles, "NotOneExchange")
            for roles in ("", "user", "assistant user", "user assistant user")
        ),
        ("chat", "", "NoMessages"),
        ("sharegpt", "", "NoMessages"),
        *(("prompt_completion", roles, "NoAnswer") for roles in ("", "user", "assistant", "assistant user")),
    ],
)
def test_what_a_target_cannot_say_is_an_error(name: str, roles: str, error: str) -> None:
    messages = tuple(Message(role, None, role) for role in roles.split())
    with pytest.raises(RecordError, match=error):
        TARGETS[name].record(Dialogue("c", "", messages))


def test_the_last_answer_is_to_be_learnt() -> None:
    messages = (SYSTEM, ASKED, ANSWERED, ASKED, ANSWERED, ASKED)
    record = TARGETS["prompt_completion"].record(Dialogue("c", "", messages))
    assert [len(record["prompt"]), record["completion"]] == [
        4,
        [{"role": "assistant", "content": ANSWERED.text}],
    ]


def test_speakers_keep_their_labels_and_others_have_their_role() -> None:
    turns = (Message("user", "[PERSON_NAME_1]", "Hello"), Message("assistant", None, "Hi"))
    record = TARGETS["conversation"].record(Dialogue("c", "", turns))
    assert [turn["speaker"] for turn in record["turns"]] == ["[PERSON_NAME_1]", "assistant"]


ALTERNATING = (
    "{%- set talk = messages[1:] if messages[0].role == 'system' else messages -%}"
    "{%- for m in talk -%}{%- if (m.role == 'user') != (loop.index0 % 2 == 0) -%}"
    "{{ raise('roles must alternate') }}{%- endif -%}<{{ m.role }}>{{ m.content }}{%- endfor -%}"
)
"""What the chat templates of Gemma, Llama 2 and Mistral demand."""


@pytest.mark.parametrize(
    ("roles", "rendered"),
    [
        ("user assistant", "<user>0<assistant>1"),
        ("user user assistant assistant user", "<user>0\n1<assistant>2\n3<user>4"),
        ("assistant user assistant", "<user><assistant>0<user>1<assistant>2"),
        ("system assistant user", "<user><assistant>1<user>2"),
    ],
)
def test_chats_render_with_templates_that_want_roles_to_alternate(roles: str, rendered: str) -> None:
    jinja2 = pytest.importorskip("jinja2")
    messages = tuple(Message(role, None, str(i)) for i, role in enumerate(roles.split()))
    record = TARGETS["chat"].record(Dialogue("c", "", messages))
    assert jinja2.Template(ALTERNATING).render(messages=record["messages"]) == rendered
    shared = TARGETS["sharegpt"].record(Dialogue("c", "", messages))["conversations"]
    assert [one["value"] for one in shared] == [one["content"] for one in record["messages"]]
