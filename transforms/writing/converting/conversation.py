"""To ``conversation``: ``{conversation_id, turns: [{speaker, text}]}``, the shape of transcripts."""

from typing import Any

import pyarrow as pa

from tacenda.transforms.writing.converting.dialogue import Dialogue

SCHEMA = pa.schema(
    [
        pa.field("conversation_id", pa.string()),
        pa.field("context", pa.string()),
        pa.field(
            "turns", pa.list_(pa.struct([pa.field("speaker", pa.string()), pa.field("text", pa.string())]))
        ),
    ]
)


def to_conversation(dialogue: Dialogue) -> dict[str, Any]:
    """Write a dialogue; a turn without a speaker gets its role as one."""
    return {
        "conversation_id": dialogue.id,
        "context": dialogue.context or None,
        "turns": [{"speaker": one.speaker or one.role, "text": one.text} for one in dialogue.messages],
    }
