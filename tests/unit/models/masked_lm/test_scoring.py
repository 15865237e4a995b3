"""Expected probabilities are worked out by hand from a network that counts visible tokens."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from tacenda.models.masked_lm.scoring import Specials, log_scores
from tacenda.models.masked_lm.words import Document, Word

SPECIALS = Specials(classifying=0, separating=1, mask=2)
VOCABULARY = 10


def counting(ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """At every place, a token's probability is proportional to 1 + how often the row shows it."""
    counts = np.stack([np.bincount(row, minlength=VOCABULARY) for row in ids]) + 1.0
    return np.log(np.repeat(counts[:, None], ids.shape[1], axis=1)).astype(np.float32)


def _word(first: int, last: int, group: int) -> Word:
    return Word(0, first, last, first, last, group)


def _scores(ids: list[int], words: list[Word], places: int = 20, budget: int = 100) -> list[float]:
    of = Document(np.array(ids, np.int32), words)
    return np.exp(log_scores(of, counting, SPECIALS, places, budget)).tolist()


def test_a_word_is_masked_and_its_token_guessed() -> None:
    # [0] 5 _ 6 [1]: nine tokens beside the mask's own, 5 places; 7 is not visible.
    assert _scores([5, 7, 6], [_word(1, 2, 0)]) == pytest.approx([1 / (VOCABULARY + 5)])


def test_copies_of_a_word_are_masked_with_it() -> None:
    ids = [7, 5, 7]
    together = [_word(0, 1, 0), _word(2, 3, 0)]
    apart = [_word(0, 1, 0), _word(2, 3, 1)]
    assert _scores(ids, together) == pytest.approx([1 / 15, 1 / 15])
    assert _scores(ids, apart) == pytest.approx([2 / 15, 2 / 15])


def test_tokens_are_revealed_from_left_to_right_and_multiplied() -> None:
    # First both are masked, then 7 shows: it says something about the second 7.
    assert _scores([7, 7, 5], [_word(0, 2, 0)]) == pytest.approx([1 / 15 * 2 / 15])


def test_copies_stay_masked_while_a_word_is_revealed() -> None:
    words = [_word(0, 2, 0), _word(3, 5, 0)]
    assert _scores([7, 8, 5, 7, 8], words) == pytest.approx([1 / 17**2, 1 / 17**2])


@pytest.mark.parametrize("budget", [1, 5, 1000])
def test_the_budget_changes_nothing(budget: int) -> None:
    words = [_word(i, i + 1, i % 3) for i in range(9)]
    ids = [5, 6, 7, 5, 6, 7, 8, 9, 5]
    assert _scores(ids, words, budget=budget) == pytest.approx(_scores(ids, words), rel=1e-6)


def test_copies_in_another_window_are_not_looked_at() -> None:
    ids = [7, *[5] * 11, 7]
    words = [_word(0, 1, 0), _word(12, 13, 0)]
    # The last window has four tokens and, with the two around it, six places.
    assert _scores(ids, words, places=8) == pytest.approx([1 / (VOCABULARY + 8), 1 / (VOCABULARY + 6)])


def test_a_word_longer_than_a_window_is_never_likely() -> None:
    assert _scores([5] * 12, [_word(0, 9, 0)], places=8) == [0.0]


def test_improbable_words_do_not_underflow() -> None:
    def sure(ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        logits = np.zeros((*ids.shape, VOCABULARY), np.float32)
        logits[..., 3] = 500
        return logits

    of = Document(np.array([5, 6, 7], np.int32), [_word(0, 3, 0)])
    [score] = log_scores(of, sure, SPECIALS, 20, 100)
    assert math.isclose(score, -1500, rel_tol=1e-6)
