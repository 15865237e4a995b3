"""Membership inference: does a model's loss tell whether a record was among its training data?

The attack of S. Yeom et al., "Privacy risk in machine learning", 2018, calls a record a member if its loss is
below a threshold. It is evaluated over all thresholds and, as N. Carlini et al. recommend in "Membership
inference attacks from first principles", 2022, at low false-positive rates.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.transforms.scoring.intervals import wilson_interval

FALSE_POSITIVE_RATES = (0.001, 0.01, 0.1)
"""False-positive rates at which the attack is reported."""

_NORMAL_95 = 1.959963984540054
_Floats = npt.NDArray[np.float64]


def membership(members: Sequence[float], others: Sequence[float]) -> dict[str, Any]:
    """How well losses tell members of the training data from other records.

    Args:
        members: losses of records that the model was trained on, at least two.
        others: losses of records that it was not trained on, at least two.

    Returns:
        ``members`` and ``others``, counts; ``auc``, the probability that a member has the lower loss (0.5
        is chance), with ``auc_95`` by DeLong's variance; ``true_positive_rates`` by false positive rate,
        each with ``rate`` and its interval ``rate_95``, or None if there are too few others to measure it.
    """
    low, high = np.asarray(members, np.float64), np.asarray(others, np.float64)
    of_members, of_others = _above(low, high), 1 - _above(high, low)
    auc = float(of_members.mean())
    error = sqrt(of_members.var(ddof=1) / len(low) + of_others.var(ddof=1) / len(high))
    return {
        "members": len(low),
        "others": len(high),
        "auc": round(auc, 4),
        "auc_95": [round(float(np.clip(auc + sign * _NORMAL_95 * error, 0, 1)), 4) for sign in (-1, 1)],
        "true_positive_rates": {str(rate): _rate_at(low, high, rate) for rate in FALSE_POSITIVE_RATES},
    }


def _above(some: _Floats, others: _Floats) -> _Floats:
    """For each value, the share of the others above it; equal ones count half."""
    ordered = np.sort(others)
    below, up_to = np.searchsorted(ordered, some, "left"), np.searchsorted(ordered, some, "right")
    shares: _Floats = 1 - (below + up_to) / 2 / len(others)
    return shares


def _rate_at(members: _Floats, others: _Floats, false_rate: float) -> dict[str, Any] | None:
    accused = int(false_rate * len(others) + 1e-9)
    if not accused:
        return None
    # At most that many of the others are below it.
    threshold = np.sort(others)[accused]
    found = int((members < threshold).sum())
    low, high = wilson_interval(found, len(members))
    return {"rate": round(found / len(members), 4), "rate_95": [round(low, 4), round(high, 4)]}
