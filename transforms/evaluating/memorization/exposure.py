"""Exposure: how much likelier a model finds a planted canary than other texts of its space, in bits.

``exposure = log2 |R| - log2 rank`` over a space R (N. Carlini et al., "The Secret Sharer: Evaluating and
Testing Unintended Memorization in Neural Networks", USENIX Security 2019, definition 2). With scores of a
sample only, it is estimated from the rank in the sample, which bounds it, and from a skew-normal
distribution fitted to the sample's scores (section 4.3 there).
"""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from math import exp, log, log2
from typing import Any

import numpy as np

from tacenda.transforms.evaluating.memorization.canaries import Canary

_LEAST_TO_FIT = 100
"""Scores from which on a distribution is fitted."""


def rank(planted: float, others: Sequence[float]) -> float:
    """The rank of a canary among all, 1 for the lowest score; the middle rank of equal scores.

    >>> rank(2.0, [3.0, 1.0, 2.0])
    2.5
    """
    scores = np.asarray(others)
    return float(1 + (scores < planted).sum() + (scores == planted).sum() / 2)


def exposure_of(canary: Canary, planted: float, others: Sequence[float]) -> dict[str, Any]:
    """The exposure of one canary.

    Args:
        canary: what was planted.
        planted: its score: a loss, the lower the likelier.
        others: the scores of other texts of its space, at least one.

    Returns:
        ``rank`` among ``scored`` texts; ``exposure`` in bits, ``exact`` if all of the space was scored,
        else at most ``most``, which is log2 of ``scored``; and ``fitted``, the exposure by the fitted
        distribution, with the p of the Kolmogorov-Smirnov test of the fit in ``fit_p``. These two are None
        for an exact one, for fewer than 100 scores, for scores that do not differ, and without SciPy.
    """
    scored = len(others) + 1
    place = rank(planted, others)
    exact = scored == canary.size
    fitted = None if exact else _fitted(planted, others, canary.size)
    return {
        "canary": canary.name,
        "format": canary.format,
        "space": canary.size,
        "scored": scored,
        "rank": place,
        "exposure": round(log2(scored) - log2(place), 3),
        "most": round(log2(scored), 3),
        "exact": exact,
        "fitted": None if fitted is None else round(fitted[0], 3),
        "fit_p": None if fitted is None else round(fitted[1], 4),
    }


def _fitted(planted: float, others: Sequence[float], size: int) -> tuple[float, float] | None:
    if len(others) < _LEAST_TO_FIT or find_spec("scipy") is None or min(others) == max(others):
        return None
    from scipy.stats import kstest, skewnorm

    parameters = skewnorm.fit(others)
    likelier = max(float(skewnorm.cdf(planted, *parameters)), 1 / size)
    return -log2(min(likelier, 1.0)), float(kstest(others, "skewnorm", parameters).pvalue)


def summary(exposures: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Over all canaries: ``mean`` and ``max`` exposure, and ``p``, the probability of such a mean without
    memorisation.

    Without memorisation, every rank is equally likely, exposures are exponentially distributed with a mean of
    1.44 bits, and their sum follows an Erlang distribution.
    """
    values = [one["exposure"] for one in exposures]
    nats = sum(values) * log(2)
    term = tail = exp(-nats) if nats < _UNDERFLOW else 0.0
    for k in range(1, len(values)):
        term *= nats / k
        tail += term
    return {
        "canaries": len(values),
        "mean": round(float(np.mean(values)), 3),
        "max": max(values),
        "mean_without_memory": round(1 / log(2), 3),
        "p": min(tail, 1.0),
    }


_UNDERFLOW = 700
"""Nats from which on exp(-x) is negligible; p is then 0."""
