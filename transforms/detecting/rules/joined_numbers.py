"""Separate a number from a neighbour: "4111 1111 1111 1111 12" is a card number and a count.

If groups may be separated, a pattern takes groups of a neighbouring number as its own, and the validators
reject the match. Then the number is searched for among the groups: from each group on, the longest run that
matches the pattern, is delimited and passes the validators.
"""

import re
from collections.abc import Callable

from tacenda.transforms.detecting.patterns.scanning import end_of_match

_GROUP = re.compile(rb"[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\xff]+")
"""ASCII letters and digits, and all non-ASCII characters, in UTF-8."""


def numbers_within(
    data: bytes, start: int, end: int, pattern: str, accepts: Callable[[int, int], bool]
) -> list[tuple[int, int]]:
    """Disjoint byte ranges, ascending; each begins at a group of the rejected match ``data[start:end]``.

    The last may extend beyond the match, which the neighbour before it has cut short. The time is quadratic
    in the number of groups in a match, so the pattern must bound them.
    """
    firsts = [group.start() for group in _GROUP.finditer(data, start, end)]
    if len(firsts) < 2:
        return []
    firsts[0] = start
    match_end = end_of_match(pattern)
    found: list[tuple[int, int]] = []
    behind = start
    for first in firsts:
        if first < behind:
            continue
        last = end if first == start else match_end(data, first, None)
        if last is None:
            continue
        stops = [group.end() for group in _GROUP.finditer(data, first, last)]
        if first != start and stops[-1] != last:
            stops.append(last)
        for stop in reversed(stops):
            is_match = stop == last or match_end(data, first, stop) is not None
            if is_match and (first, stop) != (start, end) and accepts(first, stop):
                found.append((first, stop))
                behind = stop
                break
    return found
