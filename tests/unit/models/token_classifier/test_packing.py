"""Micro-batches and rows."""

import numpy as np
import pytest

from models.token_classifier.blocks import Block, Stream
from models.token_classifier.packing import micro_batches, rows


@pytest.mark.parametrize("budget", [1, 7, 24, 1000])
def test_every_block_once_and_no_more_padding_than_the_budget(budget: int) -> None:
    lengths = np.array([3, 9, 1, 9, 4, 30, 2, 2])
    batches = [batch.tolist() for batch in micro_batches(lengths, budget)]
    assert sorted(i for batch in batches for i in batch) == list(range(8))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * (lengths[batch].max() + 1) <= budget
    flat = [int(lengths[i]) for batch in batches for i in batch]
    assert flat == sorted(flat, reverse=True)


def test_equal_lengths_keep_their_order_and_none_are_none() -> None:
    assert [b.tolist() for b in micro_batches(np.array([5, 5, 5]), 12)] == [[0, 1], [2]]
    assert list(micro_batches(np.array([], np.int64), 12)) == []


def test_rows_are_padded_and_say_what_counts() -> None:
    of = Stream(
        ids=np.array([10, 11, 1, 20, 21, 22, 1], np.int32),
        cases=np.array([1, 0, 0, 2, 0, 3, 0], np.int8),
        token=np.array([0, 1, -1, 2, 3, 4, -1], np.int32),
        first_place=np.array([0, 3, 7], np.int32),
    )
    row = rows(of, [Block(0, 3, 0, 3), Block(3, 7, 5, 7)], classifying=8, padding=9)
    assert row.ids.tolist() == [[8, 10, 11, 1, 9], [8, 20, 21, 22, 1]]
    assert row.mask.tolist() == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    assert row.cases.tolist() == [[0, 1, 0, 0, 0], [0, 2, 0, 3, 0]]
    assert row.scored.tolist() == [[False, True, True, False, False], [False, False, False, True, False]]
    assert row.tokens.tolist() == [0, 1, 4]
