"""To ``chat``: ``{messages: [{role, content}]}``, as OpenAI, TRL and most services read it."""

from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.writing.converting.dialogue import Dialogue, Message

MESSAGES = pa.list_(pa.struct([pa.field("role", pa.string()), pa.field("content", pa.string())]))
SCHEMA = pa.schema(
    [
        pa.field("conversation_id", pa.string()),
        pa.field("context", pa.string()),
        pa.field("messages", MESSAGES),
    ]
)


def as_messages(messages: tuple[Message, ...]) -> list[dict[str, str]]:
    """Messages as ``{role, content}``."""
    return [{"role": message.role, "content": message.text} for message in messages]


def to_chat(dialogue: Dialogue) -> dict[str, Any]:
    """Write a dialogue.

    Raises:
        RecordError: ``NoMessages``: it has none, which no trainer reads.
    """
    if not dialogue.messages:
        raise RecordError("NoMessages")
    return {
        "conversation_id": dialogue.id,
        "context": dialogue.context or None,
        "messages": as_messages(dialogue.messages),
    }
