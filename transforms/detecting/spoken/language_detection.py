"""Detect the spoken languages of each conversation from number words."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.spoken.folded_column import FoldedColumn, Offsets
from tacenda.transforms.detecting.spoken.vocabulary import NATIVE, STRONG, Vocabulary

_LEAST_NATIVE = 2
_WORDS_A_NATIVE = 50
"""A language is spoken if one in this many words is its own, and there are as many in total …"""

_LEAST_NUMBERS = 3
"""… or if this many of its own words are numbers, whatever the rest."""


def tokens_spoken(
    column: FoldedColumn,
    numbers: npt.NDArray[np.int16],
    vocabulary: Vocabulary,
) -> Iterator[tuple[int, Offsets]]:
    """The spoken languages other than the first, by index, each with the tokens of its conversations."""
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
