"""The worst outcome of a conversation: one category each, in a fixed order.

Anonymisation is judged per conversation because one missed name undoes it for all of it. From worst to best:
B missed, A false positive, C wrong type, D correct, E found though not personal data in this context (here:
with a don't-care label), F nothing to find. C, D and E are true positives.
"""

import numpy as np
import numpy.typing as npt

SEVERITIES = ("B", "A", "C", "D", "E", "F")
"""Worst first."""

RIGHT = ("C", "D", "E")
"""True positives for recall and precision per conversation."""

MEANINGS = {
    "B": "something missed",
    "A": "else a false positive",
    "C": "else a wrong type",
    "D": "else all correct",
    "E": "else only don't-care data found",
    "F": "nothing to find, nothing found",
}

Flags = npt.NDArray[np.bool_]


def severities(
    missed: Flags, false_positive: Flags, wrong_type: Flags, right: Flags, excused: Flags
) -> Flags:
    """One row per conversation, one column per severity, True at the worst that applies.

    >>> yes, no = np.array([True]), np.array([False])
    >>> severities(yes, yes, no, no, no).tolist()
    [[True, False, False, False, False, False]]
    >>> severities(no, no, no, no, no).tolist()
    [[False, False, False, False, False, True]]
    """
    holds = np.stack([missed, false_positive, wrong_type, right, excused, np.ones_like(missed)], axis=1)
    worst: Flags = holds & (np.cumsum(holds, axis=1) == 1)
    return worst
