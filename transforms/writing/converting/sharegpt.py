"""To ``sharegpt``: ``{conversations: [{from, value}]}``, as LLaMA-Factory and axolotl read it."""

from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.writing.converting.dialogue import ASSISTANT, SYSTEM, USER, Dialogue

NAMES = {SYSTEM: "system", USER: "human", ASSISTANT: "gpt"}
"""What the shape calls the roles."""

SCHEMA = pa.schema(
    [
        pa.field("conversation_id", pa.string()),
        pa.field("context", pa.string()),
        pa.field(
            "conversations",
            pa.list_(pa.struct([pa.field("from", pa.string()), pa.field("value", pa.string())])),
        ),
    ]
)


def to_sharegpt(dialogue: Dialogue) -> dict[str, Any]:
    """Write a dialogue.

    Raises:
        RecordError: ``NoMessages``: it has none.
    """
    if not dialogue.messages:
        raise RecordError("NoMessages")
    return {
        "conversation_id": dialogue.id,
        "context": dialogue.context or None,
        "conversations": [{"from": NAMES[one.role], "value": one.text} for one in dialogue.messages],
    }
