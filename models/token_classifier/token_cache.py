"""TokenCache: the word pieces of words seen before, which most words of a batch are."""

from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.token_columns import TokenColumns

Ints = npt.NDArray[np.int64]

_MOST_TOKENS = 1 << 18
"""Most tokens cached, some 10 MB with their words; beyond that the cache is cleared."""


class TokenCache:
    """Caches what ``encode`` returns for each word, one cell a word. Thread-safe."""

    def __init__(self, encode: Callable[[Sequence[str]], TokenColumns]) -> None:
        self._encode = encode
        self._numbers: dict[str, int] = {}
        self._tokens = encode([])
        self._one_at_a_time = Lock()

    def tokens(self, words: Sequence[str]) -> tuple[Ints, TokenColumns]:
        """The cell of each word, and the tokens of all cells."""
        with self._one_at_a_time:
            if len(self._tokens.ids) > _MOST_TOKENS:
                self._numbers, self._tokens = {}, self._encode([])
            new = [word for word in dict.fromkeys(words) if word not in self._numbers]
            if new:
                self._tokens = self._tokens.with_more(self._encode(new))
                next_ones = range(len(self._numbers), len(self._numbers) + len(new))
                self._numbers.update(zip(new, next_ones, strict=True))
            cells = np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))
            return cells, self._tokens
