"""Confidence intervals of the mean, the standard deviation and their sum.

They are bootstrap intervals (B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, ch. 13),
computed from the frequency of each score: exactly if the possible samples are few enough to enumerate,
otherwise from a fixed sequence of random ones, the same for all three.

A bootstrap never draws unseen values: ten conversations without findings would give an interval of width
zero. So an upper end is at least that of the same scores if the greatest share of conversations that can
stay unseen in a sample of this size (the exact binomial bound of :func:`.intervals.upper_bound`)
scores as high as the highest score seen, and at least as high as a direct identifier.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.scoring.intervals import upper_bound

DIRECT_IDENTIFIER = 5
"""The score of one direct identifier (Gardiner et al., CALD-pseudo 2024, section 4.2)."""

_LISTED = 20_000
_RESAMPLES = 4_000
_SEED = 20240321
_PLACES = 6
"""Number of decimals that are equal on all processors."""

_Floats = npt.NDArray[np.float64]


class SpreadIntervals(NamedTuple):
    """The two-sided interval of each figure."""

    mean: tuple[float, float]
    std: tuple[float, float]
    mean_plus_std: tuple[float, float]


def spread_intervals(
    counts: Mapping[int, int], confidence: float = 0.95, population: int | None = None
) -> SpreadIntervals | None:
    """Two-sided intervals of mean, std and mean + std of the scores of conversations like these; ddof is 0.

    Args: counts: the number of conversations with each score. confidence: of each interval; each end is
        one-sided with confidence (1 + ``confidence``) / 2. population: the number of conversations from which
        these were drawn without replacement. If these are all of
            them, there is no uncertainty; None means unlimited.

    Returns:
        None if there are no scores.
    """
    n = sum(counts.values())
    if not n:
        return None
    return _intervals(tuple(sorted(counts.items())), confidence, population is not None and n >= population)


@lru_cache(maxsize=1 << 16)
def _intervals(counts: tuple[tuple[int, int], ...], confidence: float, complete: bool) -> SpreadIntervals:
    scores = np.array([score for score, _ in counts], np.float64)
    times = np.array([count for _, count in counts], np.int64)
    n = int(times.sum())
    seen = [float(figure[0]) for figure in _figures(times[np.newaxis] / n, scores)]
    if complete:
        return SpreadIntervals(*((round(one, _PLACES), round(one, _PLACES)) for one in seen))
    tail = (1 - confidence) / 2
    drawn = _bootstrap(times, scores, n, tail)
    share = upper_bound(0, n, 1 - tail)
    unseen = max(DIRECT_IDENTIFIER, counts[-1][0])
    shares = np.append(times / n * (1 - share), share)
    worst = [float(figure[0]) for figure in _figures(shares[np.newaxis], np.append(scores, unseen))]
    return SpreadIntervals(
        *(
            (round(min(low, one), _PLACES), round(max(high, bad, one), _PLACES))
            for (low, high), one, bad in zip(drawn, seen, worst, strict=True)
        )
    )


def _bootstrap(
    times: npt.NDArray[np.int64], scores: _Floats, n: int, tail: float
) -> list[tuple[float, float]]:
    """The ends of the central intervals for samples of ``n`` of these scores, with replacement."""
    kinds = len(scores)
    if comb(n + kinds - 1, kinds - 1) <= _LISTED:
        drawn, weights = _all_samples(times, n)
    else:
        generator = np.random.Generator(np.random.PCG64(_SEED))
        drawn = generator.multinomial(n, times / n, _RESAMPLES)
        weights = np.full(_RESAMPLES, 1 / _RESAMPLES)
    return [_central(values, weights, tail) for values in _figures(drawn / n, scores)]


def _central(values: _Floats, weights: _Floats, tail: float) -> tuple[float, float]:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    low, high = values[order[np.minimum(np.searchsorted(reached, [tail, 1 - tail]), len(order) - 1)]]
    return float(low), float(high)


def _all_samples(times: npt.NDArray[np.int64], n: int) -> tuple[npt.NDArray[np.int64], _Floats]:
    """Every way to draw ``n`` scores with replacement, one per row, and its probability."""
    kinds = len(times)
    # Stars and bars: the positions of the bars give the number of each kind.
    places = list(combinations(range(n + kinds - 1), kinds - 1))
    bars = np.array(places, np.int64).reshape(len(places), kinds - 1)
    edges = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), n + kinds - 1)])
    drawn = np.diff(edges, axis=1) - 1
    factorials = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, n + 1)))))
    logs = factorials[n] - factorials[drawn].sum(axis=1) + (drawn * np.log(times / n)).sum(axis=1)
    return drawn, np.exp(logs)


def _figures(shares: _Floats, scores: _Floats) -> tuple[_Floats, _Floats, _Floats]:
    """Mean, std and their sum for each row of shares of the scores."""
    means: _Floats = shares @ scores
    stds: _Floats = np.sqrt(np.maximum(shares @ scores**2 - means**2, 0))
    return means, stds, means + stds
