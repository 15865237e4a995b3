"""Windowing: cut a conversation's tokens into blocks that fit the network, each token scored exactly once.

Blocks are packed into rows, sorted by length so that little is padded, and scores mapped back to tokens.

Batching affects speed only: a network whose scores depend on it gets rows that do not share a call
(``batch_invariance``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.encoding import Int32s, Ints, TokenColumns
from tacenda.models.token_classifier.listed import Int16s


@dataclass(frozen=True, slots=True)
class Stream:
    """The tokens of all conversations, with a separator after each turn.

    ``token`` is the index of each place in the encoding, -1 for a separator; conversation ``i`` has the
    places ``first_place[i]:first_place[i + 1]``.
    """

    ids: Int32s
    cases: Int16s
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
    cases = np.zeros(count, np.int16)
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
    """
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


class Call(NamedTuple):
    """One call of the network: ``rows`` rows of ``width`` places each, starting at place ``start`` of all."""

    start: int
    rows: int
    width: int


class Rows(NamedTuple):
    """All network inputs, concatenated; each row starts with the classifying token.

    ``scored`` marks the places whose scores count, ``tokens`` has their indexes in the encoding, in the same
    order.
    """

    ids: Ints
    mask: Ints
    cases: Ints
    scored: npt.NDArray[np.bool_]
    tokens: Ints
    calls: list[Call]

    def inputs(self) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Ids, mask and cases of each call, rows by places."""
        for start, count, width in self.calls:
            here = slice(start, start + count * width)
            ids, mask, cases = (a[here].reshape(count, width) for a in (self.ids, self.mask, self.cases))
            yield ids, mask, cases


def micro_batches(lengths: Ints, budget: int, padded: bool) -> Iterator[Ints]:
    """Group the indexes of blocks, longest first, so that the rows of a group have at most ``budget`` places.

    Blocks of different lengths share a group only if they may be ``padded``. A block longer than the budget
    has a group of its own.
    """
    order = np.argsort(-lengths, kind="stable")
    ends = [len(order)] if padded else [*(np.flatnonzero(np.diff(lengths[order])) + 1).tolist(), len(order)]
    at = 0
    for end in ends:
        while at < end:
            count = min(max(1, budget // (int(lengths[order[at]]) + 1)), end - at)
            yield order[at : at + count]
            at += count


def packed(
    of: Stream, blocks: Sequence[Block], budget: int, padded: bool, classifying: int, padding: int
) -> Rows:
    """Turn blocks into rows, in the order of their micro-batches, padded to the widest of each batch."""
    bounds = np.asarray(blocks, np.int64).reshape(-1, 4)
    lengths = bounds[:, 1] - bounds[:, 0]
    batches = list(micro_batches(lengths, budget, padded))
    counts = [len(batch) for batch in batches]
    widths = [int(lengths[batch[0]]) + 1 for batch in batches]
    begins = np.cumsum([0, *map(mul, counts, widths)])[:-1].tolist()
    bounds = bounds[np.concatenate(batches)] if batches else bounds
    width = np.repeat(np.asarray(widths, np.int64), counts)
    row = np.repeat(np.arange(len(bounds)), width)
    start, end, score_start, score_end = bounds.T[:, row]
    # Maps places in rows to places in the stream; the classifying token maps to the one before its block.
    place = start - 1 + np.arange(len(row)) - np.repeat(np.cumsum(width) - width, width)
    first, seen = place < start, place < end
    scored = (place >= score_start) & (place < score_end)
    place[first | ~seen] = 0
    ids = of.ids[place].astype(np.int64)
    ids[first], ids[~seen] = classifying, padding
    cases = of.cases[place].astype(np.int64)
    cases[first | ~seen] = 0
    token = of.token[place].astype(np.int64)
    scored &= token >= 0
    calls = [Call(*call) for call in zip(begins, counts, widths, strict=True)]
    return Rows(ids, seen.astype(np.int64), cases, scored, token[scored], calls)
