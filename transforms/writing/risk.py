"""Risk records as a table: one row per scored conversation."""

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import pyarrow as pa

TAG = pa.struct(
    [
        pa.field("tag", pa.string(), nullable=False),
        pa.field("partial", pa.bool_(), nullable=False),
        pa.field("entities", pa.int32(), nullable=False),
        pa.field("score", pa.int32(), nullable=False),
    ]
)
SCHEMA = pa.schema(
    [
        pa.field("conversation_id", pa.string(), nullable=False),
        pa.field("context", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("score", pa.int32(), nullable=False),
        pa.field("tags", pa.list_(pa.field("element", TAG, nullable=False)), nullable=False),
        pa.field("direct_identifier", pa.bool_(), nullable=False),
        pa.field("combination", pa.string()),
        pa.field("links", pa.list_(pa.field("element", pa.string(), nullable=False)), nullable=False),
        pa.field("others", pa.float64()),
    ]
)


class RiskRecord(NamedTuple):
    """A scored conversation; for each tag: name, partial or not, number of entities, points.

    ``combination`` and ``links`` are digests of what is left, in hexadecimal, and ``others`` the number of
    other people of a population who are expected to have the same, None where no share is known
    (``scoring.remains``).
    """

    conversation_id: str
    context: str
    source: str
    score: int
    tags: Sequence[tuple[str, bool, int, int]]
    direct_identifier: bool
    combination: str | None = None
    links: Sequence[str] = ()
    others: float | None = None


def risk_table(records: Sequence[RiskRecord]) -> pa.Table:
    """One row per record, in order."""
    if not records:
        return SCHEMA.empty_table()
    columns = dict(zip(RiskRecord._fields, zip(*records, strict=True), strict=True))
    inside = zip(*chain.from_iterable(columns["tags"]), strict=True)
    values = [pa.array(next(inside, ()), field.type) for field in TAG]
    arrays = [
        pa.ListArray.from_arrays(
            pa.array([0, *accumulate(map(len, columns["tags"]))], pa.int32()),
            pa.StructArray.from_arrays(values, fields=list(TAG)),
            type=field.type,
        )
        if field.name == "tags"
        else pa.array(columns[field.name], field.type)
        for field in SCHEMA
    ]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)
