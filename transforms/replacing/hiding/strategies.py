"""Strategies for choosing the surrogate of each name token of a document.

``markov_sequence`` is that of Simancek and Vydiswaran: a chain of surrogates that repeat as names in a
document do, assigned to its tokens in random order, so that nothing links a surrogate to a name.
``markov_per_value`` is that of BRATsynthetic (Osborne 2022), with one chain per original value.
``random_tokens`` is the baseline of the former; ``consistent``, one surrogate per original, is the latter
without transitions.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from tacenda.transforms.generating.draw import Draw


class PoolExhaustedError(ValueError):
    """A document needs more surrogates than there are."""


def markov_sequence(count: int, pool: Sequence[str], p: float, t: int, draw: Draw) -> list[str]:
    """Surrogates for ``count`` tokens: each is repeated with probability ``p``, for at most ``t`` uses.

    A surrogate never returns after another, so each occurs at most ``t`` times. The order is random.

    Raises:
        PoolExhaustedError: the pool has too few names.
    """
    if not 0 <= p <= 1 or t < 1:
        raise ValueError("p is a probability, and t at least 1")
    fresh = _without_replacement(pool, draw)
    sequence: list[str] = []
    times = 0
    for _ in range(count):
        if sequence and times < t and draw.chance(p):
            times += 1
            sequence.append(sequence[-1])
        else:
            times = 1
            sequence.append(_next(fresh))
    _shuffle(sequence, draw)
    return sequence


def markov_per_value(
    originals: Sequence[str], pool: Sequence[str], p: float, draw: Draw, t: int | None = None
) -> list[str]:
    """Surrogates for tokens in order: each original keeps its previous surrogate with probability ``p``.

    With ``t``, a surrogate is used at most ``t`` times in a row; the source has no such limit. ``p`` = 1
    gives each original one surrogate, ``p`` = 0 a new one each time. Originals are compared
    case-insensitively.

    Raises:
        PoolExhaustedError: the pool has too few names.
    """
    fresh = _without_replacement(pool, draw)
    current: dict[str, str] = {}
    given: Counter[str] = Counter()
    sequence = []
    for original in originals:
        key = original.strip().casefold()
        before = current.get(key)
        if before is None or (t is not None and given[before] >= t) or not draw.chance(p):
            current[key] = before = _next(fresh)
        given[before] += 1
        sequence.append(before)
    return sequence


def random_tokens(count: int, pool: Sequence[str], draw: Draw) -> list[str]:
    """The baseline: a different surrogate for each token.

    Raises:
        PoolExhaustedError: the pool has too few names.
    """
    fresh = _without_replacement(pool, draw)
    return [_next(fresh) for _ in range(count)]


def consistent(originals: Sequence[str], pool: Sequence[str], draw: Draw) -> list[str]:
    """One surrogate for each original, compared case-insensitively.

    Raises:
        PoolExhaustedError: the pool has too few names.
    """
    return markov_per_value(originals, pool, 1, draw)


def _without_replacement(pool: Sequence[str], draw: Draw) -> Iterator[str]:
    """The pool in random order, shuffled only as far as it is consumed (Fisher and Yates)."""
    moved: dict[int, str] = {}
    for left in range(len(pool), 0, -1):
        at = draw.below(left)
        chosen = moved.get(at, pool[at])
        moved[at] = moved.get(left - 1, pool[left - 1])
        yield chosen


def _next(fresh: Iterator[str]) -> str:
    name = next(fresh, None)
    if name is None:
        raise PoolExhaustedError("a document needs more surrogate names than the list has")
    return name


def _shuffle(items: list[str], draw: Draw) -> None:
    for i in range(len(items) - 1, 0, -1):
        j = draw.below(i + 1)
        items[i], items[j] = items[j], items[i]
