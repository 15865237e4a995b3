"""Sample conversations so that small corpora contribute as much text as large ones."""

import heapq
import random
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

CHARACTERS = 1_000_000
"""Code points of text: enough to train gates and to see the extremes of activations."""


def drawn(records: Sequence[Mapping[str, Any]], characters: int = CHARACTERS) -> list[Mapping[str, Any]]:
    """Draw about ``characters`` of text, each time from the corpus (``source``) with the least text so far."""
    rng = random.Random(0)  # noqa: S311 - a sample, no secret
    corpora: dict[str, deque[Mapping[str, Any]]] = {}
    for record in rng.sample(records, len(records)):
        corpora.setdefault(str(record.get("source")).partition("/")[0], deque()).append(record)
    waiting = [(0, number, some) for number, some in enumerate(corpora.values())]
    taken: list[Mapping[str, Any]] = []
    count = 0
    while waiting and count < characters:
        own, number, rest = waiting[0]
        if not rest:
            heapq.heappop(waiting)
            continue
        taken.append(rest.popleft())
        # Plus one, so that empty conversations count.
        size = 1 + sum(len(turn["text"]) for turn in taken[-1]["turns"])
        heapq.heapreplace(waiting, (own + size, number, rest))
        count += size
    return taken
