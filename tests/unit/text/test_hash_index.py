import numpy as np
import pytest

from tacenda.transforms.text.words import HashIndex, HashTable


@pytest.mark.parametrize("count", [1, 2, 3, 1000, 70_000])
def test_what_is_there_is_found_and_nothing_else(count: int) -> None:
    random = np.random.default_rng(count)
    listed = np.unique(random.integers(0, 1 << 64, count, dtype=np.uint64))
    index = HashIndex(listed)
    assert len(index) == len(listed)
    assert index.find(listed).tolist() == list(range(1, len(listed) + 1))
    others = random.integers(0, 1 << 64, count, dtype=np.uint64)
    assert not index.find(others[~np.isin(others, listed)]).any()


def test_hashes_with_equal_first_bits_are_distinguished() -> None:
    listed = np.arange(100, dtype=np.uint64)
    index = HashIndex(listed)
    assert index.find(np.array([99, 0, 100], dtype=np.uint64)).tolist() == [100, 1, 0]
    assert index.find(np.array([1 << 63], dtype=np.uint64)).tolist() == [0]


def test_the_hash_0_is_not_found_by_accident() -> None:
    index = HashIndex(np.array([(1 << 64) - 1], dtype=np.uint64))
    assert index.find(np.array([0, (1 << 64) - 1], dtype=np.uint64)).tolist() == [0, 1]


def test_an_empty_index() -> None:
    index = HashIndex(np.zeros(0, dtype=np.uint64))
    assert index.find(np.array([0, 7], dtype=np.uint64)).tolist() == [0, 0]
    assert len(index) == 0


@pytest.mark.parametrize("count", [0, 1, 200_000])
def test_a_table_has_the_value_of_each_hash_whatever_its_frequency(count: int) -> None:
    random = np.random.default_rng(count)
    listed = np.unique(random.integers(0, 1 << 64, count, dtype=np.uint64))
    values = random.integers(1, 1 << 16, count, dtype=np.uint16)
    table = HashTable(listed, values, random.integers(0, 5, count, dtype=np.uint8))
    assert len(table) == count
    assert (table.find(listed) == values).all()
    others = random.integers(0, 1 << 64, 1000, dtype=np.uint64)
    assert not table.find(others).any()
    # With the same last bits, or all others
    assert not table.find(listed ^ np.uint64(1 << 40)).any()
    assert not table.find(listed ^ np.uint64(1)).any()


def test_a_table_finds_hashes_that_begin_with_zeros() -> None:
    listed = np.array([0, 5, 1 << 16], dtype=np.uint64)
    table = HashTable(listed, np.array([1, 2, 3], dtype=np.uint16), np.array([0, 1, 0], dtype=np.uint8))
    assert table.find(np.array([1 << 16, 5, 0, 7], dtype=np.uint64)).tolist() == [3, 2, 1, 0]
