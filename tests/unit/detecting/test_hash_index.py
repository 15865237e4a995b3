import numpy as np
import pytest

from transforms.detecting.hash_index import HashIndex


@pytest.mark.parametrize("count", [1, 2, 3, 1000, 70_000])
def test_what_is_there_is_found_and_nothing_else(count: int) -> None:
    random = np.random.default_rng(count)
    listed = np.unique(random.integers(0, 1 << 64, count, dtype=np.uint64))
    index = HashIndex(listed)
    assert len(index) == len(listed)
    assert index.find(listed).tolist() == list(range(1, len(listed) + 1))
    others = random.integers(0, 1 << 64, count, dtype=np.uint64)
    assert not index.find(others[~np.isin(others, listed)]).any()


def test_hashes_that_share_their_first_bits() -> None:
    listed = np.arange(100, dtype=np.uint64)
    index = HashIndex(listed)
    assert index.find(np.array([99, 0, 100], dtype=np.uint64)).tolist() == [100, 1, 0]
    assert index.find(np.array([1 << 63], dtype=np.uint64)).tolist() == [0]


def test_the_hash_zero_behind_the_last() -> None:
    index = HashIndex(np.array([(1 << 64) - 1], dtype=np.uint64))
    assert index.find(np.array([0, (1 << 64) - 1], dtype=np.uint64)).tolist() == [0, 1]


def test_an_empty_index() -> None:
    index = HashIndex(np.zeros(0, dtype=np.uint64))
    assert index.find(np.array([0, 7], dtype=np.uint64)).tolist() == [0, 0]
    assert len(index) == 0
