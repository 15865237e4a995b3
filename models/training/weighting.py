"""Class weights: rarer classes weigh more, by their frequency in the training split."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.models.training.corpora import IGNORED, LabelScheme

_LEAST, _MOST = 0.1, 10.0


def balanced(records: Sequence[Mapping[str, Any]], scheme: LabelScheme) -> npt.NDArray[np.float32]:
    """One weight per class: inverse to its number of spans, clipped to .1 to 10, with a mean of 1 per span.

    Classes without spans have weight 1, as has "O" (rule of King and Zeng, Political Analysis 2001).
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
