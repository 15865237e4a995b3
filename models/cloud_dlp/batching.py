"""Pack texts into as few requests as a service's limits allow, in their order."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def packed(
    items: Iterable[Item], sizes: Iterable[int], max_size: int, max_items: int
) -> Iterator[list[Item]]:
    """Group consecutive items: at most ``max_items`` in a group, of total size ``max_size`` or less.

    An item larger than ``max_size`` gets a group of its own; callers split such items beforehand.
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
    """Split a sequence in the middle."""
    middle = len(items) // 2
    return items[:middle], items[middle:]
