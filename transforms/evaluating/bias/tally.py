"""Counts of predictions by document and name group, which add up in any order."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from tacenda.transforms.evaluating.bias.name_groups import Cell


class Prediction(NamedTuple):
    """What a model said of one variant of a document; ``cell`` is the group and gender of the name in it."""

    document: str
    cell: Cell
    gold: str
    predicted: str


class ContradictingGoldError(ValueError):
    """Variants of one document have different golds."""


@dataclass
class DocumentCounts:
    """Variants of one document, by cell: ``seen``, and ``right`` where the prediction is the gold."""

    gold: str
    seen: Counter[Cell] = field(default_factory=Counter)
    right: Counter[Cell] = field(default_factory=Counter)
    predicted: set[str] = field(default_factory=set)


@dataclass
class Tally:
    """Counts by document, and how often each class was predicted."""

    documents: dict[str, DocumentCounts] = field(default_factory=dict)
    predicted: Counter[str] = field(default_factory=Counter)

    def add(self, predictions: Iterable[Prediction]) -> "Tally":
        """Count predictions; returns itself.

        Raises:
            ContradictingGoldError: a document has two golds.
        """
        for document, cell, gold, predicted in predictions:
            counts = self.documents.setdefault(document, DocumentCounts(gold))
            if counts.gold != gold:
                raise ContradictingGoldError
            counts.seen[cell] += 1
            counts.right[cell] += predicted == gold
            counts.predicted.add(predicted)
            self.predicted[predicted] += 1
        return self

    def merge(self, other: "Tally") -> "Tally":
        """Add the counts of another tally; returns itself.

        Raises:
            ContradictingGoldError: a document has two golds.
        """
        for document, theirs in other.documents.items():
            ours = self.documents.setdefault(document, DocumentCounts(theirs.gold))
            if ours.gold != theirs.gold:
                raise ContradictingGoldError
            ours.seen += theirs.seen
            ours.right += theirs.right
            ours.predicted |= theirs.predicted
        self.predicted += other.predicted
        return self
