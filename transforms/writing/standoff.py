"""The stand-off table: the position of every replacement in the original and in the output; never the text.

Together with the original text, which stays in place, it reveals every replaced value: it is for people with
access to the original, and is never written beside the output.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import orjson
import pyarrow as pa

from tacenda.transforms.replacing.replacement import value_ranges
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.storage.tables import ParquetWriter
from tacenda.transforms.writing.columns import schema_of
from tacenda.transforms.writing.staging import table_of

SCHEMA = schema_of(
    "conversation_id string, turn int32, part string?, field string, start int32, end int32, "
    "output_start int32, output_end int32, info_type string, entity int32"
)


def standoff_table(
    batch: ConversationBatch,
    findings: Sequence[Sequence[Finding]],
    entities: Sequence[Sequence[int]],
    values: Sequence[Sequence[str]],
    speakers: Sequence[str | None],
    labels: Mapping[str, Mapping[str, tuple[int, str]]],
) -> pa.Table:
    """One row per replacement, in the order of conversations, turns and starts; positions are code points.

    ``field`` is ``text``, or ``speaker`` for the label of a turn, which is replaced whole and comes before the
    turn's text. ``part`` distinguishes the cells of one turn, as in the table of findings.

    Args:
        batch: the conversations as they were read.
        findings: what was replaced in each cell.
        entities: the entity numbers of the findings.
        values: the text in place of each finding.
        speakers: the label of each cell as it is written.
        labels: by conversation id, the labels that are personal data, with entity and infoType.
    """
    rows: list[tuple[object, ...]] = []
    for conversation, conversation_id in enumerate(batch.ids):
        own = labels.get(conversation_id, {})
        labelled: int | None = None
        for cell in batch.cells(conversation):
            turn, label = batch.turns[cell], batch.speakers[cell]
            if label is not None and label in own and turn != labelled:
                labelled = turn
                place = 0, len(label), 0, len(speakers[cell] or "")
                entity, info_type = own[label]
                rows.append((conversation_id, turn, None, "speaker", *place, info_type, entity))
            if findings[cell]:
                written = value_ranges(findings[cell], values[cell])
                where = (conversation_id, turn, batch.parts[cell], "text")
                rows += [
                    (*where, *one[:2], *after, one.info_type, entity)
                    for one, entity, after in zip(findings[cell], entities[cell], written, strict=True)
                ]
    return table_of(rows, SCHEMA)


@contextmanager
def standoff_file(url: str) -> Iterator[ParquetWriter]:
    """A file of stand-off tables that only its owner may read; published atomically."""
    with publish(url, private=True) as sink, ParquetWriter(sink, SCHEMA) as writer:
        yield writer


def who_is_who(batch: ConversationBatch, reconciled: Sequence[Any]) -> bytes:
    """JSON lines, one a conversation in which somebody is named; ``reconciled`` has one entry each, or None.

    A place is ``[turn, start, end]`` in code points of the original, half open; in a turn of several cells
    ``[turn, part, start, end]``, with ``part`` as in the table of findings.
    """
    lines = []
    for conversation, one in enumerate(reconciled):
        if one is not None:
            cells = batch.cells(conversation)
            of_cells = [(batch.turns[k], *((p,) if (p := batch.parts[k]) is not None else ())) for k in cells]
            if (told := one.dictionary(of_cells))["clusters"]:
                lines.append(orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE))
    return b"".join(lines)
