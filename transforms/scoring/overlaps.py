"""Select among overlapping marks: each part of a text counts once."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from tacenda.transforms.schema.residual import Place


def standing(places: Sequence[Place | None], heaviest_first: Iterable[int]) -> list[int]:
    """The marks that count: those that overlap none that was selected before.

    Args:
        places: the position of each mark; None for one without a position, which overlaps nothing.
        heaviest_first: the indexes of the marks, in order of selection.

    Returns:
        The selected indexes, in that order.
    """
    taken: dict[int, tuple[list[int], list[int]]] = {}
    left: list[int] = []
    for mark in heaviest_first:
        place = places[mark]
        if place is not None:
            cell, start, end = place
            starts, ends = taken.setdefault(cell, ([], []))
            # Selected marks are disjoint, so starts and ends are in the same order.
            at = bisect_left(ends, start + 1)
            if at < len(starts) and starts[at] < end:
                continue
            starts.insert(at, start)
            ends.insert(at, end)
        left.append(mark)
    return left
