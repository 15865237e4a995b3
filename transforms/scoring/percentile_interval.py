"""Confidence interval of a percentile of scores, from order statistics: no distribution is assumed.

How many of n independent scores lie below the percentile is binomial, so two of the sorted scores enclose it
with at least the confidence asked for: G. J. Hahn and W. Q. Meeker, "Statistical Intervals", 1991, section 5.2.
"""

from collections.abc import Mapping
from math import ceil, lgamma, log, log1p, sqrt

import numpy as np

_DEVIATIONS = 40
"""Beyond so many standard deviations, no probability is large enough for a float to show it in a sum."""


def percentile_interval(
    counts: Mapping[int, int], percent: int, confidence: float = 0.95
) -> tuple[int, int | None] | None:
    """Two-sided interval of a percentile of the scores of conversations like these.

    Args:
        counts: the number of conversations with each score, which is at least 0.
        percent: from 1 to 99.
        confidence: each end is one-sided with confidence (1 + ``confidence``) / 2.

    Returns:
        None if there are no scores. The upper end is None if there are too few: of 71 scores, even the highest
        may be below the 95th percentile (with 95 % confidence).
    """
    n = sum(counts.values())
    if not n:
        return None
    below, cumulated = _binomial(n, percent / 100)
    tail = (1 - confidence) / 2
    # So few scores below the percentile are unlikely, and so many at or below it.
    few = int(np.searchsorted(cumulated, tail, side="right"))
    low = int(below[few - 1]) + 1 if few else 0
    high = int(below[np.argmax(cumulated >= 1 - tail)]) + 1
    return _at_rank(counts, low), None if high > n else _at_rank(counts, high)


def _binomial(n: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of successes in ``n`` trials that have a probability, and that of at most so many."""
    reach = ceil(_DEVIATIONS * sqrt(n * share * (1 - share))) + 1
    numbers = np.arange(max(0, int(n * share) - reach), min(n, int(n * share) + reach) + 1)
    ways = lgamma(n + 1) - np.array([lgamma(k + 1) + lgamma(n - k + 1) for k in numbers.tolist()])
    cumulated = np.cumsum(np.exp(ways + numbers * log(share) + (n - numbers) * log1p(-share)))
    return numbers, cumulated / cumulated[-1]


def _at_rank(counts: Mapping[int, int], rank: int) -> int:
    """The score at a rank from 1 up; 0, the least of all scores, at rank 0."""
    passed = 0
    for score, times in sorted(counts.items()) if rank else ():
        passed += times
        if rank <= passed:
            return score
    return 0
