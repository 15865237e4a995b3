"""The shapes that a corpus can be written in, and which conversions carry the meaning."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pyarrow as pa

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.writing.converting import alpaca, chat, conversation, prompt_completion, sharegpt
from tacenda.transforms.writing.converting.dialogue import Dialogue
from tacenda.transforms.writing.converting.sources import SOURCES


class Target(NamedTuple):
    """A shape to write: one record of a dialogue, and the columns of all records."""

    record: Callable[[Dialogue], dict[str, Any]]
    schema: pa.Schema


TARGETS: dict[str, Target] = {
    "conversation": Target(conversation.to_conversation, conversation.SCHEMA),
    "chat": Target(chat.to_chat, chat.SCHEMA),
    "sharegpt": Target(sharegpt.to_sharegpt, sharegpt.SCHEMA),
    "alpaca": Target(alpaca.to_alpaca, alpaca.SCHEMA),
    "prompt_completion": Target(prompt_completion.to_prompt_completion, prompt_completion.SCHEMA),
}

_WHY_NOT = {
    "document": "a document has no speakers, so nobody asks and nobody answers in it",
    "preference": "a preference has two answers to one prompt, and one of them is not to be learnt",
}


def target_for(name: str | None, shape: Shape) -> str | None:
    """The target for conversations of a shape; None where they are written as they were read.

    Raises:
        UserError: what a conversation of this shape says has no place in the target; or fields are to be kept,
            which it has no place for either.
    """
    if name is None or name == shape.name:
        return None
    if shape.name not in SOURCES:
        why = _WHY_NOT.get(shape.name, f"what a {shape.name} says has no place there")
        raise UserError(f"--to {name}: {why}; leave --to out")
    if kept := shape.kept_by_request:
        raise UserError(f"--to {name}: it has no place for kept fields ({', '.join(kept)}); do not keep them")
    return name
