"""How well a masked language model guesses each word from the rest of its conversation.

A word and all its copies are masked; its tokens are then revealed from left to right, and the probabilities of
the true ones multiplied (Myntti 2025, section 5.3.3), here as a sum of logarithms. Copies stay masked. A
network call has rows of one conversation only, so a score does not depend on what else is in a batch.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.masked_lm.windows import Window, window_of, windows
from tacenda.models.masked_lm.words import Document, Word

Logits = Callable[[npt.NDArray[np.int64]], npt.NDArray[np.float32]]
"""Logits (rows, places, vocabulary) of rows of tokens, all of one length."""

UNSEEN = -np.inf
"""The score of a word that no window holds whole: longer than half a window."""


class Specials(NamedTuple):
    """Token numbers."""

    classifying: int
    separating: int
    mask: int


class _Query(NamedTuple):
    word: int
    hidden: list[int]
    asked: int


def log_scores(
    of: Document, logits: Logits, specials: Specials, places: int, budget: int
) -> npt.NDArray[np.float64]:
    """The logarithm of the probability of each word.

    Args:
        of: the document.
        logits: the network.
        specials: the tokens around a window, and the mask.
        places: those of the longest window.
        budget: places in one call of the network; at least one row is in a call.
    """
    scores = np.zeros(len(of.words))
    several = list(windows(len(of.ids), places))
    copies: dict[int, list[Word]] = {}
    for word in of.words:
        copies.setdefault(word.group, []).append(word)
    queries: dict[Window, list[_Query]] = {}
    for number, word in enumerate(of.words):
        window = window_of(word.first, word.last, several)
        if window is None:
            scores[number] = UNSEEN
            continue
        queries.setdefault(window, []).extend(_queries(number, word, copies[word.group], window))
    for window, asked in queries.items():
        row = np.concatenate(
            ([specials.classifying], of.ids[window.start : window.end], [specials.separating])
        ).astype(np.int64)
        at_once = max(1, budget // len(row))
        for begin in range(0, len(asked), at_once):
            _add(scores, logits, row, asked[begin : begin + at_once], specials.mask)
    return scores


def _queries(number: int, word: Word, copies: Sequence[Word], window: Window) -> Iterator[_Query]:
    """One query for each token of a word; positions are those in a row, behind the classifying token."""
    others = [
        place - window.start + 1
        for copy in copies
        if copy is not word
        for place in range(max(copy.first, window.start), min(copy.last, window.end))
    ]
    own = range(word.first - window.start + 1, word.last - window.start + 1)
    for i, asked in enumerate(own):
        yield _Query(number, [*others, *own[i:]], asked)


def _add(
    scores: npt.NDArray[np.float64],
    logits: Logits,
    row: npt.NDArray[np.int64],
    queries: Sequence[_Query],
    mask: int,
) -> None:
    rows = np.repeat(row[None], len(queries), axis=0)
    for i, query in enumerate(queries):
        rows[i, query.hidden] = mask
    asked = np.array([query.asked for query in queries])
    found = logits(rows)[np.arange(len(queries)), asked].astype(np.float64)
    top = found.max(axis=1)
    sums = top + np.log(np.exp(found - top[:, None]).sum(axis=1))
    for query, value in zip(queries, found[np.arange(len(queries)), row[asked]] - sums, strict=True):
        scores[query.word] += value
