"""Exact figures of a multiset of integer scores, from the frequency of each score.

All steps but the last use integers or fractions, so the figures do not depend on the order or grouping of the
scores.
"""

from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction

_DIGITS = 50
"""Decimal precision of square roots; a float has 17 digits."""


class Histogram:
    """The frequency of each non-negative integer score; ``counts`` has no zeros."""

    def __init__(self, counts: Mapping[int, int] | None = None) -> None:
        self.counts: dict[int, int] = dict(counts or {})

    def add(self, score: int, times: int = 1) -> None:
        self.counts[score] = self.counts.get(score, 0) + times

    def merge(self, other: "Histogram") -> None:
        """Add all scores of the other histogram to this one."""
        for score, times in other.counts.items():
            self.add(score, times)

    @property
    def count(self) -> int:
        return sum(self.counts.values())

    @property
    def total(self) -> int:
        """Sum of the scores."""
        return sum(score * times for score, times in self.counts.items())

    @property
    def squares(self) -> int:
        """Sum of the squared scores."""
        return sum(score * score * times for score, times in self.counts.items())

    @property
    def max(self) -> int | None:
        return max(self.counts, default=None)

    def count_from(self, threshold: Fraction) -> int:
        """The number of scores at or over a threshold."""
        return sum(times for score, times in self.counts.items() if score >= threshold)

    def mean(self) -> Fraction | None:
        return Fraction(self.total, self.count) if self.counts else None

    def variance(self, ddof: int) -> Fraction | None:
        """Sum of squared deviations over count - ddof; None if there are not more scores than ``ddof``."""
        n = self.count
        if n <= ddof:
            return None
        return Fraction(n * self.squares - self.total**2, n * (n - ddof))

    def mean_plus(self, deviations: int, ddof: int) -> float | None:
        """The mean plus some standard deviations, rounded once."""
        mean, variance = self.mean(), self.variance(ddof)
        if mean is None or variance is None:
            return None
        with localcontext() as context:
            context.prec = _DIGITS
            return float(_decimal(mean) + deviations * _decimal(variance).sqrt())

    def std(self, ddof: int) -> float | None:
        variance = self.variance(ddof)
        if variance is None:
            return None
        with localcontext() as context:
            context.prec = _DIGITS
            return float(_decimal(variance).sqrt())

    def percentile(self, percent: int) -> Fraction | None:
        """Linear interpolation between the two scores around rank (count - 1) * percent / 100.

        Definition 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician
        50(4), 1996; the default of numpy.
        """
        if not self.counts:
            return None
        whole, hundredths = divmod((self.count - 1) * percent, 100)
        lower, upper = self._at_rank(whole), self._at_rank(whole + (hundredths > 0))
        return lower + Fraction(hundredths * (upper - lower), 100)

    def _at_rank(self, rank: int) -> int:
        passed = 0
        for score, times in sorted(self.counts.items()):
            passed += times
            if rank < passed:
                return score
        raise IndexError(rank)

    def mean_plus_std_below(self, threshold: Fraction, ddof: int) -> bool:
        """Whether mean + std < threshold, decided without a square root; False if there is no std.

        With n scores of sum S: std < threshold - mean, where both sides are positive, is the same as
        variance < ((n * threshold - S) / n) squared.
        """
        variance = self.variance(ddof)
        if variance is None:
            return False
        room = threshold - Fraction(self.total, self.count)
        return room > 0 and variance < room**2


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)
