"""Dual-system estimates: how much two looks at one text both miss, from what each saw and what both did.

Both looks see some of the entities, and each sees others alone. If whether the first sees one says nothing of
whether the second does, their odds ratio is 1, and both miss ``first * second / both`` (Lincoln and Petersen).
Looks at one text are not independent: what is hard for one is hard for the other, so the odds ratio is greater,
and what both miss is greater in proportion. An estimate therefore comes with a range of odds ratios, and holds
within it.

Sources: D. G. Chapman, "Some properties of the hypergeometric distribution with applications to zoological
sample censuses", 1951; A. Chao, "Estimating the population size for capture-recapture data with unequal
catchability", Biometrics 43, 1987; M. Sadinle, "Transformed logit confidence intervals for small populations in
single capture-recapture estimation", Communications in Statistics 38, 2009.
"""

from collections.abc import Sequence
from math import exp, sqrt
from statistics import NormalDist
from typing import NamedTuple

from tacenda.transforms.schema.residual import KINDS_SEEN, THOUSAND, Dependence


class Looks(NamedTuple):
    """Entities that both looks saw, and that each saw alone; expected numbers need not be whole."""

    both: float
    first: float
    second: float

    @property
    def seen(self) -> float:
        """Entities that either saw."""
        return self.both + self.first + self.second


def chapman(looks: Looks) -> float:
    """The number of entities if the looks are independent, nearly unbiased for small numbers.

    >>> round(chapman(Looks(5, 5, 10)), 1)
    28.3
    """
    first, second = looks.both + looks.first, looks.both + looks.second
    return (first + 1) * (second + 1) / (looks.both + 1) - 1


def chapman_variance(looks: Looks) -> float:
    """The variance of :func:`chapman` (G. A. F. Seber, "The Estimation of Animal Abundance", 1982, 3.1)."""
    first, second = looks.both + looks.first, looks.both + looks.second
    return (
        (first + 1) * (second + 1) * looks.first * looks.second / ((looks.both + 1) ** 2 * (looks.both + 2))
    )


def chao_least(looks: Looks) -> float:
    """Chao's lower bound of the number, for entities that are not equally hard to see.

    By the number of those seen once and of those seen twice, of two looks.
    """
    once = looks.first + looks.second
    if not once:
        return looks.seen
    if not looks.both:
        return looks.seen + once * (once - 1) / 4 if once > 1 else looks.seen
    return looks.seen + once * once / (4 * looks.both)


def unseen(looks: Looks, odds_ratio: float = 1.0) -> float:
    """The number that both miss, by Chapman, if the odds ratio of the looks is this."""
    return odds_ratio * looks.first * looks.second / (looks.both + 1)


def unseen_interval(
    looks: Looks, odds_ratios: tuple[float, float] = (1.0, 1.0), confidence: float = 0.95
) -> tuple[float, float]:
    """An interval of the number that both miss, over a range of odds ratios.

    Sadinle's interval of the number of entities, less those that were seen. If fewer than one are expected, the
    scatter counts as that of one: to miss nothing is then a likely outcome, and the lower end 0.
    """
    both, first, second = (one + 0.5 for one in looks)
    middle = first * second / both
    deviation = sqrt(1 / both + 1 / first + 1 / second + min(1.0, 1 / middle))
    by = exp(NormalDist().inv_cdf((1 + confidence) / 2) * deviation)
    least, most = odds_ratios
    return max(0.0, least * middle / by - 0.5), max(0.0, most * middle * by - 0.5)


def odds_ratio(looks: Looks, missed: float) -> float:
    """The odds ratio of two looks where it is known how many both missed; half of an entity is added to each.

    J. B. S. Haldane, "The estimation and significance of the logarithm of a ratio of frequencies", 1956.
    """
    both, first, second = (one + 0.5 for one in looks)
    return (missed + 0.5) * both / (first * second)


class Missed(NamedTuple):
    """Entities of one kind that the looks saw, what both miss with an interval, and the number of all.

    ``most`` is what both miss at the greatest odds ratio, ``independent`` the number of all by Chapman,
    ``least_total`` Chao's lower bound.
    """

    looks: Looks
    unseen: float
    most: float
    interval: tuple[float, float]
    independent: float
    least_total: float


def missed(looks: Looks, by: Dependence) -> Missed:
    """What both miss, of what is personal data.

    Args:
        looks: replaced entities that the other look saw or not, and the expected number that it alone saw.
        by: the dependence of the looks.
    """
    true = Looks(looks.both * by.right_both, looks.first * by.right_first, looks.second)
    return Missed(
        true,
        unseen(true, by.middle),
        unseen(true, by.most),
        unseen_interval(true, (by.least, by.most)),
        chapman(true),
        chao_least(true),
    )


def looks_of(counts: Sequence[int]) -> dict[str, Looks]:
    """The looks of each kind, from counts in the order of ``schema.looks``."""
    return {
        kind: Looks(float(both), float(first), second / THOUSAND)
        for kind, (both, first, second) in zip(
            KINDS_SEEN, zip(counts[::3], counts[1::3], counts[2::3], strict=True), strict=True
        )
    }
