"""Draw conversations for human review: a number from each context, determined by a seed.

Each conversation gets a number that depends only on the seed and its id; in each context, those with the
smallest numbers are drawn. So a sample does not depend on the order of the corpus, and anyone with the seed
can reproduce it and verify that nothing was picked by hand.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from heapq import nsmallest
from typing import NamedTuple


class Hashed(NamedTuple):
    """A conversation of an anonymised corpus, and the hash of its text."""

    conversation_id: str
    context: str
    text_hash: str


class Sample(NamedTuple):
    """The conversations drawn, in the order of contexts and numbers; and the total of each context."""

    drawn: tuple[Hashed, ...]
    populations: dict[str, int]


def draw(conversations: Iterable[Hashed], seed: int, per_context: int) -> Sample:
    """Draw ``per_context`` conversations of each context, or all if it has fewer."""
    by_context: dict[str, list[Hashed]] = {}
    populations: Counter[str] = Counter()
    for one in conversations:
        populations[one.context] += 1
        few = by_context.setdefault(one.context, [])
        few.append(one)
        if len(few) >= 2 * per_context:
            by_context[one.context] = _first(few, seed, per_context)
    drawn = [one for _, few in sorted(by_context.items()) for one in _first(few, seed, per_context)]
    return Sample(tuple(drawn), dict(sorted(populations.items())))


def _first(conversations: Iterable[Hashed], seed: int, count: int) -> list[Hashed]:
    return nsmallest(count, conversations, key=lambda one: (_number(seed, one.conversation_id), one))


def _number(seed: int, conversation_id: str) -> bytes:
    key = f"{seed}\n{conversation_id}"
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()
