import pytest

from tacenda.transforms.replacing.hiding.significance import mcnemar, wilcoxon


def test_the_stars_of_table_3() -> None:
    # Documents that leak under random tokens alone, and the stars that the paper prints.
    for only_random, below in ((5, 0.05), (11, 0.001), (6, 0.05), (7, 0.01), (8, 0.01)):
        assert mcnemar(only_random, 0) < below


def test_mcnemar_counts_all_ways_that_are_as_far_off() -> None:
    assert mcnemar(5, 0) == 1 / 32
    assert mcnemar(0, 5) == 1
    assert mcnemar(3, 1) == (4 + 1) / 16
    assert mcnemar(0, 0) == 1


def test_wilcoxon_as_by_hand() -> None:
    # Nine differences, two of them of one size: 27 of 45 ranks are positive, the deviation is 8.43.
    first = [125, 115, 130, 140, 140, 115, 140, 125, 140, 135]
    second = [110, 122, 125, 120, 140, 124, 123, 137, 135, 145]
    assert wilcoxon(first, second) == pytest.approx(0.594, abs=0.005)


def test_wilcoxon_of_equals_is_one() -> None:
    assert wilcoxon([1, 2, 3], [1, 2, 3]) == 1
    assert wilcoxon([4.0] * 40, [1.0] * 40) < 1e-8
