"""Running one regular expression over a whole column, in RE2's dialect and so in linear time.

A step of Python for each match is cheap where matches are few. Where they are many, Arrow's RE2 marks them
all in one call, for which it must build its automaton anew.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import re2

from transforms.detecting.column import Buffer

Ranges = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""Starts and ends, in bytes of a buffer's data."""

_PARTS = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|[\^$]", re.DOTALL)
"""Escapes, character classes, and assertions about the edges of a text."""

_MANY = 4096
"""Matches from which on marking them all costs less than stepping through them."""

_MARK = b"\xfe"
"""Stands around a match; like the separator of cells it never occurs in UTF-8."""


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


def scan(buffer: Buffer, pattern: str, groups: Sequence[int] = (0,)) -> Ranges:
    """Every non-empty match of each wanted group, by rising place."""
    if not len(buffer.cells):
        return _ranges([])
    if is_positional(pattern):
        return _scan_rows(buffer, pattern, groups)
    wanted = tuple(groups)
    matches = compiled(pattern).finditer(buffer.data)
    spans = [match.span(group) for match in islice(matches, _MANY) for group in wanted]
    if len(spans) == _MANY and wanted == (0,):
        return _marked(buffer.data, pattern)
    spans.extend(match.span(group) for match in matches for group in wanted)
    return _ranges([span for span in spans if span[0] < span[1]])


def _marked(data: bytes, pattern: str) -> Ranges:
    text = pa.StringArray.from_buffers(
        1, pa.py_buffer(np.asarray([0, len(data)], dtype=np.int32)), pa.py_buffer(data)
    )
    marked = pc.replace_substring_regex(text, pattern, _MARK + rb"\0" + _MARK)
    marks = np.flatnonzero(np.frombuffer(marked.buffers()[2], dtype=np.uint8) == _MARK[0])
    marks -= np.arange(len(marks))
    starts, ends = marks[::2], marks[1::2]
    nonempty = starts < ends
    return starts[nonempty], ends[nonempty]


def _scan_rows(buffer: Buffer, pattern: str, groups: Sequence[int]) -> Ranges:
    regex = compiled(pattern)
    starts, ends = buffer.rows()
    rows = [buffer.data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    chosen: Sequence[int] = range(len(rows))
    if len(rows) > _MANY:
        texts = pa.array(rows, type=pa.binary()).cast(pa.string())
        chosen = np.flatnonzero(
            pc.match_substring_regex(texts, pattern).to_numpy(zero_copy_only=False)
        ).tolist()
    spans: list[tuple[int, int]] = []
    for k in chosen:
        first = int(starts[k])
        for match in regex.finditer(rows[k]):
            for group in groups:
                start, end = match.span(group)
                if start < end:
                    spans.append((first + start, first + end))
    return _ranges(spans)


def _ranges(spans: Sequence[tuple[int, int]]) -> Ranges:
    starts, ends = np.asarray(spans, dtype=np.int64).reshape(-1, 2).T
    return starts, ends
