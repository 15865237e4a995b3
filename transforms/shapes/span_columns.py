"""Read the gold spans of many turns from Arrow columns.

Only common types are supported; for others, and for wrong spans, records are read one by one instead.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacenda.transforms.schema.conversation import AnnotatedSpan, Annotation
from tacenda.transforms.shapes.arrow_fields import is_text
from tacenda.transforms.shapes.declared import MISSED, annotation

NO_SPANS: tuple[AnnotatedSpan, ...] = ()
ENTITY_NAMES = ("entity", "entity_id")
"""Field names of annotated entities; the first one present counts."""

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

# AnnotatedSpan(*values) without a Python call per span.
_span = partial(tuple.__new__, AnnotatedSpan)


class SpanColumns(NamedTuple):
    """One entry a turn: its spans; whether it was annotated; whether it has a reviewer's tag."""

    spans: list[Sequence[AnnotatedSpan]]
    marked: Bools
    reviewed: Bools


def read_spans(column: pa.Array, texts: pa.Array) -> SpanColumns | None:
    """Read the spans of turns; None if one is wrong, quotes its text or has an uncommon type.

    Args:
        column: a list of structs for each turn, null for turns that were not annotated.
        texts: the text of each turn, without nulls.
    """
    counts = pc.fill_null(pc.list_value_length(column), 0).to_numpy()
    offsets = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    flat = column.flatten()
    fields = {field.name: flat.field(index) for index, field in enumerate(flat.type)}
    if not fields.keys() >= {"start", "end", "label"} or "text" in fields or flat.null_count:
        return None
    starts, ends, labels = (fields[name] for name in ("start", "end", "label"))
    if starts.null_count or ends.null_count or labels.null_count or not is_text(labels.type):
        return None
    if not pa.types.is_integer(starts.type) or not pa.types.is_integer(ends.type):
        return None
    first, last = starts.cast(pa.int64()).to_numpy(), ends.cast(pa.int64()).to_numpy()
    lengths = np.repeat(pc.utf8_length(texts).to_numpy(), counts)
    if not ((first >= 0) & (first < last) & (last <= lengths)).all():
        return None
    entities = _entities([fields[name] for name in ENTITY_NAMES if name in fields], len(flat))
    if entities is None:
        return None
    spelled = labels.dictionary_encode()
    by_code = spelled.dictionary.to_pylist()
    codes = spelled.indices.to_numpy()
    values = zip(
        first.tolist(), last.tolist(), map(by_code.__getitem__, codes.tolist()), entities, strict=True
    )
    spans = tuple(map(cast(Any, _span), values))
    of_reviewer = np.array([label.startswith(MISSED) for label in by_code], np.bool_)[codes]
    return SpanColumns(
        [spans[start:stop] if start < stop else NO_SPANS for start, stop in pairwise(offsets.tolist())],
        column.is_valid().to_numpy(zero_copy_only=False),
        any_in(of_reviewer, offsets),
    )


def any_in(what: Bools, offsets: Ints) -> Bools:
    """For each of some adjacent ranges, whether any value in it is true."""
    before = np.concatenate(([0], np.cumsum(what, dtype=np.int64)))
    return before[offsets[1:]] > before[offsets[:-1]]


def annotations(read: SpanColumns, turns: Ints, gold: Sequence[Any]) -> list[Annotation]:
    """Determine who annotated each conversation, as :func:`.declared.annotation_of` does for one.

    Args:
        read: the spans of the turns.
        turns: the start of each conversation in them, and the end of the last one.
        gold: the field ``gold`` of each conversation.
    """
    annotated = any_in(read.marked, turns)
    by_reviewer = any_in(read.reviewed, turns)
    with_spans = any_in(np.array(list(map(len, read.spans)), np.int64) > 0, turns)
    return [
        annotation(word, *marks) if looked_at else Annotation.NONE
        for looked_at, word, *marks in zip(
            annotated.tolist(), gold, by_reviewer.tolist(), with_spans.tolist(), strict=True
        )
    ]


def _entities(columns: Sequence[pa.Array], count: int) -> list[str | None] | None:
    """The entities of spans as text; None if a column is neither text nor integers."""
    values: list[str | None] = [None] * count
    for column in reversed(columns):
        if pa.types.is_null(column.type):
            continue
        if not is_text(column.type) and not pa.types.is_integer(column.type):
            return None
        mine = column.cast(pa.string()).to_pylist()
        values = (
            mine
            if not column.null_count
            else [b if a is None else a for a, b in zip(mine, values, strict=True)]
        )
    return values
