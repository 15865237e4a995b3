"""Running one regular expression over a whole column, in RE2's dialect and so in linear time."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import re2

from transforms.detecting.column import Buffer

_PARTS = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|[\^$]", re.DOTALL)
"""Escapes, character classes, and assertions about the edges of a text."""


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> Any:
    """An RE2 regular expression; raises ``re2.error`` where it is none."""
    options = re2.Options()
    options.max_mem = 16 << 20  # room for the lazily built automaton: below it RE2 turns to a slower engine
    options.log_errors = False
    return re2.compile(pattern, options)


@lru_cache(maxsize=4096)
def is_positional(pattern: str) -> bool:
    """Does it speak of the edges of a text? Those of joined cells are not those of each cell."""
    return any(part in ("^", "$", r"\A", r"\z") for part in _PARTS.findall(pattern))


def scan(buffer: Buffer, pattern: str, groups: Sequence[int] = (0,)) -> Iterator[tuple[int, int, int]]:
    """Cell, start and end (code points) of every non-empty match of each wanted group, by rising place."""
    regex = compiled(pattern)
    if not buffer.cells:
        return
    if is_positional(pattern):
        yield from _scan_rows(buffer, regex, pattern, groups)
        return
    for match in regex.finditer(buffer.data):
        for group in groups:
            start, end = match.span(group)
            if start < end:
                yield buffer.locate(start, end)


def _scan_rows(
    buffer: Buffer, regex: Any, pattern: str, groups: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    rows = list(buffer.rows())
    texts = pa.array([buffer.data[start:end] for _, start, end in rows], type=pa.binary()).cast(pa.string())
    fires = pc.match_substring_regex(texts, pattern).to_numpy(zero_copy_only=False)
    for k in fires.nonzero()[0].tolist():
        _, first, last = rows[k]
        for match in regex.finditer(buffer.data[first:last]):
            for group in groups:
                start, end = match.span(group)
                if start < end:
                    yield buffer.locate(first + start, first + end)
