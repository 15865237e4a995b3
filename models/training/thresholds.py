"""Choose thresholds on development data: the highest recall for which F1 drops by at most a given amount.

For the rule SUM (``models.token_classifier.decoding_settings``): the probabilities of all classes asked for
are summed and compared with the limit of the most probable class. The curve of an infoType uses one limit for
all classes, so that finding its spans does not depend on which class their words are assigned to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.decoding import lifted, verdicts
from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.spans import linked
from tacenda.models.training.figures import f1
from tacenda.models.training.gold_tokens import Floats, GoldPart, Ints, ScoredGold

LIMITS: tuple[float, ...] = (*(round(0.2 + 0.05 * i, 2) for i in range(16)), 0.97, 0.98, 0.99)
"""Limits at which the curve is measured. Perfect scores on development gold do not show how low a limit can
go on other text, so none goes below the first: at .1, small talk was taken for streets and postcodes."""

ALL = "*"
"""Name of the curve of all classes together."""

_ENOUGH = 20
"""Fewest gold spans, in conversations whose gold is complete for the class, for a reliable curve."""


@dataclass(frozen=True, slots=True)
class Point:
    """One limit of a curve; precision and F1 are None if no finding could be judged."""

    limit: float
    recall: float
    precision: float | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class Curve:
    """Recall and precision by limit; ``judged_support`` counts the gold spans where precision is judged."""

    support: int
    judged_support: int
    points: tuple[Point, ...]

    def chosen(self, delta: float) -> float | None:
        """The lowest limit (so the highest recall) with an F1 at most ``delta`` below the best.

        None if there is too little gold.
        """
        known = [p for p in self.points if p.f1 is not None]
        if self.judged_support < _ENOUGH or not known:
            return None
        best = max(p.f1 or 0.0 for p in known)
        return min(p.limit for p in known if (p.f1 or 0.0) >= best - delta)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "support": self.support,
            "judged_support": self.judged_support,
            "points": [
                {name: _rounded(getattr(p, name)) for name in ("limit", "recall", "precision", "f1")}
                for p in self.points
            ],
        }


def curves(gold: ScoredGold, asked: Sequence[str], hysteresis: float = 1.0) -> dict[str, Curve]:
    """The curve of each class asked for, and of all together."""
    words = [_words(part, gold, asked, hysteresis) for part in gold.parts]
    word = {key: np.concatenate([w[key] for w in words]) for key in words[0]}
    spans = [_spans(part, gold, w["scores"]) for part, w in zip(gold.parts, words, strict=True)]
    span = {key: np.concatenate([s[key] for s in spans]) for key in spans[0]}
    made = {}
    for name in (*asked, ALL):
        mine = np.array([gold.classes.index(n) for n in (asked if name == ALL else [name])])
        of_span, of_word = np.isin(span["classes"], mine), np.isin(word["classes"], mine)
        made[name] = _curve(
            {key: column[of_span] for key, column in span.items()},
            {key: column[of_word & word["judged"].astype(bool)] for key, column in word.items()},
        )
    return made


def decided(named: Mapping[str, Curve], delta: float, fallback: float = Decision().threshold) -> Decision:
    """The rule SUM with the limits chosen on the curves; classes without one use that of all together."""
    whole = named[ALL].chosen(delta)
    threshold = fallback if whole is None else whole
    own = {name: curve.chosen(delta) for name, curve in named.items() if name != ALL}
    return Decision(
        Rule.SUM, threshold, tuple(sorted((n, limit) for n, limit in own.items() if limit is not None))
    )


def _curve(span: Mapping[str, Any], word: Mapping[str, Any]) -> Curve:
    support = len(span["scores"])
    found = _above(span["scores"], np.ones(support, np.int64))
    right, judged = _above(word["scores"], word["gold"]), _above(word["scores"], word["chars"])
    points = []
    for limit, n, g, c in zip(LIMITS, found.tolist(), right.tolist(), judged.tolist(), strict=True):
        recall = n / support if support else 0.0
        precision = g / c if c else None
        points.append(Point(limit, recall, precision, f1(recall, precision) if support else None))
    return Curve(support, int(span["judged"].sum()), tuple(points))


def _above(scores: Floats, amounts: Ints) -> Ints:
    """For each limit, the sum of the amounts whose score is above it."""
    order = np.argsort(scores, kind="stable")
    before = np.concatenate([[0], np.cumsum(amounts[order])])
    at = np.searchsorted(scores[order], np.array(LIMITS, np.float32), side="right")
    above: Ints = before[-1] - before[at]
    return above


def _words(
    part: GoldPart, gold: ScoredGold, asked: Sequence[str], hysteresis: float
) -> dict[str, npt.NDArray[Any]]:
    """For every word, the limit below which it is found, its class, characters, and gold characters."""
    on = verdicts(part.probabilities, (None, *gold.classes[1:]), Decision(Rule.SUM, 0.0), asked)
    words = part.column.words
    starts, ends = part.encoded.places(part.column.origins)
    first = np.searchsorted(words.ends, starts, side="right")
    counts = np.maximum(np.searchsorted(words.starts, ends, side="left") - first, 0)
    token = np.repeat(np.arange(len(starts)), counts)
    word = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(len(token))
    order = np.lexsort((token, -on.scores[token], word))
    word, token = word[order], token[order]
    surest = np.ones(len(word), np.bool_)
    surest[1:] = word[1:] != word[:-1]
    word, token = word[surest], token[surest]
    number = np.array([gold.classes.index(name) for name in asked])
    scores = np.zeros(len(words.starts), np.float32)
    classes = np.zeros(len(words.starts), np.int64)
    scores[word], classes[word] = on.scores[token], number[on.info_types[token]]
    neutral = part.neutral_before[words.ends] - part.neutral_before[words.starts]
    conversation = part.conversation_of[part.column.cells(words.starts)]
    return {
        "scores": lifted(scores, linked(part.column, np.arange(len(scores))), hysteresis),
        "classes": classes,
        "chars": part.before[words.ends] - part.before[words.starts] - neutral,
        "gold": part.gold_before[words.ends] - part.gold_before[words.starts],
        "judged": part.judged[conversation, classes],
    }


def _spans(part: GoldPart, gold: ScoredGold, scores: Floats) -> dict[str, npt.NDArray[Any]]:
    """For every gold span, the lowest score of its words: it is wholly found at any limit below."""
    words = part.column.words
    first = np.searchsorted(words.ends, part.spans.starts, side="right")
    last = np.searchsorted(words.starts, part.spans.ends, side="left")
    # reduceat over (first, last) pairs: every second result is for the gap between spans and is dropped.
    # Spans without words count as found.
    padded = np.append(scores, np.float32(1))
    filled = last > first
    least = np.ones(len(first), np.float32)
    if filled.any():
        bounds = np.stack([first[filled], last[filled]], axis=1).ravel()
        least[filled] = np.minimum.reduceat(padded, bounds)[::2]
    return {
        "scores": least,
        "classes": part.spans.classes,
        "judged": part.judged[part.spans.conversations, part.spans.classes].astype(np.int64),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
