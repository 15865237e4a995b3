"""Bootstrap over conversations: the variation of sums of counts between samples.

Spans of one conversation are found and missed together (one speaker, one topic), so whole conversations are
resampled, not spans. B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, ch. 8.
"""

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]

_DRAWN_AT_ONCE = 1 << 20
"""Conversations drawn in one step; bounds memory."""


def resampled_sums(counts: Counts, resamples: int, seed: int) -> Counts:
    """Column sums of ``resamples`` samples of as many rows, drawn with replacement.

    Args:
        counts: one row per conversation, one column per count.
        resamples: number of samples.
        seed: of the random generator; equal seeds and counts give equal sums.

    Returns:
        One row per sample, with the columns of ``counts``.
    """
    total = len(counts)
    sums = np.zeros((resamples, counts.shape[1]), np.int64)
    if total == 0:
        return sums
    # Float products use BLAS; counts are far below 2^53, so they stay exact.
    values = counts.astype(np.float64)
    generator = np.random.default_rng(seed)
    step = max(1, _DRAWN_AT_ONCE // total)
    for start in range(0, resamples, step):
        samples = min(step, resamples - start)
        drawn = generator.integers(0, total, (samples, total))
        drawn += np.arange(samples)[:, np.newaxis] * total
        often = np.bincount(drawn.ravel(), minlength=samples * total).reshape(samples, total)
        sums[start : start + samples] = np.rint(often @ values)
    return sums


def percentile_interval(
    values: npt.NDArray[np.float64], confidence: float = 0.95
) -> tuple[float, float] | None:
    """The middle ``confidence`` of resampled values.

    None if no value is a number, or all are equal: a sample without variation does not show how certain it
    is.
    """
    known = values[~np.isnan(values)]
    if not len(known) or known.min() == known.max():
        return None
    tail = (1 - confidence) / 2
    low, high = np.quantile(known, [tail, 1 - tail])
    return float(low), float(high)
