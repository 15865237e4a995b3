import numpy as np

from tacenda.transforms.evaluating.counting import MEANINGS, RIGHT, SEVERITIES, severities


def test_every_conversation_has_one_category_and_it_is_the_worst():
    flags = np.array([[bool(number >> bit & 1) for bit in range(5)] for number in range(32)])
    found = severities(*flags.T)
    assert found.sum(axis=1).tolist() == [1] * 32
    for row, worst in zip(flags, found.argmax(axis=1), strict=True):
        assert worst == (row.tolist().index(True) if row.any() else 5)


def test_categories_have_meanings():
    assert list(MEANINGS) == list(SEVERITIES)
    assert set(RIGHT) < set(SEVERITIES)
