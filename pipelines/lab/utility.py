"""Run ``tacenda lab utility``: what anonymisation costs in words, and in what a classifier learns from them.

ROUGE-1: the words that two texts share (C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries",
2004). The classifier is multinomial naive Bayes over words with add-one smoothing (A. McCallum and K. Nigam, "A
comparison of event models for naive Bayes text classification", 1998); it has nothing to tune, so differences
are due to the texts. It is trained on the original and on each version; the cost of a version is how much worse
it does. Intervals are bootstraps over records, the same for both.

Only the drawn conversations are collected, as many as the user says.
"""

from argparse import Namespace
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from importlib.metadata import version
from math import log
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.lab.audit import tokens
from tacenda.pipelines.lab.reading import Record, drawn, plan_with, tell
from tacenda.transforms.evaluating.metrics import percentile_interval, resampled_sums
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.options import ReadOptions

HIGH = 0.05  # a cost above this is reported as high
_LEAST_OFTEN = 2  # how often a word must occur in the original to count for the classifier
_MICRO = 1_000_000  # shares are summed as whole millionths, so that sums of resamples are exact
_ORIGINAL, _HELD_OUT = "original", "held-out"

Words = Sequence[str]
_Floats = npt.NDArray[np.float64]


class Corpus(NamedTuple):
    """Texts as words and, where there is a task, the class of each."""

    texts: Sequence[Words]
    classes: Sequence[str] | None = None


def rouge_1(reference: Words, other: Words) -> float:
    """The F1 of the words that two texts share; 1 for two empty texts.

    >>> rouge_1(["ann", "is", "in"], ["is", "in", "is", "on"])
    0.5714285714285714
    """
    shared, words = (Counter(reference) & Counter(other)).total(), len(reference) + len(other)
    return 2 * shared / words if words else 1.0


def predictions(corpus: Corpus, vocabulary: Collection[str], texts: Sequence[Words]) -> list[str]:
    """The likeliest class of each text, learnt from a corpus; of equally likely ones, the first by name.

    Only words of the vocabulary count: names that were invented for a version would make all others rarer.
    """
    classes = corpus.classes or ()
    documents = Counter(classes)
    words: dict[str, Counter[str]] = {name: Counter() for name in sorted(documents)}
    for text, name in zip(corpus.texts, classes, strict=True):
        words[name].update(word for word in text if word in vocabulary)
    totals = {name: counts.total() + len(vocabulary) for name, counts in words.items()}

    def score(name: str, text: Words) -> float:
        own, total = words[name], totals[name]
        return log(documents[name]) + sum(log((own[word] + 1) / total) for word in text)

    known = ([word for word in text if word in vocabulary] for text in texts)
    return [max(words, key=lambda name: score(name, text)) for text in known]


def compare(
    original: Corpus, versions: Mapping[str, Corpus], held_out: Corpus, resamples: int, seed: int
) -> dict[str, Any]:
    """The figures of each version.

    Versions have the same records in the same order; ``held_out`` are other records, untouched, to judge by.

    Returns:
        With a task, ``f1`` (mean over classes) of the classifier trained on the original; ``versions`` by name:
        ``rouge_1``, the mean, and its interval; with a task ``f1``, ``f1_cost`` (.1: a tenth lower) with
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
    before = _confusion(gold, predictions(original, vocabulary, held_out.texts))
    report["classes"] = len(set(original.classes))
    report["f1"] = round(float(_f1(before.sum(axis=0)[np.newaxis])[0]), 4)
    for name, one in versions.items():
        after = _confusion(gold, predictions(one, vocabulary, held_out.texts))
        both = np.concatenate([before, after], axis=1)
        samples = np.concatenate([both.sum(axis=0)[np.newaxis], resampled_sums(both, resamples, seed)])
        ours, theirs = map(_f1, np.split(samples, 2, axis=1))
        cost = 1 - np.divide(theirs, ours, out=np.ones_like(theirs), where=ours > 0)
        report["versions"][name] |= {
            "f1": round(float(theirs[0]), 4),
            "f1_cost": round(float(cost[0]), 4) + 0.0,
            "f1_cost_95": _interval(cost[1:]),
            "high": bool(cost[0] > HIGH),
        }
    return report


def _overlaps(original: Corpus, version: Corpus, resamples: int, seed: int) -> dict[str, Any]:
    shares = np.array([*map(rouge_1, original.texts, version.texts)])
    sums = resampled_sums(np.rint(shares * _MICRO).astype(np.int64)[:, np.newaxis], resamples, seed)
    interval = _interval(sums[:, 0] / _MICRO / len(shares))
    return {"rouge_1": round(float(shares.mean()), 4), "rouge_1_95": interval}


def _confusion(gold: Sequence[str], predicted: Sequence[str]) -> npt.NDArray[np.int64]:
    """A row a record: for each class of gold, whether it is gold, is predicted, and both."""
    classes = np.array(sorted(set(gold)), np.object_)
    one, other = (np.array(several, np.object_)[:, np.newaxis] == classes for several in (gold, predicted))
    return np.stack([one, other, one & other], axis=2).reshape(len(gold), -1).astype(np.int64)


def _f1(sums: npt.NDArray[np.int64]) -> _Floats:
    """The mean over classes of 2 TP / (gold + predicted), for each row of sums."""
    gold, predicted, both = np.moveaxis(sums.reshape(len(sums), -1, 3), -1, 0)
    either = gold + predicted
    mean: _Floats = np.divide(2 * both, either, out=np.zeros(both.shape), where=either > 0).mean(axis=1)
    return mean


def _interval(values: _Floats) -> list[float] | None:
    found = percentile_interval(values)
    return None if found is None else [round(value, 4) for value in found]


def utility(arguments: Namespace) -> int:
    """Measure, as the arguments say; returns the exit code."""
    urls = {_ORIGINAL: arguments.original}
    for name, url in arguments.anonymized:
        urls.setdefault(name, []).append(url)
        if name in (_ORIGINAL, _HELD_OUT):
            raise UserError(f"--anonymized {name}: is the name of another corpus; choose one")
    urls[_HELD_OUT] = arguments.held_out
    task = {} if arguments.task is None else {arguments.task: "--task"}
    found = {}
    for name, several in urls.items():
        option = f"--{name}" if name in (_ORIGINAL, _HELD_OUT) else f"--anonymized {name}"
        plan = plan_with(several, ReadOptions(unit_bytes=arguments.unit_bytes), option, task)
        found[name] = drawn(plan, arguments.records, arguments, tuple(task), seed=arguments.seed).records
    corpora = _aligned(found)
    original, held_out = corpora.pop(_ORIGINAL), corpora.pop(_HELD_OUT)
    report = compare(original, corpora, held_out, arguments.bootstrap, arguments.seed)
    high = [name for name, one in report["versions"].items() if one.get("high")]
    notes = (f"{name}: anonymisation costs more than {HIGH:.0%} of F1" for name in high)
    tell(arguments, {"version": version("tacenda"), **report}, *notes)
    return ExitCode.DONE


def _aligned(found: Mapping[str, Sequence[Record]]) -> dict[str, Corpus]:
    """The conversations that the original and all versions have, in one order; and the held-out ones."""
    by_name = {name: {record.name: record for record in records} for name, records in found.items()}
    held_out = by_name.pop(_HELD_OUT)
    shared = sorted(set.intersection(*map(set, by_name.values())))
    if not shared:
        raise UserError("--anonymized: has no conversation of the original; give one made from it")
    if held_out.keys() & by_name[_ORIGINAL].keys():
        raise UserError("--held-out: has conversations of the original; give others")
    if not held_out:
        raise UserError("--held-out: no conversation could be read")

    def corpus(records: Sequence[Record]) -> Corpus:
        classes = [str(value) for record in records for value in record.values]
        return Corpus([tokens(record.text) for record in records], classes or None)

    corpora = {name: corpus([of_version[i] for i in shared]) for name, of_version in by_name.items()}
    return {**corpora, _HELD_OUT: corpus(found[_HELD_OUT])}
