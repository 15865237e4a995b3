import numpy as np
import pytest

from tacenda.transforms.scoring.intervals import SpreadIntervals, spread_intervals

HIGH = {0: 72, 1: 6, 2: 5, 3: 7, 4: 1, 5: 2, 6: 1, 7: 2, 12: 1, 17: 1, 20: 1}


def mean_plus_std_interval(
    counts: dict[int, int], confidence: float = 0.95, population: int | None = None
) -> tuple[float, float] | None:
    found = spread_intervals(counts, confidence, population)
    return None if found is None else found.mean_plus_std


def _mean_plus_std(scores: "np.ndarray") -> "np.ndarray":
    return scores.mean(axis=-1) + scores.std(axis=-1)


@pytest.mark.parametrize(
    ("count", "passes"), [(1, False), (2, False), (5, False), (6, True), (20, True), (100, True)]
)
def test_clean_conversations_have_an_upper_bound_that_shrinks_with_their_number(
    count: int, passes: bool
) -> None:
    interval = mean_plus_std_interval({0: count})
    assert interval is not None
    low, high = interval
    assert low == 0 < high
    assert (high < 5) == passes


@pytest.mark.parametrize("counts", [{0: 20, 5: 3}, {0: 30, 2: 5, 5: 3}, HIGH])
def test_the_bootstrap_is_that_of_numpy(counts: dict[int, int]) -> None:
    scores = np.repeat(list(counts), list(counts.values()))
    drawn = np.random.default_rng(1).choice(scores, (40_000, len(scores)))
    expected = np.quantile(_mean_plus_std(drawn), [0.025, 0.975])
    interval = mean_plus_std_interval(counts)
    assert interval is not None
    assert interval[0] == pytest.approx(expected[0], rel=0.05)
    # What was not seen may lie above what any sample of these shows.
    assert interval[1] >= expected[1] * 0.97
    assert interval[0] <= _mean_plus_std(scores) <= interval[1]


def test_a_larger_sample_of_the_same_scores_says_more() -> None:
    width = []
    for times in (1, 10, 100, 1000):
        interval = mean_plus_std_interval({score: times * count for score, count in HIGH.items()})
        assert interval is not None
        width.append(interval[1] - interval[0])
    assert width == sorted(width, reverse=True)


def test_the_interval_of_a_whole_population_is_a_point() -> None:
    assert mean_plus_std_interval({0: 1, 4: 1}, population=2) == (4.0, 4.0)
    sample = mean_plus_std_interval({0: 1, 4: 1}, population=3)
    assert sample is not None
    assert sample[1] > 5
    assert mean_plus_std_interval({}) is None


def test_more_confidence_is_a_wider_interval() -> None:
    narrow, wide = mean_plus_std_interval(HIGH, 0.8), mean_plus_std_interval(HIGH, 0.99)
    assert narrow is not None
    assert wide is not None
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


@pytest.mark.parametrize("counts", [{0: 20, 5: 3}, HIGH])
def test_mean_and_deviation_have_intervals_of_their_own(counts: dict[int, int]) -> None:
    scores = np.repeat(list(counts), list(counts.values()))
    drawn = np.random.default_rng(1).choice(scores, (40_000, len(scores)))
    found = spread_intervals(counts)
    assert found is not None
    for (low, high), figure, resampled in (
        (found.mean, scores.mean(), drawn.mean(axis=1)),
        (found.std, scores.std(), drawn.std(axis=1)),
    ):
        expected = np.quantile(resampled, [0.025, 0.975])
        assert low == pytest.approx(expected[0], rel=0.05)
        assert high >= expected[1] * 0.97
        assert low <= figure <= high


def test_the_intervals_of_a_whole_population_are_its_figures() -> None:
    assert spread_intervals({0: 1, 4: 1}, population=2) == SpreadIntervals((2, 2), (2, 2), (4, 4))
