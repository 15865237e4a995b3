"""Each conversion by itself, and all of them there and back."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest

from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import SHAPES, kinds_of_record, make_shape, recognise
from tacenda.transforms.writing.converting import SOURCES, TARGETS, Dialogue, Message, dialogues, target_for

SYSTEM = Message("system", "system", "Be brief.")
ASKED = Message("user", "user", "Where is [PERSON_NAME_1]?")
ANSWERED = Message("assistant", "assistant", "In [LOCATION_1].")
EXCHANGE = Dialogue("c1", "sales", (ASKED, ANSWERED))
WITH_SYSTEM = Dialogue("c2", "", (SYSTEM, ASKED, ANSWERED))


def _said(dialogue: Dialogue) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in dialogue.messages]


def _read(record: dict[str, Any], shape: str) -> Dialogue:
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
    again = _read(record, name)
    assert (again.id, again.context, _said(again)) == (dialogue.id, dialogue.context, _said(dialogue))


@pytest.mark.parametrize("name", TARGETS)
def test_each_record_fills_the_columns_of_its_target(name: str) -> None:
    record, schema = TARGETS[name].record(WITH_SYSTEM), TARGETS[name].schema
    assert list(record) == schema.names
    assert pa.Table.from_pylist([record], schema=schema).to_pylist() == [record]


@pytest.mark.parametrize("through", TARGETS)
@pytest.mark.parametrize("name", TARGETS)
def test_conversion_through_another_shape_gives_the_same(name: str, through: str) -> None:
    converted = TARGETS[name].record(_read(TARGETS[through].record(WITH_SYSTEM), through))
    assert _said(_read(converted, name)) == _said(WITH_SYSTEM)


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
