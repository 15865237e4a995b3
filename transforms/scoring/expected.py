"""The expected risk score of one conversation, and its distribution, from suspicions with probabilities.

Each suspicion is right or wrong independently of the others, and adds the points of its tag if it is right: the
score has a Poisson-binomial distribution with points (Y. H. Wang, "On the Number of Successes in Independent
Trials", Statistica Sinica 3, 1993). Suspicions with one value are one entity, which has the greatest of their
probabilities. Probabilities are kept as integer millionths, so that sums over conversations are exact in any
order and division.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from tacenda.transforms.linking.normalising import normalised_value
from tacenda.transforms.schema.residual import Meaning, Residual, Suspicion
from tacenda.transforms.scoring.score_table import ScoreTable, Weight

MILLION = 1_000_000
"""Millionths of a probability of 1."""

MOST_POINTS = 60
"""Scores from here on are counted as this score."""


class Expected(NamedTuple):
    """``distribution`` has the probability of each score from 0 in millionths, which add up to 1;
    ``direct``, in millionths, is that of a direct identifier being entirely readable. ``looks`` counts what
    each of two looks saw (``scoring.dual_system``), empty without an independent detector.
    """

    distribution: tuple[int, ...]
    direct: int
    looks: tuple[int, ...] = ()

    @property
    def mean(self) -> float:
        """The expected score."""
        return sum(score * times for score, times in enumerate(self.distribution)) / MILLION


NOTHING = Expected((MILLION,), 0)


def expected_risk(suspicions: Sequence[Suspicion], table: ScoreTable) -> Expected:
    """The distribution of the score of a conversation.

    Raises ``RecordError("UnknownTag")``.
    """
    if not suspicions:
        return NOTHING
    entities: dict[Hashable, Suspicion] = {}
    for number, one in enumerate(suspicions):
        label, value = one.residual.label, one.residual.value
        key: Hashable = (label, normalised_value(label, value)) if value else number
        known = entities.get(key)
        if known is None or known.probability < one.probability:
            entities[key] = one
    chances, indirect = [1.0], 1.0
    for one in entities.values():
        points, direct = outcomes(one.meanings or (_own(one.residual),), table)
        indirect *= 1 - one.probability * direct
        chances = _with(chances, one.probability, points)
    parts = [round(chance * MILLION) for chance in chances]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    parts[0] = MILLION - sum(parts[1:])
    return Expected(tuple(parts), round((1 - indirect) * MILLION))


def _own(residual: Residual) -> Meaning:
    """What a residual's own label says."""
    return Meaning(residual.label, residual.partial, residual.speaker, 1.0)


def outcomes(meanings: Iterable[Meaning], table: ScoreTable) -> tuple[dict[int, float], float]:
    """The share of each number of points from 1, and that of direct identifiers, where a suspicion is right."""
    points: dict[int, float] = {}
    direct = 0.0
    for label, partial, speaker, share in meanings:
        weight = table.weights[label, partial, speaker]
        if isinstance(weight, Weight):
            if weight.score:
                points[weight.score] = points.get(weight.score, 0.0) + share
            direct += share * weight.direct
    return points, direct


def _with(chances: list[float], probability: float, points: dict[int, float]) -> list[float]:
    """The distribution of a sum with one more term, which is 0 unless the suspicion is right."""
    if not points:
        return chances
    longer = [0.0] * min(MOST_POINTS + 1, len(chances) + max(points))
    nothing = 1 - probability * sum(points.values())
    for score, chance in enumerate(chances):
        longer[score] += chance * nothing
        for more, share in points.items():
            longer[min(MOST_POINTS, score + more)] += chance * probability * share
    return longer
