import pytest

from tacenda.transforms.evaluating.utility.overlap import Overlap, rouge_1


def test_words_count_as_often_as_both_texts_have_them() -> None:
    # Shared: the, cat; of 3 and 4 words.
    found = rouge_1(["the", "cat", "sat"], ["the", "cat", "the", "dog"])
    assert found.precision == 2 / 4
    assert found.recall == 2 / 3
    assert found.f1 == pytest.approx(2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3))


def test_equal_texts_overlap_1_and_disjoint_texts_0() -> None:
    assert rouge_1(["a", "b"], ["b", "a"]) == Overlap(1, 1, 1)
    assert rouge_1(["a"], ["b"]) == Overlap(0, 0, 0)
    assert rouge_1([], []) == Overlap(1, 1, 1)
    assert rouge_1(["a"], []) == Overlap(0, 0, 0)
