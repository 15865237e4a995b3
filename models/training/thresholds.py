"""Choose thresholds on development data: the highest recall for which F1 drops by at most a given amount.

For the rule SUM (``models.token_classifier.decoding_settings``). All classes have the same limit at each point
of a curve, so that finding a span does not depend on which class its words are assigned to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.training.figures import figures, rounded
from tacenda.models.training.gold_tokens import ScoredGold

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
        points = [{name: rounded(getattr(p, name)) for name in names} for p in self.points]
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
