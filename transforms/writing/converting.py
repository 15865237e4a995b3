"""Conversations of one shape written as another, where what they say carries over.

Each conversation of a batch becomes messages: who says what, in which of the roles system, user and assistant.
Each target is a function from messages to the fields of a record.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from tacenda.transforms.linking.speakers import folded_label
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.shapes.chat import DEFINITIONS
from tacenda.transforms.shapes.json_cells import without_json_cells
from tacenda.transforms.shapes.shape import Record, Shape
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

SYSTEM, USER, ASSISTANT = "system", "user", "assistant"
ROLES = (SYSTEM, USER, ASSISTANT)
AS_READ = "source"  # written in its own form even if it would be as conversations
KEEP = "keep"  # in a run's own roles: the label is one, whichever
OTHERS = "*"  # in a run's own roles: all labels that have no other

_NUMBER = re.compile(r" ?(?:[0-9]{1,4}| [a-z])$")


@built_once
def _known() -> dict[str, str]:
    return {label: role for role, labels in data_file(__package__, "roles.yaml").items() for label in labels}


def role_of(label: str | None, own: Mapping[str, str]) -> str:
    """The role of a speaker, by the run's ``own`` roles first.

    >>> role_of("Agent 2", {}), role_of("customer", {}), role_of("Pam", {"*": "user"})
    ('assistant', 'user', 'user')

    Raises:
        RecordError: ``NoRole``: nobody says what role it is.
    """
    folded = folded_label(label or "")
    names = folded, _NUMBER.sub("", folded)
    role = next(filter(None, (own.get(name) or _known().get(name) for name in names)), own.get(OTHERS))
    if role is None:
        raise RecordError("NoRole")
    return role


def folded_roles(own: Mapping[str, str]) -> dict[str, str]:
    """A run's own roles as :func:`role_of` looks them up."""
    return {folded_label(label): role for label, role in own.items() if role != KEEP}


class Message(NamedTuple):
    """One turn: its role (``system``, ``user`` or ``assistant``), the label of its speaker, and its text."""

    role: str
    speaker: str | None
    text: str


OF_TURNS = frozenset({"conversation", "turns", "sharegpt", "vcon"})  # one text a turn
SOURCES = OF_TURNS | {"chat"}  # of what can be converted

Roles = Mapping[str, str]


def dialogues(
    shape: Shape,
    batch: ConversationBatch,
    texts: Sequence[str],
    speakers: Sequence[str | None],
    records: Sequence[Record],
    roles: Roles,
) -> Iterator[list[Message] | str]:
    """The messages of each conversation of a batch, or the error class that says why it is no dialogue.

    ``texts`` and ``speakers`` are as they are to be written, one a cell, and so are ``records``; roles are
    those of the labels that were read. ``NoRole``: a speaker's role is not known; ``NotPlainText``: a turn is
    more than a text, such as a call of a tool, a picture or a weight.
    """
    of_turns = shape.name in OF_TURNS or shape.options.mapping is not None
    cells = without_json_cells(batch, texts, speakers) if of_turns else (batch, texts, speakers)
    for i in range(len(batch)):
        try:
            if of_turns:
                yield _turns(shape, *cells, roles, i)
            else:
                yield _chat(shape, records[i], roles)
        except RecordError as error:
            yield error.error


def _turns(
    shape: Shape,
    batch: ConversationBatch,
    texts: Sequence[str],
    speakers: Sequence[str | None],
    roles: Roles,
    conversation: int,
) -> list[Message]:
    cells = batch.cells(conversation)
    kept = shape.kept_parts(batch.frames[conversation])
    behind = zip(cells[len(cells) - len(kept) :], kept, strict=True)
    dropped = {cell for cell, part in behind if part.partition(".")[0] not in shape.texts_beside}
    beside = [cell for cell in cells if batch.turns[cell] < 0 and batch.texts[cell] and cell not in dropped]
    said = [cell for cell in cells if batch.turns[cell] >= 0 and cell not in dropped]
    if any(batch.parts[cell] != SYSTEM for cell in beside) or any(batch.parts[cell] for cell in said):
        raise RecordError("NotPlainText")
    own = dict(enumerate(shape.roles_of(batch.frames[conversation]) or ()))
    return [
        *(Message(SYSTEM, None, texts[cell]) for cell in beside),
        *(
            Message(
                role_of(own.get(batch.turns[cell]) or batch.speakers[cell], roles),
                speakers[cell],
                texts[cell],
            )
            for cell in said
        ),
    ]


def _chat(shape: Shape, record: Record, roles: Roles) -> list[Message]:
    """The messages of a chat whose contents are texts and that has nothing else, such as tools."""
    role, content, name = names = [shape.actual(f"messages.{field}") for field in ("role", "content", "name")]
    system = record.get(shape.actual(SYSTEM))
    if any(record.get(field) for field in DEFINITIONS) or type(system) not in (str, type(None)):
        raise RecordError("NotPlainText")
    read = [Message(SYSTEM, None, system)] if system else []
    for message in record[shape.entries]:
        more = (value for key, value in message.items() if key not in names)
        if type(message.get(content)) is not str or any(value is not None for value in more):
            raise RecordError("NotPlainText")
        speaker = message.get(name) or message[role]
        read.append(Message(role_of(message[role], roles), speaker, message[content]))
    return read


def _schema(entries: str, *names: str) -> pa.Schema:
    fields = pa.list_(pa.struct([(name, pa.string()) for name in names]))
    return pa.schema({"conversation_id": pa.string(), "context": pa.string(), entries: fields})


TARGETS = {
    "conversation": _schema("turns", "speaker", "text"),
    "chat": _schema("messages", "role", "content"),
}
"""The shapes to write, with the columns of all records."""


def record_of(to: str, conversation_id: str, context: str, messages: Sequence[Message]) -> dict[str, Any]:
    """The record of a conversation; ``context`` is empty where it has none.

    A chat is as OpenAI, TRL and most services read it. In a transcript, a turn without a speaker gets its role
    as one.

    Raises:
        RecordError: the shape cannot say it: ``NoMessages``.
    """
    record: dict[str, Any] = {"conversation_id": conversation_id, "context": context or None}
    if to == "chat":
        record["messages"] = [{"role": one.role, "content": one.text} for one in _in_turn(messages)]
    else:
        record["turns"] = [{"speaker": one.speaker or one.role or None, "text": one.text} for one in messages]
    return record


def _in_turn(messages: Sequence[Message]) -> list[Message]:
    """Messages whose roles alternate, as chat templates demand: neighbours of one role become one, of several
    lines; where the assistant speaks first, the user has said nothing. No trainer reads a conversation of none.
    """
    if not messages:
        raise RecordError("NoMessages")
    taken: list[Message] = []
    for message in messages:
        if taken and message.role == taken[-1].role:
            taken[-1] = taken[-1]._replace(text=f"{taken[-1].text}\n{message.text}")
            continue
        if message.role == ASSISTANT and all(one.role == SYSTEM for one in taken):
            taken.append(Message(USER, None, ""))
        taken.append(message)
    return taken


def target_for(
    name: str | None, shape: Shape, asked: Collection[str] = (), in_columns: bool = False
) -> str | None:
    """The target for conversations of a shape; None where they are written as they were read.

    ``asked`` are the fields that the user keeps; those that a mapping keeps are left out.
    ``in_columns``: records become a table, so those of a target's own shape are converted, too.

    Raises:
        UserError: there is no such target; what a conversation of this shape says has no place in it; or fields
            are to be kept, which it has no place for either.
    """
    mapping = shape.options.mapping
    if name == AS_READ:
        return None
    if name is None and mapping is not None and (mapping.of_text or mapping.whole):
        name = "conversation"
    if name is None or (name == shape.name and not in_columns):
        return None
    if name not in TARGETS:
        raise UserError(f"--to {name}: no such shape to write; use one of {', '.join((*TARGETS, AS_READ))}")
    if shape.name not in SOURCES and mapping is None:
        raise UserError(f"--to {name}: a {shape.name} is no dialogue of people; leave --to out")
    if kept := [field for field in asked if field not in shape.texts_beside]:
        raise UserError(f"--to {name}: it has no place for kept fields ({', '.join(kept)}); do not keep them")
    return name
