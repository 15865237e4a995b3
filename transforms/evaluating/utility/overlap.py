"""ROUGE-1: the words that two texts share (C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of
Summaries", 2004).
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class Overlap(NamedTuple):
    """``recall``: the share of the reference's words that are in the other text; ``precision``: the reverse."""

    precision: float
    recall: float
    f1: float


def rouge_1(reference: Sequence[str], other: Sequence[str]) -> Overlap:
    """The overlap of two texts as words, each counted as often as both have it; 1 for two empty texts.

    >>> rouge_1(["ann", "is", "in"], ["is", "in", "is", "on"])
    Overlap(precision=0.5, recall=0.6666666666666666, f1=0.5714285714285714)
    """
    shared = (Counter(reference) & Counter(other)).total()
    if not reference and not other:
        return Overlap(1.0, 1.0, 1.0)
    precision = shared / len(other) if other else 0.0
    recall = shared / len(reference) if reference else 0.0
    return Overlap(precision, recall, 2 * shared / (len(reference) + len(other)))
