"""Hysteresis: a word next to a detected one needs less evidence to be detected.

Names have parts that a network is less sure of than of the rest ("Center For Well Being"); half a name that
stays in the text is a leak. Two thresholds, the lower for what touches something above the higher, are
Canny's (1986) for edges in pictures; here a word goes along with its direct neighbour only, so that doubt
does not spread.
"""

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


def companions(found: Bools, near: Bools, linked: Bools) -> Ints:
    """For each word the found one beside it that takes it along, the one before rather than the one after.

    Args:
        found: words above the threshold.
        near: words above the part of it that suffices beside a found word.
        linked: for each word, whether it and the next may be parts of one place; false for the last.

    Returns:
        Its index; where none takes it along, or needs to, the word's own.
    """
    of = np.arange(len(found), dtype=np.int64)
    after = np.flatnonzero(linked[:-1] & found[1:] & near[:-1] & ~found[:-1])
    of[after] = after + 1
    before = np.flatnonzero(linked[:-1] & found[:-1] & near[1:] & ~found[1:]) + 1
    of[before] = before - 1
    return of


def lifted(scores: Floats, linked: Bools, hysteresis: float) -> Floats:
    """For each word the threshold below which it is found, where all classes have the same.

    Its own score, or what a word beside it reaches as far as its own score is the part ``hysteresis`` of that.
    """
    beside = np.zeros_like(scores)
    beside[:-1] = np.where(linked[:-1], scores[1:], 0)
    beside[1:] = np.maximum(beside[1:], np.where(linked[:-1], scores[:-1], 0))
    found: Floats = np.maximum(scores, np.minimum(beside, scores / np.float32(hysteresis)))
    return found
