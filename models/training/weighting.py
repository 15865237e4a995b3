"""Class weights: what is rarer weighs more, by its frequency in the training split."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.models.training.corpora import IGNORED, OUTSIDE, LabelScheme

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


def sensitive(records: Sequence[Mapping[str, Any]], scheme: LabelScheme) -> npt.NDArray[np.float32]:
    """One weight for all classes: how many words outside of spans there are for each word within, at least 1.

    So all personal data weighs as much as all other text, which finds more at the price of precision (Szawerna
    and others, CALD-pseudo 2024, with one class). "O" has weight 1.
    """
    within = words = 0
    for record in records:
        for turn in record["turns"]:
            words += len(turn["text"].split())
            of_classes = (s for s in turn["spans"] if scheme.class_of(s) not in (OUTSIDE, IGNORED))
            within += sum(len(turn["text"][s["start"] : s["end"]].split()) for s in of_classes)
    weights = np.ones(len(scheme.classes), np.float32)
    weights[1:] = max((words - within) / within, 1.0) if within else 1.0
    return weights


WEIGHTS: Mapping[
    str, Callable[[Sequence[Mapping[str, Any]], LabelScheme], npt.NDArray[np.float32]] | None
] = {"none": None, "balanced": balanced, "sensitive": sensitive}
"""By the name of the option."""
