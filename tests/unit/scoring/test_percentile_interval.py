from collections import Counter

import numpy as np
import pytest

from tacenda.transforms.scoring.intervals import percentile_interval


def test_the_median_of_ten_lies_between_the_second_and_the_ninth() -> None:
    # Hahn and Meeker, table A.15a: ranks 2 and 9 of 10 enclose the median with 97.9 %.
    assert percentile_interval(dict.fromkeys(range(1, 11), 1), 50) == (2, 9)


@pytest.mark.parametrize(("count", "high"), [(1, None), (71, None), (72, 3), (500, 3)])
def test_few_scores_do_not_bound_a_high_percentile(count: int, high: int | None) -> None:
    assert percentile_interval({3: count}, 95) == (0 if count == 1 else 3, high)


def test_without_scores_there_is_no_interval() -> None:
    assert percentile_interval({}, 95) is None


@pytest.mark.parametrize("n", [80, 400])
def test_it_contains_the_percentile_as_often_as_it_says(n: int) -> None:
    shares = np.array([0.8, 0.08, 0.05, 0.04, 0.02, 0.01])
    scores = np.array([0, 1, 3, 5, 8, 20])
    true = scores[np.searchsorted(np.cumsum(shares), 0.95)]
    generator = np.random.default_rng(7)
    held = 0
    for drawn in generator.choice(scores, (1_000, n), p=shares):
        found = percentile_interval(Counter(drawn.tolist()), 95)
        assert found is not None
        low, high = found
        held += low <= true and (high is None or true <= high)
    assert held >= 950


def test_the_interval_is_narrow_for_a_million_conversations() -> None:
    counts = dict.fromkeys(range(1_000), 1_000)
    found = percentile_interval(counts, 95)
    assert found is not None
    assert found[1] is not None
    assert 949 <= found[0] < found[1] <= 951
