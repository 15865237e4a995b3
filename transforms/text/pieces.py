"""Pieces of a column: very long conversations are read in parts, to limit the memory of detectors."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.text.column import TextColumn

PIECE_CHARS = 1 << 20
"""Size of the pieces of longer conversations, in characters; some hundred times the length of a call."""

CONTEXT_CHARS = 1 << 12
"""Context before and after a piece, in whole turns: four times the widest hotword window."""

_TURN_CHARS = 32  # added to the length of each turn, so that very short turns are divided as well


class Piece(NamedTuple):
    """Cells for a detector to read.

    ``own`` are the cells whose findings count; the others are context. ``conversation`` is the number, in the
    whole column, of the piece's first conversation.
    """

    column: TextColumn
    own: slice
    conversation: int


def pieces(column: TextColumn) -> Iterator[Piece]:
    """Divide a column; together, the pieces' own cells are those of the column.

    The division of a conversation depends on that conversation alone. Short ones are whole, several to a
    piece.
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
            # At least this many characters on each side, or all there are.
            low = max(begin, int(np.searchsorted(before, before[start] - CONTEXT_CHARS, "right")) - 1)
            high = min(end, int(np.searchsorted(before, before[stop] + CONTEXT_CHARS, "left")))
            read = column.part(low, high, [0, high - low])
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
