"""Each word is tokenised once, with the same result as every time."""

from collections.abc import Sequence

import numpy as np
import pytest

from tacenda.models.token_classifier import encoding as remembering
from tacenda.models.token_classifier.encoding import TokenCache
from tacenda.models.token_classifier.token_columns import TokenColumns


class Letters:
    """A tokenizer with letters as tokens, which records its calls."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> TokenColumns:
        self.asked.append(list(texts))
        lengths = np.array([len(text) for text in texts], np.int32)
        first = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
        ids = np.array([ord(letter) for text in texts for letter in text], np.int32)
        starts = np.arange(first[-1], dtype=np.int32) - np.repeat(first[:-1], lengths)
        return TokenColumns(ids, starts, starts + 1, np.zeros(len(ids), np.int8), first)


def said(words: Sequence[str], by: TokenCache) -> list[tuple[str, int, int]]:
    """Letter, start and end of each token of some words, each 100 after the previous one."""
    cells, known = by.tokens(words)
    encoded = known.at(cells, np.arange(len(words)) * 100)
    assert np.diff(encoded.first_token).tolist() == [len(word) for word in words]
    rows = zip(encoded.ids.tolist(), encoded.starts.tolist(), encoded.ends.tolist(), strict=True)
    return [(chr(code), start, end) for code, start, end in rows]


def expected(words: Sequence[str]) -> list[tuple[str, int, int]]:
    return [
        (letter, 100 * i + k, 100 * i + k + 1)
        for i, word in enumerate(words)
        for k, letter in enumerate(word)
    ]


@pytest.mark.parametrize("most", [0, 3, 1000])
def test_the_cache_does_not_change_results(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "_MOST_TOKENS", most)
    words = TokenCache(Letters().encode)
    for batch in (["a", "bc", "a"], [], ["bc", "d"], ["efg", "a", "efg", "d"]):
        assert said(batch, words) == expected(batch)


def test_each_word_is_asked_for_once() -> None:
    letters = Letters()
    words = TokenCache(letters.encode)
    for batch in (["a", "bc", "a"], ["bc", "d"], ["d"]):
        words.tokens(batch)
    assert letters.asked == [[], ["a", "bc"], ["d"]]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "_MOST_TOKENS", 3)
    words = TokenCache(Letters().encode)
    for i in range(50):
        assert len(words.tokens([f"{i:02}"])[1].ids) <= 3 + 2
