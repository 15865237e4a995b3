"""Is there a hotword near a finding? Answered for all findings of a column at once."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from transforms.detecting.column import Column
from transforms.detecting.scanning import scan
from transforms.detecting.settings import Hotword


def near_hotword(
    column: Column, places: Sequence[tuple[int, int, int]], hotword: Hotword
) -> npt.NDArray[np.bool_]:
    """For each place (cell, start, end): does a match of the hotword lie entirely in its window?

    The window holds the place itself, and reaches over neighbouring cells of the same conversation, where
    the step from cell to cell counts as one code point.
    """
    if not places:
        return np.zeros(0, dtype=np.bool_)
    cells, starts, ends = np.asarray(places, dtype=np.int64).T
    low = column.origins[cells] + starts - hotword.window_before
    high = column.origins[cells] + ends + hotword.window_after
    looked_at = np.zeros(len(column.texts) + 1, dtype=np.int64)
    first = np.searchsorted(column.origins, low, side="right") - 1
    last = np.searchsorted(column.origins, high, side="left")
    np.add.at(looked_at, np.maximum(first, 0), 1)
    np.add.at(looked_at, last, -1)
    buffer = column.some(np.flatnonzero(np.cumsum(looked_at[:-1]) > 0).tolist())
    found = list(scan(buffer, hotword.regex))
    if not found:
        return np.zeros(len(places), dtype=np.bool_)
    hot_cells, hot_starts, hot_ends = np.asarray(found, dtype=np.int64).T
    hot_starts = hot_starts + column.origins[hot_cells]
    hot_ends = hot_ends + column.origins[hot_cells]
    # Matches of one pattern are disjoint and rising: the first that starts in the window also ends first.
    index = np.searchsorted(hot_starts, low, side="left")
    near: npt.NDArray[np.bool_] = hot_ends[np.minimum(index, len(hot_ends) - 1)] <= high
    return near & (index < len(hot_starts))
