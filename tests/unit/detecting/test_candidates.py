import numpy as np

from tacenda.transforms.detecting.candidates import candidates, distinct, united


def test_distinct_numbers_are_sorted() -> None:
    assert distinct(np.array([3, 0, 3, 1, 0])).tolist() == [0, 1, 3]
    assert distinct(np.zeros(0, dtype=np.int64)).tolist() == []


def test_each_place_keeps_its_highest_likelihood() -> None:
    found = candidates([(1, 0, 4, 2), (0, 3, 5, 3), (1, 0, 4, 5), (1, 0, 3, 1)]).surest()
    assert found.cells.tolist() == [0, 1, 1]
    assert found.ends.tolist() == [5, 3, 4]
    assert found.likelihoods.tolist() == [3, 1, 5]


def test_empty_lists_merge_to_an_empty_list() -> None:
    assert len(united([])) == len(united([candidates([]), candidates([])]).surest()) == 0
