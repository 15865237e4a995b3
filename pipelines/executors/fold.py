"""Map parts of the input to small results and add them up, in this process or several."""

import os
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeVar

from tacenda.pipelines.executors import children
from tacenda.transforms.schema.errors import UserError

_WORTH_A_PROCESS_BYTES = 1 << 20

Item = TypeVar("Item")
Result = TypeVar("Result")


def fold(
    items: Sequence[Item],
    of_item: Callable[[Item], Result],
    merge: Callable[[Result, Result], Result],
    workers: int | None,
    text_bytes: int,
) -> Result:
    """The sum of the results of all items, such as parts of the input, in so many processes.

    ``of_item`` may write files whose names depend on the item; like the associative and commutative ``merge``,
    it can be pickled. Without a number of ``workers``, the size of the input, ``text_bytes``, decides.

    Raises:
        UserError: there are no items, as from empty files.
        RunFailedError: a worker was killed.
    """
    if not items:
        raise UserError("--input: the files are empty")
    if workers is None:
        workers = 1 if text_bytes < _WORTH_A_PROCESS_BYTES else os.cpu_count() or 1
    workers = min(workers, len(items))
    if workers == 1:
        return reduce(merge, map(of_item, items))
    with children.worker_pool(workers) as pool:
        with children.deaf():
            results = [pool.submit(of_item, item) for item in items]
        return reduce(merge, (result.result() for result in results))
