"""Accuracy on scored gold: recall of whole spans, precision of characters, conversations that leak.

The metrics are those of ``tacenda evaluate``: a span is found if findings, of any infoType, cover all its
letters and digits; precision counts letters and digits, where the gold is complete for the finding's
infoType.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacenda.models.token_classifier.decoding import verdicts
from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.spans import spans
from tacenda.models.training.gold_tokens import Bools, GoldPart, Ints, ScoredGold, covered
from tacenda.transforms.schema.likelihood import Likelihood


@dataclass(slots=True)
class Tally:
    """Counts for a class, corpus, language or all: gold spans, spans found, characters judged and correct."""

    support: int = 0
    found: int = 0
    judged: int = 0
    right: int = 0

    @property
    def recall(self) -> float | None:
        """Share of the gold spans that are found; None without any."""
        return self.found / self.support if self.support else None

    @property
    def precision(self) -> float | None:
        """Share of the judged characters that are right; None without any."""
        return self.right / self.judged if self.judged else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean; None if either is None."""
        recall, precision = self.recall, self.precision
        if recall is None or precision is None:
            return None
        return 2 * recall * precision / (recall + precision) if recall + precision else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The counts and the metrics."""
        return {
            "support": self.support,
            "found": self.found,
            "recall": _rounded(self.recall),
            "judged_characters": self.judged,
            "precision": _rounded(self.precision),
            "f1": _rounded(self.f1),
        }


@dataclass(slots=True)
class Figures:
    """Tallies for one decision; of ``conversations`` with gold, ``leaking`` have a span not wholly found."""

    whole: Tally = field(default_factory=Tally)
    by_class: dict[str, Tally] = field(default_factory=dict)
    by_corpus: dict[str, Tally] = field(default_factory=dict)
    by_language: dict[str, Tally] = field(default_factory=dict)
    conversations: int = 0
    leaking: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            **self.whole.to_dict(),
            "conversations": self.conversations,
            "leak_rate": _rounded(self.leaking / self.conversations if self.conversations else None),
            "by_info_type": {name: tally.to_dict() for name, tally in self.by_class.items()},
            "by_corpus": {name: tally.to_dict() for name, tally in self.by_corpus.items()},
            "by_language": {name: tally.to_dict() for name, tally in self.by_language.items() if name},
        }


def figures(gold: ScoredGold, decision: Decision, asked: Sequence[str]) -> Figures:
    """Measure the classes ``asked``; spans of other classes count as gold for precision, but not for recall."""
    made = Figures(
        by_class={name: Tally() for name in asked},
        by_corpus={name: Tally() for name in gold.corpora},
        by_language={name: Tally() for name in gold.languages},
    )
    for part in gold.parts:
        _add(made, part, gold, decision, asked)
    return made


def _add(made: Figures, part: GoldPart, gold: ScoredGold, decision: Decision, asked: Sequence[str]) -> None:
    classes = (None, *gold.classes[1:])
    on = verdicts(part.probabilities, classes, decision, asked)
    floors = [Likelihood.POSSIBLE] * len(asked)
    places = spans(part.column, part.encoded, on, asked, floors, floors, floors)
    found = np.zeros(len(part.before) - 1, np.bool_)
    for name, some in places.items():
        starts, ends = (part.column.origins[some.cells] + offsets for offsets in (some.starts, some.ends))
        found |= covered(starts, ends, len(found))
        conversation = part.conversation_of[some.cells]
        counts = part.judged[conversation, gold.classes.index(name)]
        counts_starts, counts_ends = starts[counts], ends[counts]
        right = part.gold_before[counts_ends] - part.gold_before[counts_starts]
        neutral = part.neutral_before[counts_ends] - part.neutral_before[counts_starts]
        all_of_it = part.before[counts_ends] - part.before[counts_starts] - neutral
        _count(made.whole, judged=all_of_it, right=right)
        _count(made.by_class[name], judged=all_of_it, right=right)
        for tally, own in _groups(made, part, gold, conversation[counts]):
            _count(tally, judged=all_of_it[own], right=right[own])
    wanted = np.isin(part.spans.classes, [gold.classes.index(name) for name in asked])
    seen = np.zeros(len(part.before), np.int64)
    np.cumsum(found & (np.diff(part.before) > 0), out=seen[1:])
    starts, ends = part.spans.starts[wanted], part.spans.ends[wanted]
    hit = seen[ends] - seen[starts] == part.before[ends] - part.before[starts]
    _count(made.whole, support=np.ones_like(hit), found=hit)
    for name in asked:
        own = part.spans.classes[wanted] == gold.classes.index(name)
        _count(made.by_class[name], support=own, found=hit[own])
    conversations = part.spans.conversations[wanted]
    for tally, own in _groups(made, part, gold, conversations):
        _count(tally, support=own, found=hit[own])
    made.conversations += len(np.unique(conversations))
    made.leaking += len(np.unique(conversations[~hit]))


def _groups(
    made: Figures, part: GoldPart, gold: ScoredGold, conversations: Ints
) -> Iterator[tuple[Tally, Bools]]:
    """The tally of each corpus and each language, and which of some places, by conversation, are its own."""
    for tallies, names, of in (
        (made.by_corpus, gold.corpora, part.corpus_of[conversations]),
        (made.by_language, gold.languages, part.language_of[conversations]),
    ):
        for at in np.unique(of).tolist():
            yield tallies[names[at]], of == at


def _count(tally: Tally, **arrays: Any) -> None:
    for name, array in arrays.items():
        setattr(tally, name, getattr(tally, name) + int(array.sum()))


def _rounded(value: float | None) -> float | None:
    """A metric to four decimals."""
    return None if value is None else round(value, 4)


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
    recall: float | None
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
        names = ("limit", "recall", "precision", "f1")
        points = [{name: _rounded(getattr(p, name)) for name in names} for p in self.points]
        return {"support": self.support, "judged_support": self.judged_support, "points": points}


def curves(gold: ScoredGold, asked: Sequence[str], hysteresis: float = 1.0) -> dict[str, Curve]:
    """The curve of each class asked for, and of all together."""
    measured = [figures(gold, Decision(Rule.SUM, limit, hysteresis=hysteresis), asked) for limit in LIMITS]
    made = {}
    for name in (*asked, ALL):
        tallies = [one.whole if name == ALL else one.by_class[name] for one in measured]
        points = [
            Point(limit, tally.recall, tally.precision, tally.f1)
            for limit, tally in zip(LIMITS, tallies, strict=True)
        ]
        judged = sum(gold.judged_spans(n) for n in (asked if name == ALL else [name]))
        made[name] = Curve(tallies[0].support, judged, tuple(points))
    return made


def decided(named: Mapping[str, Curve], delta: float, fallback: float = Decision().threshold) -> Decision:
    """The rule SUM with the limits chosen on the curves; classes without one use that of all together."""
    whole = named[ALL].chosen(delta)
    own = {name: curve.chosen(delta) for name, curve in named.items() if name != ALL}
    limits = sorted((name, limit) for name, limit in own.items() if limit is not None)
    return Decision(Rule.SUM, fallback if whole is None else whole, tuple(limits))
