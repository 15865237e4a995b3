"""The threshold at which words count as personal data, chosen on annotated words."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Threshold(NamedTuple):
    """Words whose log score is below ``log_score`` count; ``f1`` is what that gives on the words given."""

    log_score: float
    f1: float


def best_threshold(log_scores: npt.NDArray[np.float64], is_personal: npt.NDArray[np.bool_]) -> Threshold:
    """The threshold with the best F1; of several, the lowest, which hides least.

    Every distinct score is tried, so no grid can miss it.

    >>> best_threshold(np.array([-9.0, -8.0, -1.0]), np.array([True, True, False]))
    Threshold(log_score=-1.0, f1=1.0)

    Raises:
        ValueError: no word is personal data.
    """
    if not is_personal.any():
        raise ValueError("no annotated word")
    order = np.argsort(log_scores, kind="stable")
    ordered = log_scores[order]
    right = np.concatenate(([0], np.cumsum(is_personal[order])))
    values = np.append(np.unique(ordered), np.inf)
    below = np.searchsorted(ordered, values, side="left")
    f1 = 2 * right[below] / (below + right[-1])
    best = int(np.argmax(f1))
    # Above the last score, any probability will do: 1 at most.
    return Threshold(float(min(values[best], 0.0)), float(f1[best]))
