"""Findings as a table: position, infoType and likelihood, never the text."""

from collections.abc import Sequence

import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding

SCHEMA = pa.schema(
    [
        pa.field("conversation_id", pa.string(), nullable=False),
        pa.field("turn", pa.int32(), nullable=False),
        pa.field("part", pa.string()),
        pa.field("start", pa.int32(), nullable=False),
        pa.field("end", pa.int32(), nullable=False),
        pa.field("info_type", pa.string(), nullable=False),
        pa.field("likelihood", pa.string(), nullable=False),
        pa.field("detector", pa.string(), nullable=False),
        pa.field("entity", pa.int32()),
    ]
)


def findings_table(
    batch: ConversationBatch,
    findings: Sequence[Sequence[Finding]],
    entities: Sequence[Sequence[int]],
) -> pa.Table:
    """One row per finding, in the order of conversations, turns and starts.

    ``part`` distinguishes the cells of one turn (``tool_calls.0.arguments.city``) and is null if the turn is
    one cell. ``findings`` and ``entities`` have one list for each cell of ``batch``.
    """
    ids: list[str] = []
    turns: list[int] = []
    parts: list[str | None] = []
    flat: list[Finding] = []
    numbers: list[int] = []
    for conversation, conversation_id in enumerate(batch.ids):
        for cell in batch.cells(conversation):
            count = len(findings[cell])
            if count:
                ids.extend([conversation_id] * count)
                turns.extend([batch.turns[cell]] * count)
                parts.extend([batch.parts[cell]] * count)
                flat.extend(findings[cell])
                numbers.extend(entities[cell])
    return pa.table(
        [
            ids,
            turns,
            parts,
            [f.start for f in flat],
            [f.end for f in flat],
            [f.info_type for f in flat],
            [f.likelihood.name for f in flat],
            [f.detector for f in flat],
            numbers,
        ],
        schema=SCHEMA,
    )
