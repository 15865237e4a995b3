"""Find letters and digits in a text; without any, it identifies nobody."""

import re
from bisect import bisect_left
from functools import cached_property
from itertools import accumulate

_RUN = re.compile(r"[^\W_]+")


class Letters:
    """Counts the letters and digits in ranges of a text, by binary search."""

    def __init__(self, text: str) -> None:
        self._text = text

    def any_in(self, start: int, end: int) -> bool:
        """Whether ``text[start:end]`` has any; usually the first character is one."""
        return start < end and (self._text[start].isalnum() or self.count(start, end) > 0)

    def count(self, start: int, end: int) -> int:
        """The number in ``text[start:end]``."""
        return self._up_to(end) - self._up_to(start) if start < end else 0

    @cached_property
    def _runs(self) -> tuple[list[int], list[int]]:
        """The start of each run of letters and digits, the counts before each, and the total."""
        runs = [run.span() for run in _RUN.finditer(self._text)]
        return [start for start, _ in runs], [0, *accumulate(end - start for start, end in runs)]

    def _up_to(self, place: int) -> int:
        starts, before = self._runs
        run = bisect_left(starts, place)
        return min(before[run], before[run - 1] + place - starts[run - 1]) if run else 0
