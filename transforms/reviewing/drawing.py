"""Draw conversations for human review: a number from each context, determined by a seed.

Each conversation gets a number that depends only on the seed and its id; in each context, those with the
smallest numbers are drawn. So a sample does not depend on the order of the corpus, and anyone with the seed
can reproduce it and verify that nothing was picked by hand.

A sample by risk is stratified: each class of scores has its share of the sample, rounded up or down at random
by the seed (systematic sampling, W. G. Cochran, "Sampling Techniques", 1977, chapter 8). Each conversation of a
context still has the same chance, so means are estimated without weights.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
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


def draw(
    conversations: Iterable[Hashed], seed: int, per_context: int, classes: Mapping[str, int] | None = None
) -> Sample:
    """Draw ``per_context`` conversations of each context, or all if it has fewer.

    Args:
        conversations: of the corpus, in any order.
        seed: determines the sample.
        per_context: the size of the sample of each context.
        classes: the class of risk of conversations by id, 0 for those not named; None to draw without
            regard to risk.
    """
    kept: dict[tuple[str, int], list[Hashed]] = {}
    sizes: Counter[tuple[str, int]] = Counter()
    for one in conversations:
        stratum = (one.context, 0 if classes is None else classes.get(one.conversation_id, 0))
        sizes[stratum] += 1
        few = kept.setdefault(stratum, [])
        few.append(one)
        if len(few) >= 2 * per_context:
            kept[stratum] = _first(few, seed, per_context)
    populations: Counter[str] = Counter()
    for (context, _), size in sizes.items():
        populations[context] += size
    drawn: dict[str, list[Hashed]] = {context: [] for context in sorted(populations)}
    for context, several in drawn.items():
        strata = sorted(stratum for stratum in sizes if stratum[0] == context)
        numbers = allocate([sizes[stratum] for stratum in strata], per_context, _share(seed, context))
        for stratum, number in zip(strata, numbers, strict=True):
            several += _first(kept[stratum], seed, number)
    ordered = [one for several in drawn.values() for one in _first(several, seed, len(several))]
    return Sample(tuple(ordered), dict(sorted(populations.items())))


def draw_over_contexts(conversations: Iterable[Hashed], seed: int, number: int) -> Sample:
    """Draw ``number`` conversations of the corpus, from each context in proportion to its size."""
    kept: dict[str, list[Hashed]] = {}
    sizes: Counter[str] = Counter()
    for one in conversations:
        sizes[one.context] += 1
        few = kept.setdefault(one.context, [])
        few.append(one)
        if len(few) >= 2 * number:
            kept[one.context] = _first(few, seed, number)
    contexts = sorted(sizes)
    numbers = allocate([sizes[context] for context in contexts], number, _share(seed, ""))
    several = zip(contexts, numbers, strict=True)
    drawn = [one for context, count in several for one in _first(kept[context], seed, count)]
    return Sample(tuple(drawn), {context: sizes[context] for context in contexts})


def allocate(sizes: Iterable[int], number: int, start: float) -> list[int]:
    """Divide a sample among strata in proportion to their sizes.

    Args:
        sizes: of the strata, in their order.
        number: the size of the sample; all conversations if there are fewer.
        start: 0 to 1, drawn at random. The expected share of a stratum is then exactly proportional.

    >>> allocate([90, 7, 3], 20, 0.5), allocate([90, 7, 3], 20, 0.9), allocate([1, 2], 9, 0.3)
    ([18, 1, 1], [18, 2, 0], [1, 2])
    """
    sizes = list(sizes)
    total = sum(sizes)
    number = min(number, total)
    # In integers, so that each machine rounds alike.
    offset = int(start * total)
    counts, seen, before = [], 0, offset // total if total else 0
    for size in sizes:
        seen += size
        until = (number * seen + offset) // total
        counts.append(until - before)
        before = until
    return counts


def class_of(score: int, threshold: float) -> int:
    """The class of risk of a score: nothing found, something, or the threshold and more."""
    return 0 if score <= 0 else 1 if score < threshold else 2


def _share(seed: int, context: str) -> float:
    """A number from 0 to 1 for a context."""
    return int.from_bytes(_number(seed, f"\ncontext\n{context}")[:6], "big") / 2**48


def _first(conversations: Iterable[Hashed], seed: int, count: int) -> list[Hashed]:
    return nsmallest(count, conversations, key=lambda one: (_number(seed, one.conversation_id), one))


def _number(seed: int, conversation_id: str) -> bytes:
    key = f"{seed}\n{conversation_id}"
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()
