"""Hashes of anonymised conversations, which bind a review, or any other statement, to the text."""

import hashlib
from collections.abc import Sequence

import orjson
import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch

SCHEMA = pa.schema(
    [
        pa.field("conversation_id", pa.string(), nullable=False),
        pa.field("context", pa.string(), nullable=False),
        pa.field("text_hash", pa.string(), nullable=False),
    ]
)
"""One row per conversation, in the order of the corpus."""

_BYTES = 16


def text_hash(speakers: Sequence[str | None], texts: Sequence[str]) -> str:
    """Hash the texts and speakers of one conversation: the first 128 bits of BLAKE2b, in hexadecimal digits.

    The shape of a record does not matter: a conversation has the same hash as a chat and as a list of turns.

    Args:
        speakers: of each cell, in order.
        texts: of each cell.
    """
    return hashlib.blake2b(orjson.dumps([speakers, texts]), digest_size=_BYTES).hexdigest()


def batch_hashes(batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]) -> list[str]:
    """The hash of each conversation of a batch, with the given texts and speakers of its cells."""
    return [
        text_hash(speakers[cells.start : cells.stop], texts[cells.start : cells.stop])
        for cells in map(batch.cells, range(len(batch)))
    ]


def hashes_table(batch: ConversationBatch, hashes: Sequence[str]) -> pa.Table:
    """One row per conversation of a batch."""
    return pa.table([batch.ids, batch.contexts, hashes], schema=SCHEMA)
