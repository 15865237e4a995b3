"""To ``alpaca``: one instruction and its answer."""

from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.writing.converting.dialogue import ASSISTANT, SYSTEM, USER, Dialogue

SCHEMA = pa.schema(
    [
        pa.field(name, pa.string())
        for name in ("conversation_id", "context", "system", "instruction", "output")
    ]
)


def to_alpaca(dialogue: Dialogue) -> dict[str, Any]:
    """Write a dialogue of one question and one answer, with or without a system message before them.

    Raises:
        RecordError: ``NotOneExchange``: it has more turns, or others.
    """
    messages = dialogue.messages
    has_system = bool(messages) and messages[0].role == SYSTEM
    if [message.role for message in messages[has_system:]] != [USER, ASSISTANT]:
        raise RecordError("NotOneExchange")
    question, answer = messages[has_system:]
    return {
        "conversation_id": dialogue.id,
        "context": dialogue.context or None,
        "system": messages[0].text if has_system else None,
        "instruction": question.text,
        "output": answer.text,
    }
