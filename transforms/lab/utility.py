"""What anonymisation costs: how much of the text is left, and what a model trained on it still learns.

ROUGE-1: the words that two texts share (C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries",
2004).

A classifier of texts by their words: multinomial naive Bayes with add-one smoothing.

A. McCallum and K. Nigam, "A comparison of event models for naive Bayes text classification", 1998.

A small language model of words: trigrams, interpolated with bigrams and words.

``P(w | h) = (c(hw) + T(h) P(w | h')) / (c(h) + T(h))``, where T(h) is the number of different words seen
behind h (I. H. Witten and T. C. Bell, "The zero-frequency problem", 1991, method C). It has no parameters to
tune, so that differences are due to the texts.

The same models are trained on the original and on each version; the cost of a version is how much worse they
do. Intervals are bootstraps over the held-out records, the same for both models.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.evaluating.bootstrap import percentile_interval, resampled_sums


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


class Classifier:
    """Learnt from texts as words and their classes.

    Only words of ``vocabulary`` count: names that were invented for a version would make all others rarer.
    """

    def __init__(
        self, texts: Sequence[Sequence[str]], classes: Sequence[str], vocabulary: Collection[str]
    ) -> None:
        self._documents = Counter(classes)
        self._words: dict[str, Counter[str]] = {name: Counter() for name in sorted(self._documents)}
        for text, name in zip(texts, classes, strict=True):
            self._words[name].update(word for word in text if word in vocabulary)
        self._vocabulary = vocabulary
        self._totals = {name: counts.total() for name, counts in self._words.items()}

    def predict(self, text: Sequence[str]) -> str:
        """The likeliest class; of equally likely ones, the first by name."""
        known = [word for word in text if word in self._vocabulary]
        return max(self._words, key=lambda name: self._score(name, known))

    def _score(self, name: str, words: Sequence[str]) -> float:
        counts, all_words = self._words[name], self._totals[name] + len(self._vocabulary)
        return log(self._documents[name]) + sum(log((counts[word] + 1) / all_words) for word in words)


UNKNOWN = "<unknown>"
"""Any word that is not in the vocabulary."""

START = "<start>"
_ORDER = 3


def vocabulary_of(texts: Iterable[Sequence[str]], at_least: int = 2) -> frozenset[str]:
    """The words that occur at least so often, and the unknown one."""
    counts = Counter(word for text in texts for word in text)
    return frozenset({UNKNOWN, *(word for word, count in counts.items() if count >= at_least)})


class LanguageModel:
    """Learnt from texts as words; words outside of the vocabulary are all the same."""

    def __init__(self, texts: Iterable[Sequence[str]], vocabulary: frozenset[str]) -> None:
        self.vocabulary = vocabulary
        self._counts: Counter[tuple[str, ...]] = Counter()
        for text in texts:
            words = self._known(text)
            for i in range(_ORDER - 1, len(words)):
                for length in range(1, _ORDER + 1):
                    self._counts[tuple(words[i + 1 - length : i + 1])] += 1
        self._seen: Counter[tuple[str, ...]] = Counter()
        self._kinds: Counter[tuple[str, ...]] = Counter()
        for gram, count in self._counts.items():
            self._seen[gram[:-1]] += count
            self._kinds[gram[:-1]] += 1

    def has(self, word: str) -> bool:
        """Whether the word was in the texts."""
        return (word if word in self.vocabulary else UNKNOWN,) in self._counts

    def surprises(self, text: Sequence[str]) -> list[float]:
        """For each word, minus the logarithm of its probability behind those before it, in nats."""
        words = self._known(text)
        return [
            -log(self._probability(words[i - _ORDER + 1 : i], words[i]))
            for i in range(_ORDER - 1, len(words))
        ]

    def _known(self, text: Sequence[str]) -> list[str]:
        return [START] * (_ORDER - 1) + [word if word in self.vocabulary else UNKNOWN for word in text]

    def _probability(self, before: Sequence[str], word: str) -> float:
        probability = 1 / len(self.vocabulary)
        for length in range(len(before) + 1):
            history = tuple(before[len(before) - length :])
            seen, kinds = self._seen[history], self._kinds[history]
            if seen:
                gram = (*history, word)
                probability = (self._counts[gram] + kinds * probability) / (seen + kinds)
        return probability


DEAR = 0.05
"""Costs above this are reported as high."""

_MICRO = 1_000_000
"""Nats are summed as whole millionths, so that sums of resamples are exact."""

Words = Sequence[str]
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Corpus:
    """Texts as words and, where there is a task, the class of each."""

    texts: Sequence[Words]
    classes: Sequence[str] | None = None


@dataclass(frozen=True)
class Resampling:
    """Of a bootstrap: how many resamples, and the seed."""

    resamples: int = 1000
    seed: int = 1


def compare(
    original: Corpus, versions: Mapping[str, Corpus], held_out: Corpus, resampling: Resampling
) -> dict[str, Any]:
    """The figures of each version.

    Args:
        original: what the versions were made from.
        versions: by name; the same records in the same order.
        held_out: other records, untouched, to judge by.
        resampling: of the intervals.

    Returns:
        ``perplexity`` and, with a task, ``f1`` (mean over classes) of models trained on the original;
        ``versions`` by name: ``rouge_1`` with means and the interval of F1; ``perplexity``,
        ``perplexity_cost`` (.1: a tenth higher) with ``perplexity_cost_95``; the same as
        ``kept_words_cost`` over words that the version still has; ``f1``, ``f1_cost`` (.1: a tenth lower)
        with ``f1_cost_95``; and ``dear``, the costs above 5 %.
    """
    vocabulary = vocabulary_of(original.texts)
    model = LanguageModel(original.texts, vocabulary)
    surprises = list(map(model.surprises, held_out.texts))
    tokens = sum(map(len, surprises))
    report: dict[str, Any] = {
        "records": len(original.texts),
        "held_out": len(held_out.texts),
        "vocabulary": len(vocabulary),
        "perplexity": round(float(np.exp(sum(map(sum, surprises)) / tokens)), 3),
        "versions": {},
    }
    predicted = None
    if original.classes is not None and held_out.classes is not None:
        predicted = _predicted(original, held_out, vocabulary)
        report["classes"] = len(set(original.classes))
        report["f1"] = round(
            float(_f1(_confusion(held_out.classes, predicted).sum(axis=0)[np.newaxis])[0]), 4
        )
    for name, version in versions.items():
        figures = _overlaps(original, version, resampling)
        learnt = LanguageModel(version.texts, vocabulary)
        figures |= _perplexities(learnt, held_out, surprises, resampling)
        if predicted is not None and held_out.classes is not None:
            theirs = _predicted(version, held_out, vocabulary)
            figures |= _f1_figures(held_out.classes, predicted, theirs, resampling)
        costs = ("perplexity_cost", "kept_words_cost", "f1_cost")
        figures["dear"] = [cost for cost in costs if figures.get(cost, 0) > DEAR]
        report["versions"][name] = figures
    return report


def _overlaps(original: Corpus, version: Corpus, resampling: Resampling) -> dict[str, Any]:
    rows = np.array(
        [rouge_1(ours, theirs) for ours, theirs in zip(original.texts, version.texts, strict=True)]
    )
    means = _resampled(rows, resampling)[:, 2] / len(rows)
    precision, recall, f1 = rows.mean(axis=0).tolist()
    return {
        "rouge_1": {
            "precision": round(precision, 4),
            "recall": round(recall, 4),
            "f1": round(f1, 4),
            "f1_95": _interval(means),
        }
    }


def _perplexities(
    learnt: LanguageModel, held_out: Corpus, surprises: Sequence[Sequence[float]], resampling: Resampling
) -> dict[str, Any]:
    rows = []
    for text, ours in zip(held_out.texts, surprises, strict=True):
        theirs = learnt.surprises(text)
        kept = [learnt.has(word) for word in text]
        own = [
            sum(nats for nats, has in zip(several, kept, strict=True) if has) for several in (ours, theirs)
        ]
        rows.append((len(text), sum(ours), sum(theirs), sum(kept), *own))
    table = np.array(rows, np.float64)
    samples = np.concatenate([table.sum(axis=0)[np.newaxis], _resampled(table, resampling)])
    cost = np.exp((samples[:, 2] - samples[:, 1]) / samples[:, 0]) - 1
    of_kept = np.exp((samples[:, 5] - samples[:, 4]) / np.maximum(samples[:, 3], 1)) - 1
    return {
        "perplexity": round(float(np.exp(samples[0, 2] / samples[0, 0])), 3),
        "perplexity_cost": round(float(cost[0]), 4),
        "perplexity_cost_95": _interval(cost[1:]),
        "kept_words_cost": round(float(of_kept[0]), 4),
        "kept_words_cost_95": _interval(of_kept[1:]),
    }


def _predicted(corpus: Corpus, held_out: Corpus, vocabulary: Collection[str]) -> list[str]:
    predict = Classifier(corpus.texts, corpus.classes or (), vocabulary).predict
    return list(map(predict, held_out.texts))


def _f1_figures(
    gold: Sequence[str], ours: Sequence[str], theirs: Sequence[str], resampling: Resampling
) -> dict[str, Any]:
    both = np.concatenate([_confusion(gold, ours), _confusion(gold, theirs)], axis=1)
    samples = np.concatenate([both.sum(axis=0)[np.newaxis], _resampled(both, resampling)])
    half = both.shape[1] // 2
    before, after = _f1(samples[:, :half]), _f1(samples[:, half:])
    cost = 1 - np.divide(after, before, out=np.ones_like(after), where=before > 0)
    return {
        "f1": round(float(after[0]), 4),
        "f1_cost": round(float(cost[0]), 4) + 0.0,
        "f1_cost_95": _interval(cost[1:]),
    }


def _confusion(gold: Sequence[str], predicted: Sequence[str]) -> _Floats:
    """A row a record: for each class of gold, whether it is gold, is predicted, and both."""
    classes = sorted(set(gold))
    return np.array(
        [
            [flag for name in classes for flag in (one == name, other == name, one == other == name)]
            for one, other in zip(gold, predicted, strict=True)
        ],
        np.float64,
    )


def _f1(sums: _Floats) -> _Floats:
    """The mean over classes of 2 TP / (gold + predicted), for each row of sums."""
    gold, predicted, both = np.moveaxis(sums.reshape(len(sums), -1, 3), -1, 0)
    either = gold + predicted
    mean: _Floats = np.divide(2 * both, either, out=np.zeros_like(both), where=either > 0).mean(axis=1)
    return mean


def _resampled(rows: _Floats, resampling: Resampling) -> _Floats:
    whole = np.rint(rows * _MICRO).astype(np.int64)
    return resampled_sums(whole, resampling.resamples, resampling.seed) / _MICRO


def _interval(values: _Floats) -> list[float] | None:
    found = percentile_interval(values)
    return None if found is None else [round(value, 4) for value in found]
