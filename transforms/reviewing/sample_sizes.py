"""What a sample of a size can show, before anybody reads it, and how the error is spent over several looks.

A bound at 95 % may be wrong one time in twenty. Whoever looks twice at a corpus, and releases it if either look
allows it, has two chances: so each look spends a part of these 5 %, and together they spend no more
(Bonferroni's inequality, with parts fixed before the data as in K. K. G. Lan and D. L. DeMets, "Discrete
Sequential Boundaries for Clinical Trials", Biometrika 70(3), 1983). A look spends four fifths of what is left;
one that is declared the last, before it is drawn, spends all of it.
"""

from collections.abc import Iterator, Sequence
from math import exp, lgamma, log, log1p
from typing import NamedTuple

from tacenda.transforms.scoring.bounds import ERROR
from tacenda.transforms.scoring.intervals import upper_count

SPENT = 0.8
"""The part of the error left that a look spends."""

SIZES = (60, 100, 150, 200, 300, 500, 1_000, 2_000)
RATES = (0.001, 0.005, 0.01)
"""True shares for which chances are told; those measured in conversations of other makers are in
docs/counsel.md.
"""


class Size(NamedTuple):
    """What reading ``number`` conversations shows.

    ``at_most`` is the bound if nothing is found (or nothing more than so far); ``allowed``, in how many a
    direct identifier may be readable for a release, None if even none is too many; ``chances``, of a release,
    at each rate.
    """

    number: int
    at_most: float
    allowed: int | None
    chances: tuple[float, ...]


def error_of(earlier: Sequence[bool], last: bool) -> float:
    """The error that the next look spends.

    >>> [round(error_of(earlier, last), 4) for earlier, last in (([], False), ([], True), ([False], True))]
    [0.04, 0.05, 0.01]

    Args:
        earlier: for each look so far, whether it was declared the last.
        last: whether the next one is.
    """
    left = ERROR
    for was_last in earlier:
        left = 0.0 if was_last else left * (1 - SPENT)
    return left if last else left * SPENT


def sizes(
    population: int, limit: float, error: float, rates: Sequence[float], read: int = 0, found: int = 0
) -> Iterator[Size]:
    """What some sizes can show of a corpus.

    Args:
        population: of the corpus.
        limit: the largest share that is released.
        error: that the look spends.
        rates: true shares.
        read: conversations that were read of the same sample.
        found: those of them with a finding.
    """
    whole = (population,) if population <= SIZES[-1] else ()
    for number in (*(size for size in SIZES if read < size < population), *whole):
        yield size_of(number, population, limit, error, rates, read, found)


def size_of(
    number: int,
    population: int,
    limit: float,
    error: float,
    rates: Sequence[float],
    read: int = 0,
    found: int = 0,
) -> Size:
    """As above, for one size."""
    allowed = None
    while _at_most(0 if allowed is None else allowed + 1, number, population, error) <= limit:
        allowed = 0 if allowed is None else allowed + 1
        if allowed == number:
            break
    more = -1 if allowed is None else allowed - found
    chances = tuple(_chance(more, number - read, rate) for rate in rates)
    return Size(number, _at_most(found, number, population, error), allowed, chances)


def smallest(population: int, limit: float, error: float, found: int = 0, read: int = 0) -> int:
    """The smallest sample that releases if nothing (more) is found; all conversations if none does."""
    low, high = max(read, found), population
    while low < high:
        middle = (low + high) // 2
        if _at_most(found, middle, population, error) <= limit:
            high = middle
        else:
            low = middle + 1
    return low


def _at_most(found: int, number: int, population: int, error: float) -> float:
    if not population:
        return 1.0
    if number >= population:
        return found / population
    return upper_count(found, number, population, error) / population if error else 1.0


def _chance(at_most: int, trials: int, rate: float) -> float:
    """The probability of at most so many in independent trials."""
    if at_most < 0:
        return 0.0
    if at_most >= trials:
        return 1.0
    ways = (lgamma(trials + 1) - lgamma(k + 1) - lgamma(trials - k + 1) for k in range(at_most + 1))
    logs = (way + k * log(rate) + (trials - k) * log1p(-rate) for k, way in enumerate(ways))
    return min(1.0, sum(map(exp, logs)))
