"""The table format of turn rows until their conversations are complete."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import pyarrow as pa

from tacenda.transforms.storage.json_values import json_value

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
    ]
)
"""Every row table has these, and ``frame``: the row's other fields to write, as JSON (``large_binary``) or as
a struct of the input's own types.

``conversation_id`` is null if it could not be read. ``error`` is an error class, null in good rows; ``rows``
is the number of input rows, which may be several if unreadable. ``indexed`` says that the order is a turn
index, which must be unique, and not a time. ``order`` sorts the rows of a conversation; ``order_exact``
breaks ties of integers too large for ``order``.
"""

Frames: TypeAlias = pa.Array | Sequence[dict[str, Any]]
"""The frames of a conversation: a column, as in a row table, or records if their types differ."""

WITH_JSON_FRAMES = COLUMNS.append(pa.field("frame", pa.large_binary()))

ERROR_ROW: dict[str, Any] = {
    "indexed": False,
    "order": 0.0,
    "order_exact": 0,
    "speaker": None,
    "text": "",
    "context": "",
    "frame": b"{}",
}


def row_table(rows: Iterable[dict[str, Any]]) -> pa.Table:
    """Make a row table with JSON frames."""
    return pa.Table.from_pylist(list(rows), schema=WITH_JSON_FRAMES)


def error_row(conversation_id: str | None, file: int, position: int, error: str, rows: int) -> dict[str, Any]:
    """Return the row for something unreadable."""
    place = {"conversation_id": conversation_id, "file": file, "position": position}
    return {**place, "error": error, "rows": rows, **ERROR_ROW}


def frame_records(frames: Frames) -> list[dict[str, Any]]:
    """Return frames one by one."""
    if isinstance(frames, Sequence):
        return list(frames)
    records: list[Any] = frames.to_pylist()
    return list(map(json_value, records)) if pa.types.is_large_binary(frames.type) else records
