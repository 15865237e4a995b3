"""Class weights: rarer classes weigh more, by their frequency in the training split."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.models.training.corpora import IGNORED, LabelScheme

_LEAST, _MOST = 0.1, 10.0


def balanced(records: Sequence[Mapping[str, Any]], scheme: LabelScheme) -> npt.NDArray[np.float32]:
    """One weight a class: inverse to its number of spans, from .1 to 10, and 1 for a span on average.

    A class without spans weighs 1, as "O" does (King and Zeng, Political Analysis 2001, for the rule).
    """
    known = [
        c for r in records for turn in r["turns"] for c in map(scheme.class_of, turn["spans"]) if c != IGNORED
    ]
    counts = np.bincount(np.array(known, np.int64), minlength=len(scheme.classes))
    counts[0] = 0
    weights = np.ones(len(counts), np.float32)
    there = counts > 0
    if there.any():
        weights[there] = (counts.sum() / there.sum() / counts[there]).clip(_LEAST, _MOST)
        weights[there] *= counts.sum() / (weights[there] * counts[there]).sum()
    return weights
