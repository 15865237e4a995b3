"""Text that a tokenizer dropped."""

import numpy as np
import pytest

from tacenda.models.token_classifier.detector import count_unseen
from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.token_columns import TokenColumns
from tacenda.transforms.text.column import TextColumn


def encoded(*tokens: tuple[int, int], first: list[int]) -> TokenColumns:
    starts, ends = (np.array(column, np.int32) for column in zip(*tokens, strict=True))
    return TokenColumns(starts, starts, ends, starts.astype(np.int8), np.array(first, np.int32))


def test_places_of_tokens() -> None:
    column = TextColumn(["ab cd", "", "ef"])
    starts, ends = encoded((0, 2), (3, 5), (0, 2), first=[0, 2, 2, 3]).places(column.origins)
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == [(0, 2), (3, 5), (7, 9)]
    assert column.cells(starts).tolist() == [0, 0, 2]


@pytest.mark.parametrize(
    ("tokens", "unseen"),
    [
        ([(0, 3), (4, 7)], (0, 0)),
        ([(0, 3), (5, 6)], (2, 0)),
        ([(0, 3)], (3, 1)),
        ([(4, 7)], (3, 1)),
    ],
)
def test_counts_what_no_token_holds(tokens: list[tuple[int, int]], unseen: tuple[int, int]) -> None:
    assert count_unseen(TextColumn(["abc def"]), encoded(*tokens, first=[0, len(tokens)])) == unseen


def test_what_the_tokenizer_drops(encoder: TurnEncoder) -> None:
    texts = ["a\u200bb \x07 c", "☀\ufe0f x", "e\u0301e", "日本 \u0e01\u0e33", " \t\u3000\n", ""]
    column = TextColumn(texts)
    unseen, words = count_unseen(column, encoder.encode(column))
    assert words == 0
    assert 1 <= unseen <= 4


def test_empty(encoder: TurnEncoder) -> None:
    for texts in ([], [""], ["", ""]):
        assert count_unseen(TextColumn(texts), encoder.encode(TextColumn(texts))) == (0, 0)
