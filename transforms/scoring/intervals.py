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


def gamma_quantile(probability: float, shape: float) -> float:
    """A quantile of the gamma distribution with scale 1, by bisection of its series.

    M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions", 1964, 6.5.29; from a shape of 1,000 on
    the cube root is taken as normal (E. B. Wilson and M. M. Hilferty, "The Distribution of Chi-Square", PNAS
    17(12), 1931), which is exact to a ten-thousandth there.
    """
    if shape >= 1000:
        ninth = 1 / (9 * shape)
        return float(shape * (1 - ninth + NormalDist().inv_cdf(probability) * sqrt(ninth)) ** 3)
    low, high = 0.0, shape + 10 * sqrt(shape) + 20
    for _ in range(2 * _HALVINGS):
        middle = (low + high) / 2
        if _gamma_share(middle, shape) < probability:
            low = middle
        else:
            high = middle
    return high


def _gamma_share(value: float, shape: float) -> float:
    """The share of a gamma distribution with scale 1 that lies below a value."""
    if value <= 0:
        return 0.0
    term = total = 1 / shape
    step = shape
    while term > total * 1e-15:
        step += 1
        term *= value / step
        total += term
    logarithm = shape * log(value) - value - lgamma(shape) + log(total)
    return min(1.0, exp(logarithm))
