"""Windowing: cut a conversation's tokens into blocks that fit the network, each token scored exactly once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tacenda.models.token_classifier.token_columns import Int8s, Int32s, TokenColumns


@dataclass(frozen=True, slots=True)
class Stream:
    """The tokens of all conversations, with a separator after each turn.

    ``token`` is the index of each place in the encoding, -1 for a separator; conversation ``i`` has the
    places ``first_place[i]:first_place[i + 1]``.
    """

    ids: Int32s
    cases: Int8s
    token: Int32s
    first_place: Int32s


class Block(NamedTuple):
    """The network sees places ``start:end`` of a stream; only ``score_start:score_end`` are scored."""

    start: int
    end: int
    score_start: int
    score_end: int


def stream(encoded: TokenColumns, first_cell: Sequence[int], separator: int) -> Stream:
    """Concatenate turns, with a separator after each, so that a block is a slice."""
    cells = np.diff(encoded.first_token)
    count = len(encoded.ids) + len(cells)
    place = np.arange(len(encoded.ids), dtype=np.int64) + np.repeat(np.arange(len(cells)), cells)
    ids = np.full(count, separator, np.int32)
    cases = np.zeros(count, np.int8)
    token = np.full(count, -1, np.int32)
    ids[place], cases[place] = encoded.ids, encoded.cases
    token[place] = np.arange(len(encoded.ids))
    cell = np.asarray(first_cell, np.int64)
    return Stream(ids, cases, token, (encoded.first_token[cell] + cell).astype(np.int32))


def blocks(of: Stream, max_places: int, context: int) -> Iterator[Block]:
    """Cut every conversation into blocks of at most ``max_places`` places.

    A block includes up to ``context`` unscored places before those that it scores. It ends after a turn if
    one ends in its second half; a longer turn is cut, and the block includes ``context`` places beyond the
    cut.

    Raises:
        ValueError: blocks would be little longer than their context.
    """
    if max_places < 4 * context or max_places < 4:
        raise ValueError("max_places must be at least four times the context")
    turn_ends = np.concatenate(([0], np.flatnonzero(of.token < 0) + 1))
    for first, last in zip(of.first_place[:-1].tolist(), of.first_place[1:].tolist(), strict=True):
        at = first
        while at < last:
            start = max(first, at - context)
            end = min(start + max_places, last)
            if end == last:
                yield Block(start, end, at, end)
                break
            turn_end = int(turn_ends[np.searchsorted(turn_ends, end, side="right") - 1])
            if turn_end > at + (end - at) // 2:
                yield Block(start, turn_end, at, turn_end)
                at = turn_end
            else:
                yield Block(start, end, at, end - context)
                at = end - context
