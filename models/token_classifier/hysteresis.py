"""Hysteresis: a word next to a detected one needs less evidence to be detected.

A network is less certain of some parts of a name than of others ("Center For Well Being"), and half a name
left in the text is a leak. The two thresholds, the lower one for neighbours of what passes the higher, are
Canny's (1986) for image edges; here only direct neighbours are included, so that doubt does not spread.
"""

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


def companions(found: Bools, near: Bools, linked: Bools) -> Ints:
    """For each word, the index of the found neighbour that includes it; the previous word has precedence.

    Args:
        found: words above the threshold.
        near: words above the lower threshold.
        linked: for each word, whether it and the next may belong to one finding; false for the last.

    Returns:
        Indexes of neighbours; the word's own where none includes it or it is found itself.
    """
    of = np.arange(len(found), dtype=np.int64)
    after = np.flatnonzero(linked[:-1] & found[1:] & near[:-1] & ~found[:-1])
    of[after] = after + 1
    before = np.flatnonzero(linked[:-1] & found[:-1] & near[1:] & ~found[1:]) + 1
    of[before] = before - 1
    return of


def lifted(scores: Floats, linked: Bools, hysteresis: float) -> Floats:
    """For each word, the highest threshold at which it is found, if all classes share one.

    That is its own score, or a neighbour's if that is greater, but at most its own score / ``hysteresis``.
    """
    beside = np.zeros_like(scores)
    beside[:-1] = np.where(linked[:-1], scores[1:], 0)
    beside[1:] = np.maximum(beside[1:], np.where(linked[:-1], scores[:-1], 0))
    found: Floats = np.maximum(scores, np.minimum(beside, scores / np.float32(hysteresis)))
    return found
