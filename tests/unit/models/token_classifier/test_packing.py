"""Micro-batches and rows."""

import numpy as np
import pytest

from tacenda.models.token_classifier.packing import Block, Call, Stream, micro_batches, packed

OF = Stream(
    ids=np.array([10, 11, 1, 20, 21, 22, 1], np.int32),
    cases=np.array([1, 0, 0, 2, 0, 3, 0], np.int8),
    token=np.array([0, 1, -1, 2, 3, 4, -1], np.int32),
    first_place=np.array([0, 3, 7], np.int32),
)
BLOCKS = [Block(0, 3, 0, 3), Block(3, 7, 5, 7)]


@pytest.mark.parametrize("padded", [True, False])
@pytest.mark.parametrize("budget", [1, 7, 24, 1000])
def test_every_block_once_and_no_more_padding_than_the_budget(budget: int, padded: bool) -> None:
    lengths = np.array([3, 9, 1, 9, 4, 30, 2, 2])
    batches = [batch.tolist() for batch in micro_batches(lengths, budget, padded)]
    assert sorted(i for batch in batches for i in batch) == list(range(8))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * (lengths[batch].max() + 1) <= budget
        assert padded or len(set(lengths[batch].tolist())) == 1
    flat = [int(lengths[i]) for batch in batches for i in batch]
    assert flat == sorted(flat, reverse=True)


def test_equal_lengths_keep_their_order_and_no_rows_give_none() -> None:
    assert [b.tolist() for b in micro_batches(np.array([5, 5, 5]), 12, True)] == [[0, 1], [2]]
    assert [b.tolist() for b in micro_batches(np.array([5, 4, 5, 4]), 99, False)] == [[0, 2], [1, 3]]
    for padded in (True, False):
        assert list(micro_batches(np.array([], np.int64), 12, padded)) == []


def test_rows_are_padded_and_say_what_counts() -> None:
    rows = packed(OF, BLOCKS, budget=99, padded=True, classifying=8, padding=9)
    assert rows.calls == [Call(0, 2, 5)]
    ((ids, mask, cases),) = rows.inputs()
    assert ids.tolist() == [[8, 20, 21, 22, 1], [8, 10, 11, 1, 9]]
    assert mask.tolist() == [[1, 1, 1, 1, 1], [1, 1, 1, 1, 0]]
    assert cases.tolist() == [[0, 2, 0, 3, 0], [0, 1, 0, 0, 0]]
    assert np.flatnonzero(rows.scored).tolist() == [3, 6, 7]
    assert rows.tokens.tolist() == [4, 0, 1]


def test_rows_that_may_not_be_padded_come_by_their_length() -> None:
    rows = packed(OF, BLOCKS, budget=99, padded=False, classifying=8, padding=9)
    assert rows.calls == [Call(0, 1, 5), Call(5, 1, 4)]
    assert [ids.tolist() for ids, _, _ in rows.inputs()] == [[[8, 20, 21, 22, 1]], [[8, 10, 11, 1]]]
    assert rows.mask.all()
    assert rows.tokens.tolist() == [4, 0, 1]


def test_no_blocks_are_no_rows() -> None:
    rows = packed(OF, [], budget=99, padded=False, classifying=8, padding=9)
    assert (list(rows.inputs()), rows.tokens.tolist()) == ([], [])
