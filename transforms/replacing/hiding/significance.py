"""The tests for comparing strategies: McNemar's on documents that leak, Wilcoxon's on modes."""

from collections.abc import Sequence
from math import comb, erfc, sqrt


def mcnemar(only_first: int, only_second: int) -> float:
    """The one-sided exact p of McNemar's test; null hypothesis: the first leaks no more often than the
    second.

    Args:
        only_first: documents that leak only under the first strategy.
        only_second: documents that leak only under the second.

    >>> round(mcnemar(5, 0), 4)
    0.0312
    """
    n = only_first + only_second
    return float(sum(comb(n, k) for k in range(only_first, n + 1)) / 2**n)


def wilcoxon(first: Sequence[float], second: Sequence[float]) -> float:
    """The two-sided p of Wilcoxon's signed-rank test for pairs, by the normal approximation with ties.

    Pairs without a difference are ignored; p is 1 if no others are left.
    """
    differences = [a - b for a, b in zip(first, second, strict=True) if a != b]
    n = len(differences)
    if not n:
        return 1.0
    order = sorted(abs(difference) for difference in differences)
    ranks: dict[float, float] = {}
    ties = 0
    for size in dict.fromkeys(order):
        count = order.count(size)
        ranks[size] = order.index(size) + (count + 1) / 2
        ties += count**3 - count
    positive = sum(ranks[abs(difference)] for difference in differences if difference > 0)
    mean = n * (n + 1) / 4
    deviation = sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48)
    return erfc(abs(positive - mean) / deviation / sqrt(2)) if deviation else 1.0
