"""Group rows, in any order, into conversations in turn order."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacenda.transforms.schema.conversation import Annotation, ConversationBatch
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.shape import Reading

COLUMNS = pa.schema(
    [
        ("conversation_id", pa.string()),
        ("file", pa.int64()),
        ("position", pa.int64()),
        ("rows", pa.int64()),
        ("error", pa.string()),
        ("indexed", pa.bool_()),
        ("order", pa.float64()),
        ("order_exact", pa.int64()),
        ("speaker", pa.string()),
        ("text", pa.large_string()),
        ("context", pa.string()),
        ("frame", pa.large_binary()),
    ]
)
"""The columns of every row table.

``conversation_id`` is null if it could not be read. ``error`` is an error class, null in good rows; ``rows``
is the number of input rows, which may be several if unreadable. ``indexed`` says that the order is a turn
index, which must be unique, and not a time. ``order`` sorts the rows of a conversation; ``order_exact``
breaks ties of integers too large for ``order``. ``frame`` has the row's other fields to write, pickled so that
they keep their types.
"""


def row_table(rows: Iterable[dict[str, Any]]) -> pa.Table:
    """Make a row table."""
    return pa.Table.from_pylist(list(rows), schema=COLUMNS)


def error_row(conversation_id: str | None, file: int, position: int, error: str, rows: int) -> dict[str, Any]:
    """Return the row for something unreadable."""
    given = {"file": file, "position": position, "rows": rows, "error": error}
    no_order = {"indexed": False, "order": 0.0, "order_exact": 0}
    return {"conversation_id": conversation_id, **given, **no_order, "text": "", "context": "", "frame": b""}


Indexes = npt.NDArray[np.int64]


def group_rows(tables: Sequence[pa.Table], batch_conversations: int, batch_chars: int) -> Iterator[Reading]:
    """Group the rows of whole conversations, in batches.

    The order of the tables does not matter: conversations are ordered by the file and position of their first
    row, and so are rows with the same time. A conversation with a bad row, or with two rows of the same turn
    index, is rejected as a whole, at the position of its first row; a row of an unknown conversation is
    rejected by itself. Rejections come with the first batch.
    """
    tables = sorted(
        (table for table in tables if table.num_rows),
        key=lambda table: (table["file"][0].as_py(), table["position"][0].as_py()),
    )
    if not tables:
        return
    rows = pa.concat_tables(tables).combine_chunks()
    del tables  # their data is in rows
    known = rows["conversation_id"].is_valid().to_numpy()
    rejections = [
        Rejection(row["position"], Stage.READ, row["error"], row["rows"], row["file"])
        for row in rows.filter(pa.array(~known)).to_pylist()
    ]
    order, starts = _in_turn_order(rows, known)
    bad = _bad_groups(rows, order, starts)
    ends = np.append(starts[1:], len(order))
    for group, error in bad.items():
        members = np.sort(order[starts[group] : ends[group]])
        count = int(rows["rows"].to_numpy()[members].sum())
        first = int(members[0])
        position, file = rows["position"][first].as_py(), rows["file"][first].as_py()
        rejections.append(Rejection(position, Stage.READ, error, count, file))
    good = [group for group in range(len(starts)) if group not in bad]
    lengths = np.add.reduceat(_text_lengths(rows)[order], starts) if len(starts) else starts
    rejections.sort()
    for first, last in _batches(lengths[good], batch_conversations, batch_chars):
        chosen = good[first:last]
        of_each = [order[starts[group] : ends[group]] for group in chosen]
        yield _assemble(rows.take(pa.array(np.concatenate(of_each))), [*map(len, of_each)]), rejections
        rejections = []
    if rejections:
        yield ConversationBatch(), rejections


def _in_turn_order(rows: pa.Table, known: npt.NDArray[np.bool_]) -> tuple[Indexes, Indexes]:
    """Return row numbers sorted by conversation and turn, and the start of each conversation in them."""
    # Dictionary codes are assigned in order of first appearance, which is that of files and positions.
    codes = rows["conversation_id"].combine_chunks().dictionary_encode().indices
    numbers = np.flatnonzero(known)
    if not len(numbers):
        return numbers, numbers
    code = codes.drop_null().to_numpy()
    exact = rows["order_exact"].to_numpy()[numbers]
    by_order = np.lexsort((numbers, exact, rows["order"].to_numpy()[numbers], code))
    changes = np.flatnonzero(np.diff(code[by_order])) + 1
    return numbers[by_order], np.concatenate([[0], changes]).astype(np.int64)


def _bad_groups(rows: pa.Table, order: Indexes, starts: Indexes) -> dict[int, str]:
    """Return the error class of every invalid conversation, by number."""
    errors = rows["error"].take(pa.array(order))
    bad: dict[int, str] = {}
    wrong = np.flatnonzero(errors.is_valid().to_numpy())
    # The first bad row in input order determines the error.
    for place in sorted(wrong, key=lambda place: order[place]):
        group = int(np.searchsorted(starts, place, side="right")) - 1
        bad.setdefault(group, errors[int(place)].as_py())
    indexed = rows["indexed"].to_numpy()[order]
    value, exact = rows["order"].to_numpy()[order], rows["order_exact"].to_numpy()[order]
    same = (value[1:] == value[:-1]) & (exact[1:] == exact[:-1]) & indexed[1:] & indexed[:-1]
    same[starts[1:] - 1] = False
    for twin in np.flatnonzero(same):
        bad.setdefault(int(np.searchsorted(starts, twin, side="right")) - 1, "DuplicateTurn")
    # Turns with an index and turns with a time have no common order.
    mixed = indexed[1:] != indexed[:-1]
    mixed[starts[1:] - 1] = False
    for place in np.flatnonzero(mixed).tolist():
        bad.setdefault(int(np.searchsorted(starts, place, side="right")) - 1, "MixedOrder")
    return bad


def _text_lengths(rows: pa.Table) -> Indexes:
    lengths: Indexes = pc.binary_length(rows["text"]).to_numpy()
    return lengths


def _batches(lengths: Indexes, batch_conversations: int, batch_chars: int) -> Iterator[tuple[int, int]]:
    first = size = 0
    for index, length in enumerate(lengths.tolist()):
        if index > first and (index - first >= batch_conversations or size + length > batch_chars):
            yield first, index
            first, size = index, 0
        size += length
    if first < len(lengths):
        yield first, len(lengths)


def _assemble(rows: pa.Table, sizes: Sequence[int]) -> ConversationBatch:
    """Make a batch of conversations from their concatenated rows; ``sizes`` has the number of rows of each."""
    firsts = np.cumsum([0, *sizes])
    heads = rows.select(["conversation_id", "position", "file"]).take(pa.array(firsts[:-1]))
    named = np.flatnonzero(pc.binary_length(rows["context"]).to_numpy())
    has_context = np.append(named, len(rows))[np.searchsorted(named, firsts[:-1])] < firsts[1:]
    contexts = rows["context"].take(pa.array(named[np.searchsorted(named, firsts[:-1])[has_context]]))
    context_of = iter(contexts.to_pylist())
    ids = heads["conversation_id"].to_pylist()
    frames = [pickle.loads(frame) for frame in rows["frame"].to_pylist()]  # noqa: S301 - of this very run
    return ConversationBatch(
        ids=ids,
        given=list(ids),
        contexts=[next(context_of) if named_here else "" for named_here in has_context.tolist()],
        annotations=[Annotation.NONE] * len(sizes),
        readers=[None] * len(sizes),
        positions=heads["position"].to_pylist(),
        first_cell=firsts.tolist(),
        texts=rows["text"].to_pylist(),
        speakers=_shared(rows["speaker"]),
        turns=[turn for size in sizes for turn in range(size)],
        parts=[None] * len(rows),
        spans=[()] * len(rows),
        frames=[frames[first:last] for first, last in pairwise(firsts.tolist())],
        rows=list(sizes),
        origins=heads["file"].to_pylist(),
        json_texts=[None] * len(sizes),
        schemas=[None] * len(sizes),
    )


def _shared(column: pa.ChunkedArray) -> list[str | None]:
    """The values of a column with few distinct ones; equal values share one object."""
    coded = column.combine_chunks().dictionary_encode()
    values = [*coded.dictionary.to_pylist(), None]
    return [values[code] for code in coded.indices.fill_null(-1).to_pylist()]
