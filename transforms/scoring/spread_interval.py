"""How far the mean plus one standard deviation of scores would move with another sample of conversations.

The interval is that of the bootstrap (B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993,
ch. 13), computed from how often each score occurs: exactly where the samples that could have been drawn are
few enough to list, else from a fixed sequence of random ones.

A bootstrap never draws what was not seen: ten conversations without a finding would give an interval of no
width. So its upper end is at least that of the same scores after the greatest share of conversations that
stays unseen in a sample of this size (the exact binomial bound of :func:`.intervals.upper_bound_of_none`)
scores as high as the highest one seen, and no less than a direct identifier does.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from tacenda.transforms.scoring.intervals import upper_bound_of_none

DIRECT_IDENTIFIER = 5
"""What one direct identifier scores (Gardiner et al., CALD-pseudo 2024, section 4.2)."""

_LISTED = 20_000
_RESAMPLES = 4_000
_SEED = 20240321
_PLACES = 6
"""Decimals that are the same on every processor."""

_Floats = npt.NDArray[np.float64]


def mean_plus_std_interval(
    counts: Mapping[int, int], confidence: float = 0.95, population: int | None = None
) -> tuple[float, float] | None:
    """Two-sided interval of mean + std of the scores that conversations like these have; ddof is 0.

    Args:
        counts: how many conversations have each score.
        confidence: of the interval; each of its ends is one-sided at the mean of it and 1.
        population: how many conversations these were drawn from without putting any back. Where these are all
            of them, nothing is left to chance; None is more than can be counted.

    Returns:
        None where there are no scores.
    """
    n = sum(counts.values())
    if not n:
        return None
    return _interval(tuple(sorted(counts.items())), confidence, population is not None and n >= population)


@lru_cache(maxsize=1 << 16)
def _interval(counts: tuple[tuple[int, int], ...], confidence: float, complete: bool) -> tuple[float, float]:
    scores = np.array([score for score, _ in counts], np.float64)
    times = np.array([count for _, count in counts], np.int64)
    n = int(times.sum())
    seen = float(_mean_plus_std(times[np.newaxis] / n, scores)[0])
    if complete:
        return round(seen, _PLACES), round(seen, _PLACES)
    tail = (1 - confidence) / 2
    low, high = _bootstrap(times, scores, n, tail)
    share = upper_bound_of_none(n, 1 - tail)
    unseen = max(DIRECT_IDENTIFIER, counts[-1][0])
    shares = np.append(times / n * (1 - share), share)
    worst = float(_mean_plus_std(shares[np.newaxis], np.append(scores, unseen))[0])
    return round(min(low, seen), _PLACES), round(max(high, worst, seen), _PLACES)


def _bootstrap(times: npt.NDArray[np.int64], scores: _Floats, n: int, tail: float) -> tuple[float, float]:
    """The two ends of the middle of what samples of ``n`` of these scores, put back, have."""
    kinds = len(scores)
    if comb(n + kinds - 1, kinds - 1) <= _LISTED:
        drawn, weights = _all_samples(times, n)
    else:
        generator = np.random.Generator(np.random.PCG64(_SEED))
        drawn = generator.multinomial(n, times / n, _RESAMPLES)
        weights = np.full(_RESAMPLES, 1 / _RESAMPLES)
    values = _mean_plus_std(drawn / n, scores)
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    low, high = values[order[np.minimum(np.searchsorted(reached, [tail, 1 - tail]), len(order) - 1)]]
    return float(low), float(high)


def _all_samples(times: npt.NDArray[np.int64], n: int) -> tuple[npt.NDArray[np.int64], _Floats]:
    """Every way to draw ``n`` scores with replacement, one a row, and how likely each is."""
    kinds = len(times)
    # Stars and bars: where the bars between the kinds stand says how many there are of each.
    places = list(combinations(range(n + kinds - 1), kinds - 1))
    bars = np.array(places, np.int64).reshape(len(places), kinds - 1)
    edges = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), n + kinds - 1)])
    drawn = np.diff(edges, axis=1) - 1
    factorials = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, n + 1)))))
    logs = factorials[n] - factorials[drawn].sum(axis=1) + (drawn * np.log(times / n)).sum(axis=1)
    return drawn, np.exp(logs)


def _mean_plus_std(shares: _Floats, scores: _Floats) -> _Floats:
    """Of each row of shares of the scores, mean + std."""
    means = shares @ scores
    variances = np.maximum(shares @ scores**2 - means**2, 0)
    result: _Floats = means + np.sqrt(variances)
    return result
