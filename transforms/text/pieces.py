"""Pieces of a column: a very long conversation is read part by part, so that no detector holds all of it."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.text.column import TextColumn

PIECE_CHARS = 1 << 20
"""A conversation of more characters is read in pieces of so many; some hundred times as many as calls have."""

CONTEXT_CHARS = 1 << 12
"""What is read again before and behind a piece, in whole turns: four times the widest window of a hotword."""

_TURN_CHARS = 32
"""What a turn counts beside its text, so that turns of a word or none are cut as well."""


class Piece(NamedTuple):
    """Cells for a detector to read.

    ``own`` are those of the column's cells whose findings count; the others are context. ``conversation`` is
    the number, in the whole column, of the first conversation in it.
    """

    column: TextColumn
    own: slice
    conversation: int


def pieces(column: TextColumn) -> Iterator[Piece]:
    """Cut a column; joined, the cells that are the pieces' own are those of the column.

    Where a conversation is cut depends on that conversation alone. Others stay whole, several in a piece.
    """
    if column.size + _TURN_CHARS * len(column) <= PIECE_CHARS:
        yield Piece(column, slice(0, len(column)), 0)
        return
    before = np.append(0, np.cumsum(column.lengths + _TURN_CHARS))
    first_cell = np.asarray(column.first_cell, np.int64)
    done = 0
    for i in np.flatnonzero(np.diff(before[first_cell]) > PIECE_CHARS).tolist():
        if done < i:
            yield _whole(column, done, i)
        begin, end = int(first_cell[i]), int(first_cell[i + 1])
        for start, stop in _cuts(before, begin, end):
            # At least so many characters on each side, or all that there are.
            low = max(begin, int(np.searchsorted(before, before[start] - CONTEXT_CHARS, "right")) - 1)
            high = min(end, int(np.searchsorted(before, before[stop] + CONTEXT_CHARS, "left")))
            read = TextColumn(column.texts[low:high], [0, high - low])
            yield Piece(read, slice(start - low, stop - low), i)
        done = i + 1
    if done < len(first_cell) - 1:
        yield _whole(column, done, len(first_cell) - 1)


def _whole(column: TextColumn, begin: int, end: int) -> Piece:
    some = column.conversations(begin, end)
    return Piece(some, slice(0, len(some)), begin)


def _cuts(before: npt.NDArray[np.int64], begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Ranges of the cells of a conversation, each of at most ``PIECE_CHARS`` or of one cell."""
    while begin < end:
        full = int(np.searchsorted(before, before[begin] + PIECE_CHARS, "right")) - 1
        stop = min(end, max(begin + 1, full))
        yield begin, stop
        begin = stop
