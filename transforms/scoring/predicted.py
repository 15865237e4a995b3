"""The risk of a corpus that its suspicions predict, with intervals, from counts that add up.

Corpora of other makers than those of the calibration have habits of their own, so what is expected of them is
off by a factor. Over makers this factor has a gamma distribution, fitted to makers that the probabilities were
not fitted to; given the factor, right and wrong suspicions scatter. Both together are the variance of a
negative-binomial count (A. C. Cameron and P. K. Trivedi, "Regression Analysis of Count Data", 2013, section
3.3), and the interval is that of a gamma variable with the same mean and variance. To its upper end is added
what both looks miss, by the counts of this corpus and at the greatest odds ratio that is known
(``scoring.dual_system``): a bound, not a variable. It is a prediction interval for a new corpus, and contains
what no look saw.

An estimate is a source of its own. It takes no part in a verdict.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from tacenda.transforms.schema.residual import KINDS_SEEN, Dependence
from tacenda.transforms.scoring.dual_system import looks_of, missed
from tacenda.transforms.scoring.expected import MILLION, Expected, outcomes
from tacenda.transforms.scoring.intervals import gamma_quantile
from tacenda.transforms.scoring.score_table import ScoreTable

CONVERSATIONS, DIRECT = "conversations", "direct"
"""What is counted besides scores: conversations, and millionths of those with a direct identifier."""

LOOK = "look "
"""How the names of what two looks saw begin; the place in ``schema.looks`` follows."""

_LEAST_SUM = 0.5
"""Sums below half a point or half a conversation are 0."""

_PLACES = 4
"""Number of decimals in the figures."""

Spread = Mapping[str, Mapping[str, float]]
"""By figure (mean, share, direct): ``factor``, the mean of gold divided by expected, and the ``shape`` of its
gamma distribution over makers."""


def expected_counts(context: str, expected: Iterable[Expected]) -> dict[str, int]:
    """The counts of some conversations of a context; they add up over conversations."""
    counts = {f"{CONVERSATIONS}/{context}": 0, f"{DIRECT}/{context}": 0}
    for one in expected:
        counts[f"{CONVERSATIONS}/{context}"] += 1
        counts[f"{DIRECT}/{context}"] += one.direct
        for number, seen in enumerate(one.looks):
            if seen:
                key = f"{LOOK}{number}/{context}"
                counts[key] = counts.get(key, 0) + seen
        for score, times in enumerate(one.distribution):
            if times:
                key = f"{score}/{context}"
                counts[key] = counts.get(key, 0) + times
    return counts


class _Group(NamedTuple):
    """Conversations, millionths of direct identifiers and of conversations by score, and what two looks saw."""

    conversations: int
    direct: int
    scores: Mapping[int, int]
    looks: tuple[int, ...]


class Weighed(NamedTuple):
    """What entities add to the figures: points, how many score at least the threshold, how many are direct."""

    points: float = 0.0
    over: float = 0.0
    direct: float = 0.0

    @classmethod
    def each(cls, by: Dependence, table: ScoreTable, threshold: float) -> "Weighed":
        """One entity that both looks miss, on average."""
        points, direct = outcomes(by.meanings, table)
        over = sum(share for score, share in points.items() if score >= threshold)
        return cls(sum(score * share for score, share in points.items()), over, direct)


def missed_at_most(
    looks: Sequence[int], dependence: Mapping[str, Dependence], table: ScoreTable, threshold: float
) -> Weighed:
    """What both looks miss at the greatest odds ratios, weighed.

    Args:
        looks: counts in the order of ``schema.looks``.
        dependence: by kind that of the two looks; other kinds do not count.
        table: the points of what is missed.
        threshold: of the gate.
    """
    points = over = direct = 0.0
    for kind, seen in looks_of(looks).items():
        if kind in dependence:
            most = missed(seen, dependence[kind]).most
            each = Weighed.each(dependence[kind], table, threshold)
            points, over, direct = (
                points + most * each.points,
                over + most * each.over,
                direct + most * each.direct,
            )
    return Weighed(points, over, direct)


def predicted(
    counts: Mapping[str, int],
    spread: Spread,
    dependence: Mapping[str, Dependence],
    table: ScoreTable,
    threshold: float,
) -> dict[str, Any]:
    """The figures by context and in total, as in statistics.json.

    Args:
        counts: those of :func:`expected_counts`, added up.
        spread: of the calibration.
        dependence: by kind that of the two looks, of the calibration.
        table: the points of what both looks miss.
        threshold: of the gate; the share of conversations at or over it is among the figures.
    """
    scores: dict[str, dict[int, int]] = {}
    others: dict[tuple[str, str], int] = {}
    for key, count in counts.items():
        what, _, context = key.partition("/")
        if what in (CONVERSATIONS, DIRECT) or what.startswith(LOOK):
            others[what, context] = count
        else:
            scores.setdefault(context, {})[int(what)] = count
    groups = {
        context: _Group(
            others[CONVERSATIONS, context],
            others[DIRECT, context],
            dict(sorted(own.items())),
            tuple(others.get((f"{LOOK}{k}", context), 0) for k in range(3 * len(KINDS_SEEN))),
        )
        for context, own in sorted(scores.items())
    }
    everything: dict[int, int] = {}
    for group in groups.values():
        for score, times in group.scores.items():
            everything[score] = everything.get(score, 0) + times
    total = _Group(
        sum(group.conversations for group in groups.values()),
        sum(group.direct for group in groups.values()),
        dict(sorted(everything.items())),
        tuple(map(sum, zip(*(group.looks for group in groups.values()), strict=True))),
    )

    def told_of(group: _Group) -> dict[str, Any]:
        most = missed_at_most(group.looks, dependence, table, threshold)
        return {
            **_figures(group, spread, threshold, most),
            "both_looks_miss": _both_miss(group, dependence, table, threshold),
        }

    return {
        "contexts": {context: told_of(group) for context, group in groups.items()},
        "total": told_of(total),
    }


def _both_miss(
    group: _Group, dependence: Mapping[str, Dependence], table: ScoreTable, threshold: float
) -> dict[str, Any]:
    """The dual-system estimate of each kind, in entities, and what one of them adds to the figures."""
    told = {}
    for kind, looks in looks_of(group.looks).items():
        if kind in dependence and looks.seen:
            found = missed(looks, dependence[kind])
            each = Weighed.each(dependence[kind], table, threshold)
            told[kind] = {
                "seen_by_both": round(found.looks.both, _PLACES),
                "by_the_first_alone": round(found.looks.first, _PLACES),
                "by_the_second_alone": round(found.looks.second, _PLACES),
                "missed_by_both": round(found.unseen, _PLACES),
                "missed_by_both_interval_95": [round(end, _PLACES) for end in found.interval],
                "missed_by_both_at_most": round(found.most, _PLACES),
                "points_each": round(each.points, _PLACES),
                "at_or_over_threshold_each": round(each.over, _PLACES),
                "direct_each": round(each.direct, _PLACES),
                "odds_ratio": [dependence[kind].least, dependence[kind].most],
                "entities_if_independent": round(found.independent, _PLACES),
                "entities_at_least": round(found.least_total, _PLACES),
            }
    return told


def _figures(group: _Group, spread: Spread, threshold: float, most: Weighed) -> dict[str, Any]:
    n = group.conversations
    points = sum(score * times for score, times in group.scores.items()) / MILLION
    squares = sum(score * score * times for score, times in group.scores.items()) / MILLION
    over = sum(times for score, times in group.scores.items() if score >= threshold) / MILLION
    direct = group.direct / MILLION
    ends = interval(points, squares, spread["mean"], most.points)
    # What lies beyond a score, and the variance, grow with the sum of points.
    by = [end / points if points else 0.0 for end in ends]
    deviation = sqrt(max(0.0, squares / n - (points / n) ** 2))
    figures: dict[str, Any] = {"count": n}
    told: dict[str, list[float]] = {
        "mean": [end / n for end in ends],
        "std": [deviation * sqrt(one) for one in by],
        "p95": [_percentile(group, one) for one in by],
        "share_at_or_over_threshold": [
            min(1.0, end / n) for end in interval(over, over, spread["share"], most.over)
        ],
        "direct_identifier_share": [
            min(1.0, end / n) for end in interval(direct, direct, spread["direct"], most.direct)
        ],
    }
    for name, several in told.items():
        middle, *around = (round(one, _PLACES) for one in several)
        figures[name], figures[f"{name}_interval_95"] = middle, around
    return figures


def interval(
    expected: float, squares: float, of: Mapping[str, float], missed_by_both: float = 0.0
) -> tuple[float, float, float]:
    """The mean and the ends of a 95 % prediction interval of a sum of points.

    Args:
        expected: the sum that is expected.
        squares: the expected sum of squares of what is added up.
        of: factor and shape (``Spread``).
        missed_by_both: what two looks miss at most, of the same sum; added to the upper end.
    """
    mean = of["factor"] * expected
    if mean <= 0:
        return 0.0, 0.0, missed_by_both
    variance = of["factor"] * squares + mean * mean / of["shape"]
    shape = mean * mean / variance
    low, high = (mean / shape * gamma_quantile(side, shape) for side in (0.025, 0.975))
    # Of few expected, nothing is a possible outcome, which a continuous distribution leaves out.
    return mean, 0.0 if low < _LEAST_SUM else low, high + missed_by_both


def _percentile(group: _Group, factor: float) -> int:
    """The 95th percentile if every score from 1 were more frequent by a factor."""
    allowed = 0.05 * group.conversations * MILLION
    beyond = 0.0
    for score, times in sorted(group.scores.items(), reverse=True):
        beyond += factor * times if score else 0
        if beyond > allowed:
            return score
    return 0
