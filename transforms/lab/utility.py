"""What anonymisation costs: how much of the text is left, and what a classifier trained on it still learns.

ROUGE-1: the words that two texts share (C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries",
2004). The classifier is multinomial naive Bayes over words with add-one smoothing (A. McCallum and K. Nigam, "A
comparison of event models for naive Bayes text classification", 1998); it has nothing to tune, so differences
are due to the texts. It is trained on the original and on each version; the cost of a version is how much worse
it does. Intervals are bootstraps over records, the same for both.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.transforms.evaluating.metrics import percentile_interval, resampled_sums

HIGH = 0.05
"""A cost above this is reported as high."""

_LEAST_OFTEN = 2
"""How often a word must occur in the original to count for the classifier."""

_MICRO = 1_000_000
"""Shares are summed as whole millionths, so that sums of resamples are exact."""

Words = Sequence[str]
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Corpus:
    """Texts as words and, where there is a task, the class of each."""

    texts: Sequence[Words]
    classes: Sequence[str] | None = None


def rouge_1(reference: Words, other: Words) -> tuple[float, float, float]:
    """Precision, recall and F1 of the words of another text; 1 for two empty texts.

    >>> rouge_1(["ann", "is", "in"], ["is", "in", "is", "on"])
    (0.5, 0.6666666666666666, 0.5714285714285714)
    """
    shared = (Counter(reference) & Counter(other)).total()
    if not reference and not other:
        return 1.0, 1.0, 1.0
    precision = shared / len(other) if other else 0.0
    recall = shared / len(reference) if reference else 0.0
    return precision, recall, 2 * shared / (len(reference) + len(other))


class Classifier:
    """Learnt from texts as words and their classes.

    Only words of ``vocabulary`` count: names that were invented for a version would make all others rarer.
    """

    def __init__(self, corpus: Corpus, vocabulary: Collection[str]) -> None:
        classes = corpus.classes or ()
        self._documents = Counter(classes)
        self._words: dict[str, Counter[str]] = {name: Counter() for name in sorted(self._documents)}
        for text, name in zip(corpus.texts, classes, strict=True):
            self._words[name].update(word for word in text if word in vocabulary)
        self._vocabulary = vocabulary

    def predict(self, text: Words) -> str:
        """The likeliest class; of equally likely ones, the first by name."""
        known = [word for word in text if word in self._vocabulary]
        return max(self._words, key=lambda name: self._score(name, known))

    def _score(self, name: str, words: Words) -> float:
        counts = self._words[name]
        all_words = counts.total() + len(self._vocabulary)
        return log(self._documents[name]) + sum(log((counts[word] + 1) / all_words) for word in words)


def compare(
    original: Corpus, versions: Mapping[str, Corpus], held_out: Corpus, resamples: int, seed: int
) -> dict[str, Any]:
    """The figures of each version.

    Args:
        original: what the versions were made from.
        versions: by name; the same records in the same order.
        held_out: other records, untouched, to judge by.
        resamples: of the bootstrap.
        seed: of the bootstrap.

    Returns:
        With a task, ``f1`` (mean over classes) of the classifier trained on the original; ``versions`` by name:
        ``rouge_1`` with means and the interval of F1; with a task ``f1``, ``f1_cost`` (.1: a tenth lower) with
        ``f1_cost_95``, and ``high``, whether that is above 5 %.
    """
    often = Counter(word for text in original.texts for word in text)
    vocabulary = frozenset(word for word, count in often.items() if count >= _LEAST_OFTEN)
    report: dict[str, Any] = {
        "records": len(original.texts),
        "held_out": len(held_out.texts),
        "vocabulary": len(vocabulary),
        "versions": {name: _overlaps(original, one, resamples, seed) for name, one in versions.items()},
    }
    gold = held_out.classes
    if original.classes is None or gold is None:
        return report
    before = [*map(Classifier(original, vocabulary).predict, held_out.texts)]
    report["classes"] = len(set(original.classes))
    report["f1"] = round(float(_f1(_confusion(gold, before).sum(axis=0)[np.newaxis])[0]), 4)
    for name, version in versions.items():
        after = [*map(Classifier(version, vocabulary).predict, held_out.texts)]
        report["versions"][name] |= _f1_figures(gold, before, after, resamples, seed)
    return report


def _overlaps(original: Corpus, version: Corpus, resamples: int, seed: int) -> dict[str, Any]:
    rows = np.array([*map(rouge_1, original.texts, version.texts)])
    means = (
        resampled_sums(np.rint(rows * _MICRO).astype(np.int64), resamples, seed)[:, 2] / _MICRO / len(rows)
    )
    named = zip(("precision", "recall", "f1"), rows.mean(axis=0).tolist(), strict=True)
    return {"rouge_1": {**{name: round(mean, 4) for name, mean in named}, "f1_95": _interval(means)}}


def _f1_figures(
    gold: Sequence[str], before: Sequence[str], after: Sequence[str], resamples: int, seed: int
) -> dict[str, Any]:
    both = np.concatenate([_confusion(gold, before), _confusion(gold, after)], axis=1)
    samples = np.concatenate([both.sum(axis=0)[np.newaxis], resampled_sums(both, resamples, seed)])
    ours, theirs = map(_f1, np.split(samples, 2, axis=1))
    cost = 1 - np.divide(theirs, ours, out=np.ones_like(theirs), where=ours > 0)
    return {
        "f1": round(float(theirs[0]), 4),
        "f1_cost": round(float(cost[0]), 4) + 0.0,
        "f1_cost_95": _interval(cost[1:]),
        "high": bool(cost[0] > HIGH),
    }


def _confusion(gold: Sequence[str], predicted: Sequence[str]) -> npt.NDArray[np.int64]:
    """A row a record: for each class of gold, whether it is gold, is predicted, and both."""
    return np.array(
        [
            [
                flag
                for name in sorted(set(gold))
                for flag in (one == name, other == name, one == other == name)
            ]
            for one, other in zip(gold, predicted, strict=True)
        ],
        np.int64,
    )


def _f1(sums: npt.NDArray[np.int64]) -> _Floats:
    """The mean over classes of 2 TP / (gold + predicted), for each row of sums."""
    gold, predicted, both = np.moveaxis(sums.reshape(len(sums), -1, 3), -1, 0)
    either = gold + predicted
    mean: _Floats = np.divide(2 * both, either, out=np.zeros(both.shape), where=either > 0).mean(axis=1)
    return mean


def _interval(values: _Floats) -> list[float] | None:
    found = percentile_interval(values)
    return None if found is None else [round(value, 4) for value in found]
