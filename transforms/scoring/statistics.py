"""Risk over a corpus: a mergeable sketch of scores, the figures computed from it, and what to read first.

The figures are those of Gardiner et al., CALD-pseudo 2024, table 4, plus the empirical tail: risk scores are
skewed and mostly zero, so mean + std alone says little about how many conversations score high. All steps but
the last use integers or fractions, so the figures do not depend on the order or grouping of the scores.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

from tacenda.transforms.scoring.identifiability import LeftOver
from tacenda.transforms.scoring.intervals import (
    at_rank,
    exact_interval,
    percentile_interval,
    spread_intervals,
)

SOURCES = ("human", "gold", "model")  # most trusted first; their scores are never added up
DEFAULT_THRESHOLD = 5  # a direct identifier, or a company and a first name (section 4.3)
MOST = 20  # number of conversations per source that are listed as the worst
_DIGITS = 50  # decimal precision of square roots; a float has 17 digits
_PLACES = 6  # number of decimals of an interval that are equal on all processors


class Histogram(Counter[int]):
    """The frequency of each non-negative integer score, without zeros, and exact figures of them."""

    @property
    def count(self) -> int:
        return self.total()

    def mean(self) -> Fraction | None:
        return Fraction(self._sum(1), self.count) if self else None

    def variance(self) -> Fraction | None:
        """The mean of the squared deviations: of the conversations themselves, not of a sample (ddof 0)."""
        n = self.count
        return Fraction(n * self._sum(2) - self._sum(1) ** 2, n * n) if n else None

    def std(self) -> float | None:
        return self._combined(Fraction(0), 1)

    def mean_plus(self, deviations: int) -> float | None:
        """The mean plus some standard deviations, rounded once."""
        return self._combined(self.mean(), deviations)

    def percentile(self, percent: int) -> Fraction | None:
        """Linear interpolation between the two scores around rank (count - 1) * percent / 100.

        Definition 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician
        50(4), 1996; the default of numpy.
        """
        if not self:
            return None
        whole, hundredths = divmod((self.count - 1) * percent, 100)
        lower, upper = at_rank(self, whole), at_rank(self, whole + (hundredths > 0))
        return lower + Fraction(hundredths * (upper - lower), 100)

    def mean_plus_std_below(self, threshold: Fraction) -> bool:
        """Whether mean + std < threshold, decided without a square root; False without scores."""
        mean, variance = self.mean(), self.variance()
        if mean is None or variance is None:
            return False
        return threshold > mean and variance < (threshold - mean) ** 2

    def _sum(self, power: int) -> int:
        return sum(score**power * times for score, times in self.items())

    def _combined(self, mean: Fraction | None, deviations: int) -> float | None:
        variance = self.variance()
        if mean is None or variance is None:
            return None
        with localcontext() as context:
            context.prec = _DIGITS
            centre, square = (Decimal(one.numerator) / Decimal(one.denominator) for one in (mean, variance))
            return float(centre + deviations * square.sqrt())


@dataclass
class Tally:
    """The scores of conversations, zeros included, and how many of them have what.

    In ``direct`` conversations a direct identifier is entirely readable, in ``named`` a person's name in whole
    or in part. A conversation without a review is counted by ``unreviewed`` alone, not as a zero.
    """

    scores: Histogram = field(default_factory=Histogram)
    direct: int = 0
    named: int = 0
    unreviewed: int = 0

    def merge(self, other: "Tally") -> None:
        self.scores.update(other.scores)
        self.direct += other.direct
        self.named += other.named
        self.unreviewed += other.unreviewed

    def figures(self, threshold: Fraction, population: int | None = None) -> dict[str, Any]:
        """The figures of statistics.json; None if there are too few conversations.

        Shares are of all scored conversations. The 95 % intervals are for readers who consider these a sample,
        of a ``population`` if it is given: exact ones of shares, bootstrap ones of mean, std and mean + std,
        order statistics of ``p95`` (without an upper end if there are too few scores). ``pass`` is mean + std <
        threshold, decided exactly.
        """
        scores, count = self.scores, self.scores.count
        over = sum(times for score, times in scores.items() if score >= threshold)
        spread = spread_intervals(scores, population)
        of_mean, of_std, of_sum = map(list, spread) if spread else (None, None, None)
        mean, p50, p95, p99 = (
            None if one is None else float(one)
            for one in (scores.mean(), *map(scores.percentile, (50, 95, 99)))
        )
        of_p95 = percentile_interval(scores, 95)
        return {
            "count": count,
            "unreviewed": self.unreviewed,
            "mean": mean,
            "std": scores.std(),
            "p50": p50,
            "p95": p95,
            "p99": p99,
            "max": max(scores, default=None),
            "mu_plus_sigma": scores.mean_plus(1),
            "mu_plus_2sigma": scores.mean_plus(2),
            "mean_interval_95": of_mean,
            "std_interval_95": of_std,
            "p95_interval_95": of_p95 and [*of_p95],
            "mu_plus_sigma_interval_95": of_sum,
            "at_or_over_threshold": over,
            "share_at_or_over_threshold": over / count if count else None,
            "share_interval_95": _share_interval(over, count),
            "direct_identifiers": self.direct,
            "direct_identifier_share": self.direct / count if count else None,
            "direct_identifier_interval_95": _share_interval(self.direct, count),
            "naming_somebody": self.named,
            "histogram": {str(score): times for score, times in sorted(scores.items())},
            "pass": scores.mean_plus_std_below(threshold),
        }


def _share_interval(successes: int, trials: int) -> list[float]:
    return [round(end, _PLACES) for end in exact_interval(successes, trials)]


class ScoredConversation(NamedTuple):
    """A conversation by id, and its score."""

    score: int
    direct_identifier: bool
    context: str
    conversation_id: str


class SourceScores(NamedTuple):
    """The scores of one source, by context (in order of name) and in total."""

    contexts: Mapping[str, Tally]
    total: Tally


class RiskSketch:
    """Scores by source and context, as exact counts: a few numbers for any number of conversations.

    With them, what is left in the conversations of a source, and the worst of these. Adding and merging
    commute, so the same conversations give the same sketch in any division.
    """

    def __init__(self) -> None:
        self._tallies: dict[tuple[str, str], Tally] = {}
        self._left: dict[str, LeftOver] = {}
        self.worst: dict[str, list[ScoredConversation]] = {}

    def add(
        self,
        source: str,
        context: str,
        score: int,
        direct_identifier: bool = False,
        names_somebody: bool = False,
        times: int = 1,
    ) -> None:
        """Count conversations with the same score; ``context`` is "" if they have none."""
        if type(score) is not int or score < 0:
            raise ValueError("a risk score is an integer from 0 up")
        tally = self._tally(source, context)
        tally.scores[score] += times
        tally.direct += direct_identifier * times
        tally.named += names_somebody * times

    def add_left(self, source: str, combinations: Mapping[bytes, int], links: Mapping[bytes, int]) -> None:
        """Count what is left in scored conversations (``LeftOver.add``)."""
        self._left.setdefault(source, LeftOver()).add(combinations, links)

    def add_worst(self, source: str, scored: Iterable[ScoredConversation]) -> None:
        """Note the worst of scored conversations, highest scores first; those that score 0 are excluded.

        Among equal scores, those with a direct identifier come first, then those with the first ids in sort
        order.
        """
        found = [*self.worst.get(source, ()), *(one for one in scored if one.score)]
        if found:
            found.sort(
                key=lambda one: (-one.score, not one.direct_identifier, one.conversation_id, one.context)
            )
            self.worst[source] = found[:MOST]

    def add_unreviewed(self, source: str, context: str, times: int = 1) -> None:
        """Count conversations that this source did not review."""
        self._tally(source, context).unreviewed += times

    def merge(self, other: "RiskSketch") -> "RiskSketch":
        for place, tally in other._tallies.items():
            self._tally(*place).merge(tally)
        for source, left in other._left.items():
            self._left.setdefault(source, LeftOver()).merge(left)
        for source, worst in other.worst.items():
            self.add_worst(source, worst)
        return self

    def to_json(self) -> dict[str, Any]:
        """Compact, canonical JSON: by source and context, ``scores`` as pairs of score and count; counts."""
        scores: dict[str, Any] = {}
        for (source, context), tally in sorted(self._tallies.items()):
            pairs = [list(item) for item in sorted(tally.scores.items())]
            scores.setdefault(source, {})[context] = {**vars(tally), "scores": pairs}
        left = {source: of.to_json() for source, of in sorted(self._left.items())}
        return {"scores": scores, "left": left, "worst": self.worst_to_json()}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "RiskSketch":
        """The inverse of :meth:`to_json`; an empty document is an empty sketch."""
        sketch = cls()
        for source, contexts in document.get("scores", {}).items():
            for context, told in contexts.items():
                own = {**told, "scores": Histogram(dict(told["scores"]))}
                sketch._tallies[source, context] = Tally(**own)
        sketch._left = {source: LeftOver.from_json(of) for source, of in document.get("left", {}).items()}
        sketch.worst = {
            source: [ScoredConversation(**one) for one in several]
            for source, several in document.get("worst", {}).items()
        }
        return sketch

    def worst_to_json(self) -> dict[str, list[dict[str, Any]]]:
        """The worst as plain data, for the manifest."""
        return {source: [one._asdict() for one in several] for source, several in sorted(self.worst.items())}

    def identifiability(self) -> dict[str, Any]:
        """Who could be singled out by what is left, by source."""
        totals = {source: scores.total for source, scores in self.sources().items()}
        return {
            source: left.figures(totals[source].scores.count, totals[source].direct)
            for source, left in sorted(self._left.items())
        }

    def sources(self) -> dict[str, SourceScores]:
        """The scores of every source that has some, in the order of ``SOURCES``."""
        found: dict[str, SourceScores] = {}
        for source in SOURCES:
            contexts = {
                context: tally for (of, context), tally in sorted(self._tallies.items()) if of == source
            }
            if contexts:
                found[source] = SourceScores(contexts, Tally())
                for tally in contexts.values():
                    found[source].total.merge(tally)
        return found

    def figures(
        self,
        threshold: int | float | Fraction = DEFAULT_THRESHOLD,
        populations: Mapping[str, Mapping[str, int]] | None = None,
    ) -> dict[str, Any]:
        """The figures of every source, by context and in total, as plain data.

        ``populations`` has, by source and context, the number of conversations from which a sample was drawn.
        """
        limit = Fraction(threshold)
        sources: dict[str, Any] = {}
        for source, scores in self.sources().items():
            sizes = (populations or {}).get(source, {})
            contexts = {name: one.figures(limit, sizes.get(name)) for name, one in scores.contexts.items()}
            total = scores.total.figures(limit, sum(sizes.values()) if sizes else None)
            sources[source] = {"contexts": contexts, "total": total}
        plain = float(threshold) if isinstance(threshold, Fraction) else threshold
        return {"threshold": plain, "ddof": 0, "percentiles": "linear", "sources": sources}

    def _tally(self, source: str, context: str) -> Tally:
        if source not in SOURCES:
            raise ValueError(f"the source of a score is one of {', '.join(SOURCES)}")
        return self._tallies.setdefault((source, context), Tally())
