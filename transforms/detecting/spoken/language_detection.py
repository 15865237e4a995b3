"""Detect from number words which languages each conversation speaks."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.spoken.folded_column import FoldedColumn, Offsets
from tacenda.transforms.detecting.spoken.vocabulary import NATIVE, STRONG, Vocabulary

_LEAST_NATIVE = 2
_WORDS_A_NATIVE = 50
"""A language is spoken where at least so many words are its own, and one in so many of all words …"""

_LEAST_NUMBERS = 3
"""… or where so many of its own words are numbers, in however much else."""


def tokens_spoken(
    column: FoldedColumn,
    numbers: npt.NDArray[np.int16],
    vocabulary: Vocabulary,
) -> Iterator[tuple[int, Offsets]]:
    """The languages other than the first that are spoken, by their index, each with the tokens of the
    conversations in which it is.
    """
    native = np.flatnonzero(vocabulary.native.take(numbers))
    words = numbers[native]
    first_cells = np.asarray(column.column.first_cell, dtype=np.int64)
    edges = np.searchsorted(column.starts, column.column.origins[first_cells])
    # About every fifth token is a mark; the share need not be exact.
    tokens = np.diff(edges)
    conversations = np.searchsorted(edges, native, side="right") - 1
    for language in range(1, len(vocabulary.roles)):
        roles = vocabulary.roles[language].take(words)
        own = (roles & NATIVE) != 0
        counts = np.bincount(conversations[own], minlength=len(tokens))
        said = np.bincount(conversations[own & ((roles & STRONG) != 0)], minlength=len(tokens))
        spoken = (counts >= _LEAST_NATIVE) & (counts * _WORDS_A_NATIVE >= tokens)
        spoken |= said >= _LEAST_NUMBERS
        if spoken.any():
            yield language, np.flatnonzero(np.repeat(spoken, tokens))
