"""Confidence bounds of a proportion observed in a sample."""

from math import sqrt
from statistics import NormalDist


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


def upper_bound_of_none(trials: int, confidence: float = 0.95) -> float:
    """One-sided exact upper bound of a proportion with no observed case; 1 if there were no trials.

    About 3 / trials at 95 %, the "rule of three": Hanley and Lippman-Hand, "If Nothing Goes Wrong, Is
    Everything All Right?", JAMA 249(13), 1983.
    """
    if trials < 0:
        raise ValueError(f"{trials} trials")
    return 1.0 if trials == 0 else 1 - (1 - confidence) ** (1 / trials)
