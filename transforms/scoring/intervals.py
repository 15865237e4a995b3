"""Confidence bounds of a proportion observed in a sample."""

from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

import numpy as np

_HALVINGS = 50
"""Steps of a bisection, after which a proportion is exact to the last digits of a float."""

_DEVIATIONS = 12
"""Beyond so many standard deviations, the probabilities of a binomial distribution are below e to the -70, and
invisible beside those nearby."""


def wilson_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Two-sided score interval of a proportion; (0, 1) if there were no trials.

    E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the
    American Statistical Association 22(158), 1927. Raises ``ValueError`` unless 0 <= successes <= trials.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / trials
    scale = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / scale
    half = z / scale * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == trials else centre + half
    return low, high


def exact_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Two-sided exact interval of a proportion; (0, 1) if there were no trials.

    Each end is the one-sided bound of :func:`upper_bound` at half the error. Raises ``ValueError`` unless 0 <=
    successes <= trials.
    """
    if not trials:
        return 0.0, 1.0
    side = (1 + confidence) / 2
    return 1 - upper_bound(trials - successes, trials, side), upper_bound(successes, trials, side)


def upper_bound(successes: int, trials: int, confidence: float = 0.95) -> float:
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
    ways = lgamma(trials + 1) - np.array([lgamma(k + 1) + lgamma(trials - k + 1) for k in counts.tolist()])
    low, high = successes / trials, 1.0
    for _ in range(_HALVINGS):
        share = (low + high) / 2
        logs = ways + counts * log(share) + (trials - counts) * log1p(-share)
        if np.exp(logs).sum() > 1 - confidence:
            low = share
        else:
            high = share
    return high


def upper_count(found: int, drawn: int, population: int, error: float = 0.05) -> int:
    """The largest number of marked conversations in a finite corpus that a random sample does not exclude.

    The largest K for which a sample drawn without replacement has at most ``found`` of them with a probability
    above ``error``: the hypergeometric counterpart of :func:`upper_bound` (J. Buonaccorsi, "A Note on
    Confidence Intervals for Proportions in Finite Populations", The American Statistician 41(3), 1987).

    >>> upper_count(0, 150, 10**7) / 10**7 <= 0.02, upper_count(0, 150, 300), upper_count(3, 200, 200)
    (True, 4, 3)

    Args:
        found: in the sample.
        drawn: the size of the sample.
        population: the size of the corpus.
        error: the probability with which the true number may be larger.

    Raises:
        ValueError: unless 0 <= found <= drawn <= population.
    """
    if not 0 <= found <= drawn <= population:
        raise ValueError(f"{found} found in {drawn} drawn of {population}")
    low, high = found, population - (drawn - found)
    while low < high:
        middle = (low + high + 1) // 2
        if _at_most(found, drawn, middle, population) > error:
            low = middle
        else:
            high = middle - 1
    return low


def _at_most(found: int, drawn: int, marked: int, population: int) -> float:
    """The probability that a sample has at most ``found`` of the marked conversations."""

    def ways(of: int, take: int) -> float:
        return lgamma(of + 1) - lgamma(take + 1) - lgamma(of - take + 1)

    least = max(0, drawn - (population - marked))
    every = ways(population, drawn)
    counts = range(max(least, found - int(_DEVIATIONS * sqrt(found + 1))), min(found, marked) + 1)
    return sum(exp(ways(marked, k) + ways(population - marked, drawn - k) - every) for k in counts)
