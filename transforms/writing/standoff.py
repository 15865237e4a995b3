"""The stand-off table: the position of every replacement in the original and in the output; never the text.

Together with the original text, which stays in place, it reveals every replaced value: it is for people with
access to the original, and is never written beside the output.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pyarrow as pa

from tacenda.transforms.replacing.offsets import OffsetMap
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.parquet import ParquetWriter
from tacenda.transforms.storage.publishing import publish

SCHEMA = pa.schema(
    [
        pa.field("conversation_id", pa.string(), nullable=False),
        pa.field("turn", pa.int32(), nullable=False),
        pa.field("part", pa.string()),
        pa.field("start", pa.int32(), nullable=False),
        pa.field("end", pa.int32(), nullable=False),
        pa.field("output_start", pa.int32(), nullable=False),
        pa.field("output_end", pa.int32(), nullable=False),
        pa.field("info_type", pa.string(), nullable=False),
        pa.field("entity", pa.int32(), nullable=False),
    ]
)


def standoff_table(
    batch: ConversationBatch,
    findings: Sequence[Sequence[Finding]],
    entities: Sequence[Sequence[int]],
    values: Sequence[Sequence[str]],
) -> pa.Table:
    """One row per replacement, in the order of conversations, turns and starts; positions are code points.

    ``part`` distinguishes the cells of one turn, as in the table of findings. Speaker labels are replaced
    whole and have no rows. The last three arguments have one list for each cell of ``batch``.
    """
    columns: list[list[object]] = [[] for _ in SCHEMA]
    for conversation, conversation_id in enumerate(batch.ids):
        for cell in batch.cells(conversation):
            if not findings[cell]:
                continue
            offsets = OffsetMap(findings[cell], values[cell])
            for finding, entity, before, after in zip(
                findings[cell], entities[cell], offsets.original, offsets.output, strict=True
            ):
                row = (conversation_id, batch.turns[cell], batch.parts[cell], *before, *after)
                for column, value in zip(columns, (*row, finding.info_type, entity), strict=True):
                    column.append(value)
    return pa.table(columns, schema=SCHEMA)


def standoff_url(folder: str, unit: str) -> str:
    """The URL of a work unit's table in a folder."""
    return f"{folder}/part-{unit}.parquet"


@contextmanager
def standoff_file(url: str) -> Iterator[ParquetWriter]:
    """A file of stand-off tables that only its owner may read; published atomically."""
    with publish(url, private=True) as sink, ParquetWriter(sink, SCHEMA) as writer:
        yield writer
