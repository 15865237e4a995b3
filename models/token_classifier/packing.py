"""Blocks to rows of a network, sorted by length so that little is padded, and the way back to tokens.

Which rows stand together depends on the blocks alone, never on workers, time or chance: a model quantised to
int8 scales its activations over the whole of a tensor, so the neighbours of a row change its scores a little.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from models.token_classifier.blocks import Block, Stream

Ints = npt.NDArray[np.int64]


class Rows(NamedTuple):
    """A network's input, rows by places, the first place of each row being the classifying token.

    ``scored`` says which places count, ``tokens`` which tokens of the encoding they are, in the order of
    ``scored``.
    """

    ids: Ints
    mask: Ints
    cases: Ints
    scored: npt.NDArray[np.bool_]
    tokens: Ints


def micro_batches(lengths: Ints, budget: int) -> Iterator[Ints]:
    """Indexes of blocks, longest first; so many together that the padded rows have at most ``budget`` places.

    A block that is longer than the budget comes alone.
    """
    order = np.argsort(-lengths, kind="stable")
    at = 0
    while at < len(order):
        rows = max(1, budget // (int(lengths[order[at]]) + 1))
        yield order[at : at + rows]
        at += rows


def rows(of: Stream, blocks: Sequence[Block], classifying: int, padding: int) -> Rows:
    """Some blocks as rows of equal width."""
    bounds = np.asarray(blocks, np.int64).reshape(-1, 4)
    starts, ends = bounds[:, :1], bounds[:, 1:2]
    place = starts + np.arange((ends - starts).max(initial=0))
    seen = place < ends
    place = np.where(seen, place, starts)
    shape = (len(bounds), place.shape[1] + 1)
    ids = np.full(shape, classifying, np.int64)
    ids[:, 1:] = np.where(seen, of.ids[place], padding)
    mask = np.ones(shape, np.int64)
    mask[:, 1:] = seen
    cases = np.zeros(shape, np.int64)
    cases[:, 1:] = of.cases[place] * seen
    token = of.token[place]
    scored = np.zeros(shape, np.bool_)
    scored[:, 1:] = seen & (place >= bounds[:, 2:3]) & (place < bounds[:, 3:]) & (token >= 0)
    return Rows(ids, mask, cases, scored, token[scored[:, 1:]].astype(np.int64))
