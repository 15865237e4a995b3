"""Split numbers that a neighbour joined: "4111 1111 1111 1111 12" is a card number and a count.

Where groups may stand apart, a pattern takes the groups of another number for some of its own, and the
validators refuse what it took. Then the number is looked for among the groups: from each of them on, the
longest run that the pattern matches, that stands apart and that the validators accept.
"""

import re
from collections.abc import Callable

from tacenda.transforms.detecting.patterns.scanning import end_of_match

_GROUP = re.compile(rb"[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\xff]+")
"""Letters and digits of ASCII and all beyond it, in UTF-8."""


def numbers_within(
    data: bytes, start: int, end: int, pattern: str, accepts: Callable[[int, int], bool]
) -> list[tuple[int, int]]:
    """Disjoint ranges of bytes, rising; each begins at a group of the refused match ``data[start:end]``.

    The last may reach further than the match did, which the neighbour in front has cut short. Takes a time that
    grows with the square of the groups that a match can have, so the pattern must bound them.
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
