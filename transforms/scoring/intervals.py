"""Confidence bounds of a proportion observed in a sample, and intervals of scores.

Those of the mean, the standard deviation and their sum are bootstrap intervals (B. Efron and R. J. Tibshirani,
"An Introduction to the Bootstrap", 1993, ch. 13), computed from the frequency of each score: exactly if the
possible samples are few enough to enumerate, otherwise from a fixed sequence of random ones, the same for all
three. A bootstrap never draws unseen values: ten conversations without findings would give an interval of width
zero. So an upper end is at least that of the same scores if the greatest share of conversations that can stay
unseen in a sample of this size (:func:`upper_bound`) scores as high as the highest score seen, and at least as
high as a direct identifier.

That of a percentile is from order statistics, and no distribution is assumed: how many of n independent scores
lie below it is binomial, so two of the sorted scores enclose it with at least the confidence asked for (G. J.
Hahn and W. Q. Meeker, "Statistical Intervals", 1991, section 5.2).
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate, combinations
from math import ceil, comb, exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float64]

_CONFIDENCE = 0.95
_SIDE = (1 + _CONFIDENCE) / 2  # the confidence of either end of a two-sided interval
_TAIL = (1 - _CONFIDENCE) / 2  # the probability beyond either end
NORMAL = NormalDist().inv_cdf(_SIDE)  # standard deviations from the mean to either end, if it is normal

_HALVINGS = 50  # steps of a bisection, after which a proportion is exact to the last digits of a float

_DEVIATIONS = 12
"""Beyond so many standard deviations, the probabilities of a binomial distribution are below e to the -70, and
invisible beside those nearby."""


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """Two-sided score interval of a proportion; (0, 1) if there were no trials.

    E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the
    American Statistical Association 22(158), 1927. Raises ``ValueError`` unless 0 <= successes <= trials.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if trials == 0:
        return 0.0, 1.0
    z = NORMAL
    share = successes / trials
    scale = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / scale
    half = z / scale * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return 0.0 if successes == 0 else centre - half, 1.0 if successes == trials else centre + half


def exact_interval(successes: int, trials: int) -> tuple[float, float]:
    """Two-sided exact interval of a proportion; (0, 1) if there were no trials.

    Each end is the one-sided bound of :func:`upper_bound` at half the error. Raises ``ValueError`` unless 0 <=
    successes <= trials.
    """
    if not trials:
        return 0.0, 1.0
    return 1 - upper_bound(trials - successes, trials, _SIDE), upper_bound(successes, trials, _SIDE)


def upper_bound(successes: int, trials: int, confidence: float = _CONFIDENCE) -> float:
    """One-sided exact upper bound of a proportion; 1 if there were no trials.

    The highest proportion at which so few successes have a probability of ``1 - confidence``: C. J. Clopper and
    E. S. Pearson, "The Use of Confidence or Fiducial Limits", Biometrika 26(4), 1934. With no success about
    3 / trials at 95 %, the "rule of three": Hanley and Lippman-Hand, "If Nothing Goes Wrong, Is Everything All
    Right?", JAMA 249(13), 1983. Raises ``ValueError`` unless 0 <= successes <= trials.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if successes == trials:
        return 1.0
    if successes == 0:
        return float(1 - (1 - confidence) ** (1 / trials))
    # Of many successes, those far below add nothing that a float could show.
    counts = np.arange(max(0, successes - int(_DEVIATIONS * sqrt(successes + 1))), successes + 1)
    ways = _ways(trials, counts)
    low, high = successes / trials, 1.0
    for _ in range(_HALVINGS):
        share = (low + high) / 2
        is_likely = _probabilities(trials, counts, ways, share).sum() > 1 - confidence
        low, high = (share, high) if is_likely else (low, share)
    return high


def _ways(trials: int, counts: npt.NDArray[np.int64]) -> _Floats:
    """Logarithms of the numbers of ways to have so many successes."""
    return lgamma(trials + 1) - np.array([lgamma(k + 1) + lgamma(trials - k + 1) for k in counts.tolist()])


def _probabilities(trials: int, counts: npt.NDArray[np.int64], ways: _Floats, share: float) -> _Floats:
    """Those of so many successes, each of which has the probability ``share``."""
    probabilities: _Floats = np.exp(ways + counts * log(share) + (trials - counts) * log1p(-share))
    return probabilities


def upper_count(found: int, drawn: int, population: int, error: float = 0.05) -> int:
    """The largest number of marked conversations in a finite corpus that a random sample does not exclude.

    The largest K for which a sample drawn without replacement has at most ``found`` of them with a probability
    above ``error``: the hypergeometric counterpart of :func:`upper_bound` (J. Buonaccorsi, "A Note on
    Confidence Intervals for Proportions in Finite Populations", The American Statistician 41(3), 1987).

    >>> upper_count(0, 150, 10**7) / 10**7 <= 0.02, upper_count(0, 150, 300), upper_count(3, 200, 200)
    (True, 4, 3)

    Raises:
        ValueError: unless 0 <= found <= drawn <= population.
    """
    if not 0 <= found <= drawn <= population:
        raise ValueError(f"{found} found in {drawn} drawn of {population}")
    low, high = found, population - (drawn - found)
    while low < high:
        middle = (low + high + 1) // 2
        is_likely = _at_most(found, drawn, middle, population) > error
        low, high = (middle, high) if is_likely else (low, middle - 1)
    return low


def _at_most(found: int, drawn: int, marked: int, population: int) -> float:
    """The probability that a sample has at most ``found`` of the marked conversations."""

    def ways(of: int, take: int) -> float:
        return lgamma(of + 1) - lgamma(take + 1) - lgamma(of - take + 1)

    least = max(0, drawn - (population - marked))
    every = ways(population, drawn)
    counts = range(max(least, found - int(_DEVIATIONS * sqrt(found + 1))), min(found, marked) + 1)
    return sum(exp(ways(marked, k) + ways(population - marked, drawn - k) - every) for k in counts)


_FAR = 40  # standard deviations, beyond which no float shows a probability in a sum


def percentile_interval(counts: Mapping[int, int], percent: int) -> tuple[int, int | None] | None:
    """Two-sided interval of a percentile of the scores of conversations like these.

    Returns:
        None if there are no scores. The upper end is None if there are too few: of 71 scores, even the highest
        may be below the 95th percentile (with 95 % confidence).
    """
    n, share = sum(counts.values()), percent / 100
    if not n:
        return None
    reach = ceil(_FAR * sqrt(n * share * (1 - share))) + 1
    below = np.arange(max(0, int(n * share) - reach), min(n, int(n * share) + reach) + 1)
    cumulated = np.cumsum(_probabilities(n, below, _ways(n, below), share))
    cumulated = cumulated / cumulated[-1]
    # So few scores below the percentile are unlikely, and so many at or below it.
    few = int(np.searchsorted(cumulated, _TAIL, side="right"))
    low = int(below[few - 1]) if few else None
    high = int(below[np.argmax(cumulated >= 1 - _TAIL)])
    return 0 if low is None else at_rank(counts, low), None if high >= n else at_rank(counts, high)


def at_rank(counts: Mapping[int, int], rank: int) -> int:
    """The score at a rank, counted from 0."""
    scores, times = zip(*sorted(counts.items()), strict=True)
    return int(next(score for score, end in zip(scores, accumulate(times), strict=True) if rank < end))


DIRECT_IDENTIFIER = 5  # the score of one direct identifier (Gardiner et al., CALD-pseudo 2024, section 4.2)

_LISTED = 20_000
_RESAMPLES = 4_000
_SEED = 20240321
_PLACES = 6  # number of decimals that are equal on all processors


Intervals = tuple[tuple[float, float], ...]
"""The low and high end of the interval of mean, std, and mean + std."""


def spread_intervals(counts: Mapping[int, int], population: int | None = None) -> Intervals | None:
    """Two-sided intervals of mean, std and mean + std of the scores of conversations like these; ddof is 0.

    ``population`` is the number of conversations from which these were drawn without replacement, None for
    unlimited: if these are all of them, there is no uncertainty. None if there are no scores.
    """
    n = sum(counts.values())
    if not n:
        return None
    return _intervals(tuple(sorted(counts.items())), population is not None and n >= population)


@lru_cache(maxsize=1 << 16)
def _intervals(counts: tuple[tuple[int, int], ...], complete: bool) -> Intervals:
    scores = np.array([score for score, _ in counts], np.float64)
    times = np.array([count for _, count in counts], np.int64)
    n = int(times.sum())
    seen = [float(figure[0]) for figure in _figures(times[np.newaxis] / n, scores)]
    if complete:
        return tuple((round(one, _PLACES), round(one, _PLACES)) for one in seen)
    drawn = _bootstrap(times, scores, n)
    share = upper_bound(0, n, 1 - _TAIL)
    unseen = max(DIRECT_IDENTIFIER, counts[-1][0])
    shares = np.append(times / n * (1 - share), share)
    worst = [float(figure[0]) for figure in _figures(shares[np.newaxis], np.append(scores, unseen))]
    return tuple(
        (round(min(low, one), _PLACES), round(max(high, bad, one), _PLACES))
        for (low, high), one, bad in zip(drawn, seen, worst, strict=True)
    )


def _bootstrap(times: npt.NDArray[np.int64], scores: _Floats, n: int) -> list[tuple[float, float]]:
    """The ends of the central intervals for samples of ``n`` of these scores, with replacement."""
    kinds = len(scores)
    if comb(n + kinds - 1, kinds - 1) <= _LISTED:
        drawn, weights = _all_samples(times, n)
    else:
        generator = np.random.Generator(np.random.PCG64(_SEED))
        drawn = generator.multinomial(n, times / n, _RESAMPLES)
        weights = np.full(_RESAMPLES, 1 / _RESAMPLES)
    return [_central(values, weights) for values in _figures(drawn / n, scores)]


def _central(values: _Floats, weights: _Floats) -> tuple[float, float]:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    low, high = values[order[np.minimum(np.searchsorted(reached, [_TAIL, 1 - _TAIL]), len(order) - 1)]]
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
