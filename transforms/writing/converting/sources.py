"""The dialogues of a batch, from the shape that it was read in."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.chat import DEFINITIONS
from tacenda.transforms.shapes.json_cells import without_json_cells
from tacenda.transforms.shapes.options import actual_name
from tacenda.transforms.shapes.shape import Record, Shape
from tacenda.transforms.writing.converting.dialogue import ASSISTANT, SYSTEM, USER, Dialogue, Message
from tacenda.transforms.writing.converting.roles import role_of

OF_TURNS = frozenset({"conversation", "turns", "sharegpt", "vcon"})
"""Shapes whose turns are one text each, said by a speaker."""

SOURCES = OF_TURNS | {"chat", "prompt_completion", "alpaca"}
"""Shapes that can be converted: whose turns have speakers, and in which nothing else is to be learnt."""

Roles = Mapping[str, str]


def dialogues(
    shape: Shape,
    batch: ConversationBatch,
    texts: Sequence[str],
    speakers: Sequence[str | None],
    roles: Roles,
) -> Iterator[Dialogue | str]:
    """Each conversation of a batch, or the error class that says why it is no dialogue.

    ``texts`` and ``speakers`` are as they are to be written, one a cell; roles are those of the labels that
    were read. ``NoRole``: a speaker's role is not known; ``NotPlainText``: a turn is more than a text, such as
    a call of a tool, a picture or a weight; ``HasLabel``: an answer is marked as good or bad.
    """
    messages_of: Callable[[int], Sequence[Message]]
    if shape.name in OF_TURNS:
        messages_of = partial(_turns, *without_json_cells(batch, texts, speakers), roles)
    else:
        records = shape.write_records(batch, texts, speakers)
        messages_of = partial(_of_record, _READERS[shape.name], shape, records, roles)
    for i, (conversation_id, context) in enumerate(zip(batch.ids, batch.contexts, strict=True)):
        try:
            yield Dialogue(conversation_id, context, tuple(messages_of(i)))
        except RecordError as error:
            yield error.error


def _turns(
    batch: ConversationBatch,
    texts: Sequence[str],
    speakers: Sequence[str | None],
    roles: Roles,
    conversation: int,
) -> list[Message]:
    """The turns of a conversation whose cells are turns."""
    cells = batch.cells(conversation)
    beside = [cell for cell in cells if batch.turns[cell] < 0]
    said = [cell for cell in cells if batch.turns[cell] >= 0]
    if any(batch.parts[cell] != SYSTEM for cell in beside) or any(batch.parts[cell] for cell in said):
        raise RecordError("NotPlainText")
    return [
        *(Message(SYSTEM, None, texts[cell]) for cell in beside),
        *(Message(role_of(batch.speakers[cell], roles), speakers[cell], texts[cell]) for cell in said),
    ]


class _Fields:
    """The fields of a written record by their canonical names."""

    def __init__(self, shape: Shape, record: Record) -> None:
        self._shape = shape
        self._record = record

    def get(self, name: str) -> Any:
        """The value of a field, None where it is not there."""
        return self._record.get(self.actual(name))

    def actual(self, name: str) -> str:
        """What the record calls a field, or a field of its entries."""
        return actual_name(self._shape.options, name)


def _of_record(
    read: "Callable[[_Fields, Roles], list[Message]]",
    shape: Shape,
    records: Sequence[Record],
    roles: Roles,
    conversation: int,
) -> list[Message]:
    return read(_Fields(shape, records[conversation]), roles)


def _chat(record: _Fields, roles: Roles) -> list[Message]:
    """The messages of a chat; definitions of tools are more than text."""
    if any(record.get(name) for name in DEFINITIONS):
        raise RecordError("NotPlainText")
    names = (
        record.actual("messages.role"),
        record.actual("messages.content"),
        record.actual("messages.name"),
    )
    return _system(record) + _messages(record.get("messages"), roles, names)


def _messages(
    messages: Sequence[Record], roles: Roles, names: tuple[str, str, str] = ("role", "content", "name")
) -> list[Message]:
    """Messages whose content is a text and that have nothing else."""
    role, content, name = names
    read = []
    for message in messages:
        if type(message.get(content)) is not str or any(
            value is not None for key, value in message.items() if key not in names
        ):
            raise RecordError("NotPlainText")
        read.append(
            Message(role_of(message[role], roles), message.get(name) or message[role], message[content])
        )
    return read


def _system(record: _Fields) -> list[Message]:
    """The field ``system`` as the first message."""
    text = record.get("system")
    if text is not None and type(text) is not str:
        raise RecordError("NotPlainText")
    return [Message(SYSTEM, None, text)] if text else []


def _prompt_completion(record: _Fields, roles: Roles) -> list[Message]:
    """A prompt and what completes it, each a text or a list of messages."""
    if record.get("label") is not None:
        raise RecordError("HasLabel")
    messages = _system(record)
    for name, role in (("prompt", USER), ("completion", ASSISTANT)):
        value = record.get(name)
        messages += [Message(role, None, value)] if type(value) is str else _messages(value or [], roles)
    return messages


def _alpaca(record: _Fields, roles: Roles) -> list[Message]:
    """An instruction, with what it is about below it, and the answer."""
    parts = [record.get(name) for name in ("instruction", "input", "output")]
    if any(part is not None and type(part) is not str for part in parts):
        raise RecordError("NotPlainText")
    instruction, about, answer = parts
    question = "\n\n".join(part for part in (instruction, about) if part)
    return [*_system(record), Message(USER, None, question), Message(ASSISTANT, None, answer or "")]


_READERS: dict[str, Callable[[_Fields, Roles], list[Message]]] = {
    "chat": _chat,
    "prompt_completion": _prompt_completion,
    "alpaca": _alpaca,
}
