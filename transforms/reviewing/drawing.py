"""Draw conversations for people to read, tell what a sample can show, and plant leaks to measure readers.

Each conversation has a number that depends only on the hash of the corpus and its id; those with the smallest
numbers are drawn. So nobody can choose the sample, anyone can draw it again, it does not depend on the order of
the corpus, and a larger sample contains a smaller one. Over the corpus it is a simple random sample, in which
every context has its share on average; the bound of a share rests on it alone.

A bound at 95 % may be wrong one time in twenty. Whoever looks twice at a corpus, and releases it if either look
allows it, has two chances: so each look spends a part of these 5 %, and together they spend no more
(Bonferroni's inequality, with parts fixed before the data as in K. K. G. Lan and D. L. DeMets, "Discrete
Sequential Boundaries for Clinical Trials", Biometrika 70(3), 1983). A look spends four fifths of what is left.

Catch trials: in a conversation beyond the sample one token is replaced, wherever it stands, by a value that
could have been missed there. Readers do not see which conversations these are; their scores count for nothing.
"""

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import exp, lgamma, log, log1p
from typing import NamedTuple

from tacenda.transforms.auditing.swapping import Draws
from tacenda.transforms.reviewing.marks import Mark, Talk
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.scoring.bounds import ERROR, Reading, judged_groups
from tacenda.transforms.scoring.intervals import upper_count
from tacenda.transforms.writing.columns import text_hash


class Hashed(NamedTuple):
    """A conversation of an anonymised corpus, and the hash of its text."""

    conversation_id: str
    context: str
    text_hash: str


class Sample(NamedTuple):
    """The conversations drawn over the corpus, more of single contexts, and the total of each context."""

    drawn: tuple[Hashed, ...]
    extra: tuple[Hashed, ...]
    populations: dict[str, int]

    @property
    def everything(self) -> tuple[Hashed, ...]:
        """All conversations to read."""
        return (*self.drawn, *self.extra)


def draw(conversations: Iterable[Hashed], seed: str, number: int, least: int = 0) -> Sample:
    """Draw ``number`` conversations over the corpus, and more until each context has ``least`` or all it has.

    Small contexts count together (``judged_groups``); the seed determines the sample.
    """

    def by_number(one: Hashed) -> tuple[bytes, Hashed]:
        key = f"{seed}\n{one.conversation_id}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(key, digest_size=16).digest(), one

    ordered = sorted(conversations, key=by_number)
    drawn = tuple(ordered[:number])
    populations = dict(sorted(Counter(one.context for one in ordered).items()))
    groups = judged_groups(populations, len(drawn), least)
    of_group: dict[tuple[bool, str], list[Hashed]] = {}
    for one in ordered:
        group = groups[one.context]
        # A context may be called as small ones together are.
        of_group.setdefault((one.context == group, group), []).append(one)
    few = (one for _, several in sorted(of_group.items()) for one in several[:least])
    there = set(drawn)
    return Sample(drawn, tuple(one for one in few if one not in there), populations)


SPENT = 0.8
"""The part of the error left that a look spends."""

SIZES = (60, 100, 150, 200, 300, 500, 1_000, 2_000)
RATES = (0.001, 0.005, 0.01)
"""True shares for which chances are told."""


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


def error_of(look: int) -> float:
    """What a look spends of the 5 % error, by its number from 1.

    >>> [round(error_of(look), 5) for look in (1, 2, 3)]
    [0.04, 0.008, 0.0016]
    """
    return ERROR * SPENT * (1 - SPENT) ** (look - 1)


def sizes(
    population: int, limit: float, error: float, rates: Sequence[float], read: int = 0, found: int = 0
) -> Iterator[Size]:
    """What some sizes can show of a corpus; arguments as for :func:`size_of`."""
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
    """What one size can show of a corpus.

    ``limit`` is the largest share that is released, ``error`` what the look spends, ``rates`` are true
    shares; ``read`` conversations of the same sample were read before, and ``found`` of them have a finding.
    """
    allowed = -1
    while allowed < number and _at_most(allowed + 1, number, population, error) <= limit:
        allowed += 1
    more = -1 if allowed < 0 else allowed - found
    chances = tuple(_chance(more, number - read, rate) for rate in rates)
    at_most = _at_most(found, number, population, error)
    return Size(number, at_most, None if allowed < 0 else allowed, chances)


def smallest(population: int, limit: float, error: float, found: int = 0, read: int = 0) -> int:
    """The smallest sample that releases if nothing (more) is found; all conversations if none does."""
    tried = range(max(read, found), population)
    return tried.start + bisect_left(
        tried, True, key=lambda number: _at_most(found, number, population, error) <= limit
    )


def measured(trials: Iterable[tuple[int, int]], error: float) -> tuple[float, float]:
    """The least share of leaks that readers mark, by those planted and marked; the error left for others."""
    planted, caught = map(sum, zip(*trials, strict=True))
    marked = Reading("human", 0, 0, 0, 0, error=error, planted=planted, caught=caught).sensitivity
    return max(marked, 1e-9), error / 2 if planted else error


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


class Planted(NamedTuple):
    """A talk with a leak, and where it is: turn and range of code points of each place."""

    talk: Talk
    places: tuple[tuple[int, int, int], ...]

    def is_caught(self, marks: Sequence[Mark]) -> bool:
        """Whether any mark touches the leak."""
        return any(
            not mark.on_label and mark.turn == turn and mark.start < end and start < mark.end
            for turn, start, end in self.places
            for mark in marks
        )


def plant(talk: Talk, seed: str) -> Planted | None:
    """Plant a leak in a conversation, the same for the same seed; None if it has no token to replace."""
    draws = Draws(hashlib.blake2b(f"{seed}\n{talk.text_hash}".encode(), digest_size=16).digest())
    tokens = sorted(
        {match[0] for _, text in talk.turns for match in TOKEN.finditer(text) if match[1] in Draws.KINDS}
    )
    if not tokens:
        return None
    token = tokens[draws.number(len(tokens))]
    match = TOKEN.match(token)
    assert match is not None
    value = draws.value(match[1])
    places, turns = [], []
    for number, (speaker, text) in enumerate(talk.turns):
        pieces = text.split(token)
        at = -len(value)
        for piece in pieces[:-1]:
            at += len(value) + len(piece)
            places.append((number, at, at + len(value)))
        turns.append((speaker, value.join(pieces)))
    told = text_hash([speaker for speaker, _ in turns], [text for _, text in turns])
    return Planted(talk._replace(turns=tuple(turns), text_hash=told), tuple(places))
