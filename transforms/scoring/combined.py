"""Estimates that combine a review of some conversations with a self-check of all of them.

The second look has an expected score for every conversation (without probabilities, the self-check's), and is
wrong; a sample that people read says by how much. The mean of all these scores plus the mean difference in the
sample is an unbiased estimate of the mean that people would give, however good or bad the second look is: the
difference estimator (W. G. Cochran, "Sampling Techniques", 1977, section 7.2), which is prediction-powered
inference (Angelopoulos et al., Science 382, 2023) for a finite corpus. Contexts are strata.

*Elusion* is the share of conversations in which people found something among those in which the self-check
found nothing; its bounds are exact.

An estimate is a source of its own. It takes no part in a verdict.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from statistics import NormalDist, fmean, variance
from typing import Any, NamedTuple

from tacenda.transforms.scoring.intervals import exact_interval, upper_bound
from tacenda.transforms.scoring.spread_interval import DIRECT_IDENTIFIER

LEAST = 10
"""Fewer conversations of a context than this, read by people, give no estimate."""

NARROW = 0.25
"""Half the width, in points, of an interval that is narrow: a twentieth of what a full name scores."""

_PLACES = 6
"""Number of decimals that are equal on all processors."""


class Pair(NamedTuple):
    """The scores of one conversation that people read.

    ``expected`` is the calibrated second look's (``scoring.expected``); None if it has no probabilities.
    """

    read: int
    checked: int
    expected: Fraction | None = None

    @property
    def predicted(self) -> Fraction:
        """What is corrected by the sample: the closer to what people find, the narrower the interval."""
        return Fraction(self.checked) if self.expected is None else self.expected


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean score of one context, or of all of them, as people would give it.

    ``interval`` is a 95 % interval of the mean; ``more`` is the number of further conversations that would
    halve its width, ``to_narrow`` the number for ``NARROW`` points on either side. ``passed_over`` is the
    number of conversations read in which the self-check found nothing, ``eluded`` of these with a finding of
    people; the share of these has an exact 95 % interval and an exact one-sided 95 % bound. Contexts that were
    sampled separately have neither in common: their samples may be of different parts of them.
    """

    conversations: int
    read: int
    mean: float
    interval: tuple[float, float]
    more: int
    to_narrow: int
    passed_over: int
    eluded: int
    elusion_interval: tuple[float, float] | None = None
    elusion_at_most: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The figures, rounded so that all machines give the same."""
        interval, bound = self.elusion_interval, self.elusion_at_most
        return {
            "conversations": self.conversations,
            "read": self.read,
            "mean": round(self.mean, _PLACES),
            "mean_interval_95": [round(end, _PLACES) for end in self.interval],
            "more_to_halve_the_interval": self.more,
            "more_to_a_quarter_of_a_point": self.to_narrow,
            "passed_over": self.passed_over,
            "eluded": self.eluded,
            "elusion_interval_95": None if interval is None else [round(end, _PLACES) for end in interval],
            "elusion_at_most": None if bound is None else round(bound, _PLACES),
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> "Estimate":
        """The estimate from what ``to_json`` returns."""
        low, high = told["mean_interval_95"]
        elusion = told["elusion_interval_95"]
        return cls(
            told["conversations"],
            told["read"],
            told["mean"],
            (low, high),
            told["more_to_halve_the_interval"],
            told["more_to_a_quarter_of_a_point"],
            told["passed_over"],
            told["eluded"],
            None if elusion is None else (elusion[0], elusion[1]),
            told["elusion_at_most"],
        )


class _Part(NamedTuple):
    """A stratum: its size, the mean of the estimate, its variance by one draw, and the conversations read."""

    size: int
    mean: float
    spread: float
    pairs: Sequence[Pair]


def estimate(
    pairs: Mapping[str, Sequence[Pair]], sums: Mapping[str, tuple[int, int | Fraction]]
) -> tuple[dict[str, Estimate], Estimate] | None:
    """Estimate the mean score of each context and of all.

    Args:
        pairs: the conversations that people read, drawn at random, by context.
        sums: the number of conversations of each context, and the sum of their predicted scores.

    Returns:
        By context, and in total; None if any context has too few conversations that were read.
    """
    parts: dict[str, _Part] = {}
    for context, (size, total) in sums.items():
        read = pairs.get(context, ())
        if len(read) < min(LEAST, size):
            return None
        differences = [pair.read - pair.predicted for pair in read]
        spread = float(variance(differences)) if len(read) > 1 else 0.0
        parts[context] = _Part(size, float(total / size) + fmean(differences), spread, read)
    if not parts:
        return None
    return {context: _combined([part]) for context, part in parts.items()}, _combined(list(parts.values()))


def _combined(parts: Sequence[_Part]) -> Estimate:
    size = sum(part.size for part in parts)
    read = [pair for part in parts for pair in part.pairs]
    mean = sum(part.size * part.mean for part in parts) / size
    error = sum(
        (part.size / size) ** 2 * (1 - len(part.pairs) / part.size) * part.spread / len(part.pairs)
        for part in parts
    )
    width = student_t(0.975, max(1, len(read) - len(parts))) * sqrt(error)
    # What no sample of this size need show: the same allowance as for the interval of mean + std.
    unseen = sum(
        part.size / size * upper_bound(0, len(part.pairs), 0.975) * DIRECT_IDENTIFIER
        for part in parts
        if len(part.pairs) < part.size
    )
    high = max(mean + width, mean + unseen) if unseen else mean
    deviation = sqrt(_spread(parts))
    more = reviews_for(deviation, width / 2, size, len(read))
    to_narrow = reviews_for(deviation, NARROW, size, len(read))
    # The allowance is inversely proportional to the size of the sample.
    if unseen > width:
        more = max(more, len(read))
    if unseen > NARROW:
        to_narrow = max(to_narrow, ceil(len(read) * (unseen / NARROW - 1)))
    passed = [pair for pair in read if pair.checked == 0]
    eluded = sum(pair.read > 0 for pair in passed)
    alone = len(parts) == 1
    return Estimate(
        size,
        len(read),
        mean,
        (max(0.0, mean - width), high),
        min(more, size - len(read)),
        min(to_narrow, size - len(read)),
        len(passed),
        eluded,
        exact_interval(eluded, len(passed)) if alone else None,
        upper_bound(eluded, len(passed)) if alone else None,
    )


def _spread(parts: Iterable[_Part]) -> float:
    """The variance of one difference, by the sizes of contexts."""
    parts = list(parts)
    return sum(part.size * part.spread for part in parts) / sum(part.size for part in parts)


def reviews_for(deviation: float, half_width: float, population: int, read: int) -> int:
    """Number of further conversations to read for a 95 % interval of a mean with this half width.

    Args:
        deviation: standard deviation of what is averaged.
        half_width: of the interval wanted.
        population: the number of conversations of the corpus.
        read: those that were read already.
    """
    if not deviation or not half_width:
        return 0
    unlimited = (NormalDist().inv_cdf(0.975) * deviation / half_width) ** 2
    return max(0, ceil(unlimited / (1 + unlimited / population)) - read)


def student_t(probability: float, freedom: int) -> float:
    """A quantile of Student's distribution, exact to .01 from 5 degrees of freedom on.

    Expansion about the normal quantile: M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions",
    1964, 26.7.5.
    """
    z = NormalDist().inv_cdf(probability)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
