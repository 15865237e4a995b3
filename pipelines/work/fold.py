"""A fold: a job that maps parts of the input to small results and adds them up.

For jobs beside the main one: they write records part by part, and only counts come together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Fold(Generic[Item, Result]):
    """The functions of a job; all can be pickled.

    ``of_item`` maps an item, such as a part of the input, to its result, and may write files whose names depend
    on the item. ``merge`` adds up two results; it is associative and commutative. ``finish`` writes the sum.
    """

    items: Sequence[Item]
    of_item: Callable[[Item], Result]
    merge: Callable[[Result, Result], Result]
    finish: Callable[[Result], None]
