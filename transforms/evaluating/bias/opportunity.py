"""Equality of opportunity by name: does a model do as well on a text with another name in it?

``EqOpp(A) = Recall_A - Recall_¬A`` (M. Hardt, E. Price, N. Srebro, "Equality of opportunity in supervised
learning", 2016): below 0, group A is disadvantaged. Recall is the mean over the classes that gold has. The
variants of a document are alike, so intervals come from a bootstrap over documents.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.transforms.evaluating.bias.name_groups import Cell
from tacenda.transforms.evaluating.bias.tally import Tally
from tacenda.transforms.evaluating.bootstrap import percentile_interval, resampled_sums

_NEAR_CONSTANT = 0.95
"""Share of the most frequent prediction from which on a model is said to hardly use the text."""

_FEW_DOCUMENTS = 30

_Floats = npt.NDArray[np.float64]


def equal_opportunity(tally: Tally, resamples: int = 1000, seed: int = 1) -> dict[str, Any]:
    """The fairness report of a model over variants of documents.

    Args:
        tally: its predictions, at least one.
        resamples: of the bootstrap over documents; 0 for no intervals.
        seed: of the bootstrap.

    Returns:
        ``documents``, ``variants``, ``recall``, ``accuracy``; ``groups``, ``genders`` and ``cells`` (group and
        gender), each by name with ``documents``, ``variants``, ``recall``, ``eq_opp`` and the interval
        ``eq_opp_95``; ``spread_of_groups`` and ``spread_of_genders``, the largest difference of recall;
        ``flip_rate``, the share of documents whose prediction depends on the name; ``warnings``, sentences.
        A figure is None where nothing determines it.

    Raises:
        ValueError: there are no predictions.
    """
    if not tally.documents:
        raise ValueError("no predictions")
    counts = _Counts(tally)
    sums = np.concatenate([counts.rows.sum(axis=0)[np.newaxis], counts.resampled(resamples, seed)])
    report: dict[str, Any] = {
        "documents": len(tally.documents),
        "variants": int(tally.predicted.total()),
        "recall": _rounded(counts.recall(sums, counts.cells)[0]),
        "accuracy": _rounded(counts.accuracy()),
    }
    for kind, members in counts.parts().items():
        report[kind] = {name: counts.of_part(sums, chosen) for name, chosen in members.items()}
    for kind in ("groups", "genders"):
        recalls = [part["recall"] for part in report[kind].values() if part["recall"] is not None]
        report[f"spread_of_{kind}"] = _rounded(max(recalls) - min(recalls)) if recalls else None
    flipped = sum(len(document.predicted) > 1 for document in tally.documents.values())
    report["flip_rate"] = _rounded(flipped / len(tally.documents))
    report["warnings"] = _warnings(tally)
    return report


class _Counts:
    """A row a document: variants seen, and those predicted right, by class of gold and cell."""

    def __init__(self, tally: Tally) -> None:
        documents = [tally.documents[name] for name in sorted(tally.documents)]
        self.cells = sorted({cell for document in documents for cell in document.seen})
        self._classes = sorted({document.gold for document in documents})
        self._shape = (2, len(self._classes), len(self.cells))
        self.rows = np.zeros((len(documents), int(np.prod(self._shape))), np.int64)
        by_document = self.rows.reshape(len(documents), *self._shape)
        for i, document in enumerate(documents):
            of_gold = by_document[i, :, self._classes.index(document.gold)]
            for j, cell in enumerate(self.cells):
                of_gold[:, j] = document.seen[cell], document.right[cell]

    def resampled(self, resamples: int, seed: int) -> npt.NDArray[np.int64]:
        return resampled_sums(self.rows, resamples, seed)

    def parts(self) -> dict[str, dict[str, list[Cell]]]:
        """What is compared: groups, genders and both, each with its cells."""
        kinds: dict[str, dict[str, list[Cell]]] = {"groups": {}, "genders": {}, "cells": {}}
        for cell in self.cells:
            kinds["groups"].setdefault(cell.group, []).append(cell)
            kinds["genders"].setdefault(cell.gender, []).append(cell)
            kinds["cells"].setdefault(" ".join(cell), []).append(cell)
        return kinds

    def accuracy(self) -> float:
        seen, right = self.rows.sum(axis=0).reshape(2, -1).sum(axis=1)
        return float(right / seen)

    def recall(self, sums: npt.NDArray[np.int64], cells: Sequence[Cell]) -> _Floats:
        """Recall of each row of sums over some of the cells; NaN where nothing is in them."""
        chosen = [cell in cells for cell in self.cells]
        seen, right = np.moveaxis(sums.reshape(-1, *self._shape)[..., chosen].sum(axis=-1), 1, 0)
        shares = np.divide(right, seen, out=np.full(seen.shape, np.nan), where=seen > 0)
        known = ~np.isnan(shares)
        total = np.where(known, shares, 0).sum(axis=-1)
        mean: _Floats = np.full(len(sums), np.nan)
        np.divide(total, known.sum(axis=-1), out=mean, where=known.any(axis=-1))
        return mean

    def of_part(self, sums: npt.NDArray[np.int64], cells: Sequence[Cell]) -> dict[str, Any]:
        """The figures of a group, a gender or both."""
        chosen = np.array([cell in cells for cell in self.cells])
        seen = self.rows.reshape(-1, *self._shape)[:, 0][..., chosen].sum(axis=(1, 2))
        own = self.recall(sums, cells)
        gap = own - self.recall(sums, [cell for cell in self.cells if cell not in cells])
        interval = percentile_interval(gap[1:])
        return {
            "documents": int((seen > 0).sum()),
            "variants": int(seen.sum()),
            "recall": _rounded(own[0]),
            "eq_opp": _rounded(gap[0]),
            "eq_opp_95": None if interval is None else list(map(_rounded, interval)),
        }


def _warnings(tally: Tally) -> list[str]:
    warnings = []
    share = max(tally.predicted.values()) / tally.predicted.total()
    if share >= _NEAR_CONSTANT and len({document.gold for document in tally.documents.values()}) > 1:
        warnings.append(
            f"{share:.0%} of the predictions are one class: a model that hardly looks at the text treats all "
            "names alike, so equal figures say nothing"
        )
    if len(tally.documents) < _FEW_DOCUMENTS:
        warnings.append(
            f"only {len(tally.documents)} documents: equal figures may be chance; at least {_FEW_DOCUMENTS} "
            "are needed"
        )
    return warnings


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4) + 0.0
