"""Marks that lie over each other: of one stretch of text, one counts."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from tacenda.transforms.schema.residual import Place


def standing(places: Sequence[Place | None], heaviest_first: Iterable[int]) -> list[int]:
    """Which of some marks count: each that lies over none of those that were taken before it.

    Args:
        places: where each mark stands; None for one that stands nowhere in particular, and over nothing.
        heaviest_first: the marks by number, in the order in which they are taken.

    Returns:
        Their numbers, in that order.
    """
    taken: dict[int, tuple[list[int], list[int]]] = {}
    left: list[int] = []
    for mark in heaviest_first:
        place = places[mark]
        if place is not None:
            cell, start, end = place
            starts, ends = taken.setdefault(cell, ([], []))
            # Those that were taken are disjoint, so starts and ends are in the same order.
            at = bisect_left(ends, start + 1)
            if at < len(starts) and starts[at] < end:
                continue
            starts.insert(at, start)
            ends.insert(at, end)
        left.append(mark)
    return left
