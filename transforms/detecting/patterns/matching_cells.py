"""Find the cells that match any of many patterns, in one pass."""

from bisect import bisect_right
from collections.abc import Iterable

import numpy as np
import re2

from tacenda.transforms.detecting.patterns.scanning import compiled
from tacenda.transforms.text.utf8 import Buffer, Utf8Column


def cells_matching_any(column: Utf8Column, buffer: Buffer, patterns: Iterable[str]) -> Buffer:
    """The cells of ``buffer`` that match at least one of the patterns, searched for as one.

    The patterns must not be positional. Usually few cells are left, in which the patterns cost next to
    nothing one by one. It pays off for patterns of words, such as hotwords; many character classes would make
    the automaton too big to be fast. If there are too many patterns for one, all cells are returned.
    """
    joined = "|".join(f"(?:{pattern})" for pattern in sorted(set(patterns)))
    if not joined or not len(buffer.cells):
        return column.select(np.zeros(0, dtype=np.int64))
    try:
        regex = compiled(joined, joins_many=True)
    except re2.error:
        return buffer
    chosen: list[int] = []
    starts = buffer.first_bytes.tolist()
    match = regex.search(buffer.data)
    while match:
        k = bisect_right(starts, match.start()) - 1
        chosen.append(k)
        if k + 1 == len(starts):
            break
        match = regex.search(buffer.data, starts[k + 1])
    return column.select(buffer.cells[np.asarray(chosen, dtype=np.int64)])
