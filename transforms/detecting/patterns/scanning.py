"""Run one RE2 pattern over a whole column, in linear time.

A step of Python for each match is cheap where matches are few. Where they are many, Arrow's RE2 marks them
all in one call, for which it must build its automaton anew.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, islice
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import re2

from tacenda.transforms.text.utf8 import Buffer

Ranges = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""Starts and ends, in bytes of a buffer's data."""

_PARTS = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|[\^$]", re.DOTALL)
"""Escapes, character classes, and assertions about the edges of a text."""

_PROBED = 256
"""Matches to step through before it is guessed how many there will be …"""

_MANY = 2048
"""… and how many it takes for marking them all to cost less than stepping through them."""

_MANY_ROWS = 4096
"""Cells from which on Arrow looks first which of them match at all."""

_Anchor = re2._re2.RE2.Anchor

_MARK = b"\xfe"
"""Stands around a match; like the separator of cells it never occurs in UTF-8."""


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> Any:
    """An RE2 regular expression; raises ``re2.error`` where it is none."""
    return re2.compile(pattern, _options())


def why_refused(error: re2.error) -> str:
    """What RE2 says against a pattern, without the part of it that it quotes: a pattern may hold names."""
    said = error.args[0]
    return str(said.decode() if isinstance(said, bytes) else said).partition(":")[0]


def _options() -> Any:
    options = re2.Options()
    options.max_mem = 16 << 20  # room for the lazily built automaton: below it RE2 turns to a slower engine
    options.log_errors = False
    return options


@lru_cache(maxsize=4096)
def is_positional(pattern: str) -> bool:
    r"""Does it speak of the edges of a text? Those of joined cells are not those of each cell.

    A pattern with a quotation counts as one: in ``\Q[\E^`` there is no class, and ``\Qa`` would take what is
    put around a pattern, to join it with others or to mark its matches, for more of the quotation.
    """
    return r"\Q" in pattern or any(part in ("^", "$", r"\A", r"\z") for part in _PARTS.findall(pattern))


@lru_cache(maxsize=4096)
def _match(pattern: str, captures: bool) -> Callable[[Any, bytes, int, int], Sequence[tuple[int, int]]]:
    """The spans of the first match in ``data[place:end]`` as an anchor has it, of its groups too if it
    ``captures``.

    RE2 itself is asked: the iterators and matches of the module ``re2`` cost more than what they do.
    """
    options = _options()
    options.never_capture = True
    regex = compiled(pattern) if captures else re2.compile(pattern, options)
    match: Callable[[Any, bytes, int, int], Sequence[tuple[int, int]]] = regex._regexp.Match
    return match


def _searcher(pattern: str, captures: bool) -> Callable[[bytes, int, int], Sequence[tuple[int, int]]]:
    return partial(_match(pattern, captures), _Anchor.UNANCHORED)


def end_of_match(pattern: str) -> Callable[[bytes, int, int | None], int | None]:
    """Tells where the match that begins at a place of some data ends: at a second place, if one is given."""
    match = _match(pattern, False)

    def ends(data: bytes, start: int, end: int | None) -> int | None:
        anchor, stop = (_Anchor.ANCHOR_START, len(data)) if end is None else (_Anchor.ANCHOR_BOTH, end)
        last = match(anchor, data, start, stop)[0][1]
        return None if last < 0 else last

    return ends


def _spans(pattern: str, data: bytes, groups: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Of every match of each wanted group that is not empty, as ``finditer`` finds them."""
    search = _searcher(pattern, any(groups))
    place, end = 0, len(data)
    while place <= end:
        match = search(data, place, end)
        last = match[0][1]
        if last < 0:
            return
        for group in groups:
            span = match[group]
            if span[0] < span[1]:
                yield span
        place = last if last > place else place + 1


def scan(buffer: Buffer, pattern: str, groups: Sequence[int] = (0,)) -> Ranges:
    """Every non-empty match of each wanted group, by rising place."""
    if not len(buffer.cells):
        return _ranges([])
    if is_positional(pattern):
        return _scan_rows(buffer, pattern, groups)
    wanted = tuple(groups)
    rest = _spans(pattern, buffer.data, wanted)
    spans = list(islice(rest, _PROBED))
    if len(spans) == _PROBED and wanted == (0,) and _PROBED * len(buffer.data) > _MANY * spans[-1][1]:
        return _marked(buffer.data, pattern)
    spans.extend(rest)
    return _ranges(spans)


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
    rows = buffer.rows
    chosen: Sequence[int] = range(len(rows))
    if len(rows) > _MANY_ROWS:
        texts = pa.array(rows, type=pa.binary()).cast(pa.string())
        chosen = np.flatnonzero(
            pc.match_substring_regex(texts, pattern).to_numpy(zero_copy_only=False)
        ).tolist()
    spans: list[tuple[int, int]] = []
    firsts = buffer.first_bytes.tolist()
    whole = _searcher(pattern, captures=False)
    for k in chosen:
        # To find groups in a text costs more than to see that there is no match, as in most.
        if whole(rows[k], 0, len(rows[k]))[0][0] < 0:
            continue
        first = firsts[k]
        spans += [(first + start, first + end) for start, end in _spans(pattern, rows[k], groups)]
    return _ranges(spans)


def _ranges(spans: Sequence[tuple[int, int]]) -> Ranges:
    edges = np.fromiter(chain.from_iterable(spans), np.int64, 2 * len(spans))
    return edges[::2], edges[1::2]
