"""To ``prompt_completion``: the last answer, and all that was said before it, as TRL reads it."""

from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.writing.converting.chat import MESSAGES, as_messages
from tacenda.transforms.writing.converting.dialogue import ASSISTANT, USER, Dialogue

SCHEMA = pa.schema(
    [
        pa.field("conversation_id", pa.string()),
        pa.field("context", pa.string()),
        pa.field("prompt", MESSAGES),
        pa.field("completion", MESSAGES),
    ]
)


def to_prompt_completion(dialogue: Dialogue) -> dict[str, Any]:
    """Write a dialogue up to its last answer; what the user says after it is nothing to be learnt.

    Raises:
        RecordError: ``NoAnswer``: no assistant answers a user in it.
    """
    roles = [message.role for message in dialogue.messages]
    last = max((i for i, role in enumerate(roles) if role == ASSISTANT), default=0)
    if USER not in roles[:last]:
        raise RecordError("NoAnswer")
    return {
        "conversation_id": dialogue.id,
        "context": dialogue.context or None,
        "prompt": as_messages(dialogue.messages[:last]),
        "completion": as_messages(dialogue.messages[last : last + 1]),
    }
