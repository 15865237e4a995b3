import numpy as np
import pytest

from tacenda.models.masked_lm.threshold import best_threshold


@pytest.mark.parametrize(
    ("scores", "personal", "log_score", "f1"),
    [
        ([-9.0, -8.0, -1.0], [True, True, False], -1.0, 1.0),
        ([-9.0, -8.0, -1.0], [True, False, True], 0.0, 0.8),
        ([-5.0, -5.0, -2.0], [True, False, False], -2.0, 2 / 3),
        ([-1.0], [True], 0.0, 1.0),
    ],
)
def test_the_best_threshold_is_found_by_hand(
    scores: list[float], personal: list[bool], log_score: float, f1: float
) -> None:
    found = best_threshold(np.array(scores), np.array(personal))
    assert found.log_score == log_score
    assert found.f1 == pytest.approx(f1)


def test_no_other_threshold_is_better() -> None:
    random = np.random.default_rng(5)
    scores, personal = -random.integers(1, 30, 200).astype(float), random.random(200) < 0.3
    found = best_threshold(scores, personal)
    for threshold in np.linspace(-31, 0, 400):
        marked = scores < threshold
        assert 2 * (marked & personal).sum() / (marked.sum() + personal.sum()) <= found.f1 + 1e-12


def test_without_an_annotated_word_there_is_no_threshold() -> None:
    with pytest.raises(ValueError, match="no annotated word"):
        best_threshold(np.array([-1.0]), np.array([False]))
