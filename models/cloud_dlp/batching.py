"""Pack texts into as few requests as a service's limits allow, in their order."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def packed(
    items: Iterable[Item], sizes: Iterable[int], max_size: int, max_items: int
) -> Iterator[list[Item]]:
    """Runs of neighbours whose sizes add up to at most ``max_size``, at most ``max_items`` each.

    An item that is larger than ``max_size`` stands alone; whoever calls has cut it before.
    """
    pack: list[Item] = []
    filled = 0
    for item, size in zip(items, sizes, strict=True):
        if pack and (filled + size > max_size or len(pack) == max_items):
            yield pack
            pack, filled = [], 0
        pack.append(item)
        filled += size
    if pack:
        yield pack


def halves(items: Sequence[Item]) -> tuple[Sequence[Item], Sequence[Item]]:
    """Two parts of equal length or nearly so."""
    middle = len(items) // 2
    return items[:middle], items[middle:]
