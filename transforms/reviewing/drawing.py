"""Draw conversations for people to read: at random over the corpus, and a few more of contexts with too few.

Each conversation has a number that depends only on the hash of the corpus and its id; those with the smallest
numbers are drawn. So nobody can choose the sample, anyone can draw it again, it does not depend on the order of
the corpus, and a larger sample contains a smaller one. Over the corpus it is a simple random sample, in which
every context has its share on average; the bound of a share rests on it alone.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from heapq import nsmallest
from typing import NamedTuple

from tacenda.transforms.scoring.bounds import judged_groups


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

    Args:
        conversations: of the corpus, in any order.
        seed: determines the sample.
        number: the size of the sample; all conversations if there are fewer.
        least: conversations of each context, where small contexts count together (``judged_groups``).
    """
    first: list[Hashed] = []
    kept: dict[str, list[Hashed]] = {}
    sizes: Counter[str] = Counter()
    for one in conversations:
        sizes[one.context] += 1
        first.append(one)
        if len(first) >= 2 * number + 1000:
            first = _first(first, seed, number)
        few = kept.setdefault(one.context, [])
        few.append(one)
        if len(few) >= 2 * least + 100:
            kept[one.context] = _first(few, seed, least)
    drawn = _first(first, seed, number)
    populations = dict(sorted(sizes.items()))
    of_group: dict[str, list[Hashed]] = {}
    for context, group in judged_groups(populations, len(drawn), least).items():
        # A context may be called as small ones together are.
        of_group.setdefault(f"{context == group}{group}", []).extend(kept[context])
    there = set(drawn)
    extra = [
        one
        for _, several in sorted(of_group.items())
        for one in _first(several, seed, least)
        if one not in there
    ]
    return Sample(tuple(drawn), tuple(extra), populations)


def _first(conversations: Iterable[Hashed], seed: str, count: int) -> list[Hashed]:
    return nsmallest(count, conversations, key=lambda one: (_number(seed, one.conversation_id), one))


def _number(seed: str, conversation_id: str) -> bytes:
    key = f"{seed}\n{conversation_id}"
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()
