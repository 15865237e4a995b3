"""Hashes of anonymised conversations: what binds a review, or anything else that is said of a text, to it."""

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
"""A row a conversation, in the order of the corpus."""

_BYTES = 16


def text_hash(speakers: Sequence[str | None], texts: Sequence[str]) -> str:
    """Hash what is said in one conversation, and by whom: the first 128 bits of BLAKE2b, in hexadecimal digits.

    The shape of a record does not matter: a conversation hashes alike as a chat and as a list of turns.

    Args:
        speakers: of each cell, in order.
        texts: of each cell.
    """
    return hashlib.blake2b(orjson.dumps([speakers, texts]), digest_size=_BYTES).hexdigest()


def batch_hashes(batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]) -> list[str]:
    """The hash of each conversation of a batch with the texts and speakers that now stand in its cells."""
    return [
        text_hash(speakers[cells.start : cells.stop], texts[cells.start : cells.stop])
        for cells in map(batch.cells, range(len(batch)))
    ]


def hashes_table(batch: ConversationBatch, texts: Sequence[str], speakers: Sequence[str | None]) -> pa.Table:
    """One row a conversation of a batch."""
    return pa.table([batch.ids, batch.contexts, batch_hashes(batch, texts, speakers)], schema=SCHEMA)
