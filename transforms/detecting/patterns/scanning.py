"""Run one RE2 pattern over a whole column, in linear time, with a step of Python for each match."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import re2

from tacenda.transforms.detecting.patterns.pattern_set import in_latin
from tacenda.transforms.text.utf8 import Buffer

Ranges = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""Starts and ends, as byte positions in a buffer's data."""

_PARTS = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|[\^$]", re.DOTALL)
"""Escapes, character classes, and assertions about the edges of the text."""

_Anchor = re2._re2.RE2.Anchor


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> Any:
    """Compile an RE2 regular expression; raises ``re2.error`` if it is not valid."""
    return re2.compile(pattern, _options())


def why_refused(error: re2.error) -> str:
    """RE2's error about a pattern, without the part of it that RE2 quotes: a pattern may contain names."""
    said = error.args[0]
    return str(said.decode() if isinstance(said, bytes) else said).partition(":")[0]


def _options() -> Any:
    options = re2.Options()
    options.max_mem = 16 << 20  # for the lazily built automaton; with less, RE2 uses a slower engine
    options.log_errors = False
    return options


@lru_cache(maxsize=4096)
def is_positional(pattern: str) -> bool:
    r"""Whether the pattern refers to the edges of the text: those of joined cells are not those of each cell.

    Patterns with a quotation count as positional: ``\Q[\E^`` contains no class, and ``\Qa`` would swallow
    whatever is put around a pattern to join it with others.
    """
    return r"\Q" in pattern or any(part in ("^", "$", r"\A", r"\z") for part in _PARTS.findall(pattern))


@lru_cache(maxsize=4096)
def _match(pattern: str, captures: bool) -> Callable[[Any, bytes, int, int], Sequence[tuple[int, int]]]:
    """A function for the span of the first match in ``data[place:end]`` and, if it ``captures``, its groups.

    RE2 is called directly: the iterators and match objects of the module ``re2`` cost more than the matching.
    """
    options = _options()
    options.never_capture = True
    regex = compiled(pattern) if captures else re2.compile(pattern, options)
    match: Callable[[Any, bytes, int, int], Sequence[tuple[int, int]]] = regex._regexp.Match
    return match


def end_of_match(pattern: str) -> Callable[[bytes, int, int | None], int | None]:
    """A function that returns the end of the match starting at a position; it may also be given a limit."""
    match = _match(pattern, False)

    def ends(data: bytes, start: int, end: int | None) -> int | None:
        anchor, stop = (_Anchor.ANCHOR_START, len(data)) if end is None else (_Anchor.ANCHOR_BOTH, end)
        last = match(anchor, data, start, stop)[0][1]
        return None if last < 0 else last

    return ends


def _spans(pattern: str, data: bytes, groups: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The non-empty span of each wanted group in every match, in the order of ``finditer``."""
    search = _match(pattern, any(groups))
    place, end = 0, len(data)
    while place <= end:
        match = search(_Anchor.UNANCHORED, data, place, end)
        last = match[0][1]
        if last < 0:
            return
        for group in groups:
            span = match[group]
            if span[0] < span[1]:
                yield span
        place = last if last > place else place + 1


def scan(buffer: Buffer, pattern: str, groups: Sequence[int] = (0,)) -> Ranges:
    """Every non-empty match of each wanted group, by ascending position."""
    if not len(buffer.cells):
        return _ranges([])
    if buffer.is_latin:
        pattern = in_latin(pattern)
    if is_positional(pattern):
        return _scan_rows(buffer, pattern, groups)
    return _ranges(list(_spans(pattern, buffer.data, tuple(groups))))


def _scan_rows(buffer: Buffer, pattern: str, groups: Sequence[int]) -> Ranges:
    spans: list[tuple[int, int]] = []
    whole = _match(pattern, captures=False)
    for row, first in zip(buffer.rows, buffer.first_bytes.tolist(), strict=True):
        # Finding groups costs more than finding out that there is no match, the usual case.
        if whole(_Anchor.UNANCHORED, row, 0, len(row))[0][0] >= 0:
            spans += [(first + start, first + end) for start, end in _spans(pattern, row, groups)]
    return _ranges(spans)


def _ranges(spans: Sequence[tuple[int, int]]) -> Ranges:
    edges = np.fromiter(chain.from_iterable(spans), np.int64, 2 * len(spans))
    return edges[::2], edges[1::2]
