"""Hyperscan as a filter: possible ends of matches of many patterns, in one pass."""

import platform
import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from threading import Lock

import hyperscan
import numpy as np
import numpy.typing as npt
import re2

from tacenda.transforms.detecting.patterns.prefilter.characters import UntranslatableError
from tacenda.transforms.detecting.patterns.prefilter.excerpts import REACH
from tacenda.transforms.detecting.patterns.prefilter.extent import extent
from tacenda.transforms.detecting.patterns.prefilter.specimens import specimens
from tacenda.transforms.detecting.patterns.prefilter.superset import (
    between_repetitions,
    byte_superset,
    from_first_literal,
)

_PROSE = (
    b"Thanks for calling, this is the help desk. How can I help you today?\xff"
    b"Hi, I ordered two lamps on Monday, and only one of them came. The number on the box is 40718.\xff"
    b"I see. Would you tell me your name and where you live, please, so that I can look for it?\xff"
    b"Sure, my name is Ann. I have been a customer since 2009, and nothing like this has ever happened.\xff"
    b"If nobody is at home, leave it with the man next door, or at the shop on the other side of the park.\xff"
    b"That is a long way from here, and there is no street light on the road to the station.\xff"
    b"Let me check... It says that it was sent to the old address. Is that right? I'm sorry about that!\xff"
)
_TOO_DENSE = 1 / 16
"""Matches per byte of ordinary text above which a filter would let nearly every cell through."""

_WITH_FIGURES = {i for i, line in enumerate(_PROSE.split(b"\xff")) if re.search(rb"\d", line)}
"""Its lines with digits; a digit pattern that matches in all of them is useless as a filter, too."""

_APART = b"." * 48
"""Short texts are searched in another way than those of a corpus."""

_ENDS = 40
"""Bits of a match for its end; the rest identify the pattern."""

_LEAST_ALLOWED = 1 << 16


class Automaton:
    """Some RE2 patterns in databases of ``at_once`` patterns.

    ``patterns`` are those that the library accepts; None stands for one that it does not find in all texts made
    for it (``specimens``), and whose reports mean nothing.
    """

    def __init__(self, patterns: Sequence[str], at_once: int) -> None:
        expressions = {p: expression for p in patterns if (expression := _expression(p)) is not None}
        self._databases: list[tuple[int, hyperscan.Database]] = []
        self.patterns: tuple[str | None, ...] = ()
        self._lock = Lock()
        for some in _chunks(list(expressions), at_once):
            database = _database_of_accepted(some, expressions)
            if database is not None:
                lost = lost_patterns(database, [expressions[p] for p in some])
                self._databases.append((len(self.patterns), database))
                self.patterns += tuple(None if i in lost else p for i, p in enumerate(some))

    def __getstate__(self) -> tuple[tuple[str | None, ...], list[tuple[int, bytes]]]:
        """Databases as bytes: loading takes a thousandth of the time of compiling."""
        return self.patterns, [(first, hyperscan.dumpb(database)) for first, database in self._databases]

    def __setstate__(self, state: tuple[tuple[str | None, ...], list[tuple[int, bytes]]]) -> None:
        """Raises ``hyperscan.error`` if the bytes are incomplete or from another version or processor."""
        self.patterns, databases = state
        self._databases = [(first, _loaded(data)) for first, data in databases]
        self._lock = Lock()

    def fires(self, data: bytes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None:
        """Pattern index and end of each match; None if there are too many to be useful."""
        packed: list[int] = []
        allowed = max(len(data) // 4, _LEAST_ALLOWED)
        with self._lock:  # each database has a single scratch space
            for first, database in self._databases:
                if not _scan(database, data, first, packed, allowed):
                    return None
        matches = np.asarray(packed, dtype=np.int64)
        return matches >> _ENDS, matches & ((1 << _ENDS) - 1)


def _chunks(patterns: Sequence[str], size: int) -> Iterator[list[str]]:
    for start in range(0, len(patterns), size):
        yield list(patterns[start : start + size])


def is_of_figures(pattern: str) -> bool:
    """Whether it is enough to search for the pattern around digits."""
    expression = _expression(pattern)
    longest, has_figure = (None, False) if expression is None else extent(expression.decode())
    return has_figure and longest is not None and longest <= REACH


@lru_cache(maxsize=4096)
def _expression(pattern: str) -> bytes | None:
    """The pattern, or a cheaper part of it, for the database; None if it would not filter anything."""
    for parts in (between_repetitions(pattern), [pattern]):
        begun = (some for part in parts for some in from_first_literal(part) or [part])
        found = [translated for part in begun if (translated := _in_prose(part)) is not None]
        rare = [expression for expression, places in found if not places]
        if rare:
            return max(rare, key=len)
    expression, places = _in_prose(pattern) or (b"", [])
    dense = len(places) > _TOO_DENSE * len(_PROSE)
    is_filter = not dense and not _lines(places) >= _WITH_FIGURES
    return expression if expression and is_filter else None


def _in_prose(pattern: str) -> tuple[bytes, list[int]] | None:
    """The pattern for the database, and its matches in ordinary text; None if it is not supported."""
    try:
        expression = byte_superset(pattern).encode()
        return expression, [match.start() for match in re2.compile(expression, _latin1()).finditer(_PROSE)]
    except (UntranslatableError, re2.error):
        return None


def _lines(places: Iterable[int]) -> set[int]:
    return {_PROSE.count(b"\xff", 0, place) for place in places}


def _database_of_accepted(
    patterns: list[str], expressions: Mapping[str, bytes]
) -> "hyperscan.Database | None":
    """A database of the patterns; those that the library rejects are removed from the list.

    Its error does not say which one that was. It is nearly always the largest, so they are tried in that order.
    """
    suspects = sorted(patterns, key=lambda pattern: len(expressions[pattern]))
    database = _database([expressions[p] for p in patterns])
    while database is None and suspects:
        largest = suspects.pop()
        if _database([expressions[largest]]) is None:
            patterns.remove(largest)
            database = _database([expressions[p] for p in patterns])
    return database


def _database(expressions: Sequence[bytes]) -> "hyperscan.Database | None":
    if not expressions:
        return None
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    try:
        database.compile(
            expressions=list(expressions), ids=list(range(len(expressions))), flags=[0] * len(expressions)
        )
    except hyperscan.error:
        return None
    return database


def lost_patterns(database: "hyperscan.Database", expressions: Sequence[bytes]) -> set[int]:
    """The indexes of the patterns of a database that it does not report in some text where RE2 finds them."""
    data = bytearray()
    cells: list[tuple[int, int, int]] = []
    for i, expression in enumerate(expressions):
        found = re2.compile(expression, _latin1()).search
        for specimen in specimens(expression.decode()):
            cell = _APART + b"\xff" + specimen + b"\xff"
            if found(cell):
                cells.append((i, len(data), len(data) + len(cell)))
            data += cell
    packed: list[int] = []
    _scan(database, bytes(data), 0, packed, sys.maxsize)
    packed.sort()
    lost = set()
    for i, start, end in cells:
        at = bisect_right(packed, i << _ENDS | start)
        if at == len(packed) or packed[at] > i << _ENDS | end:
            lost.add(i)
    return lost


def _latin1() -> re2.Options:
    """Every byte is a character."""
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    return options


def _loaded(data: bytes) -> "hyperscan.Database":
    database = hyperscan.loadb(data, mode=hyperscan.HS_MODE_BLOCK)
    database.scratch = hyperscan.Scratch(database)
    return database


def made_for() -> tuple[str, ...]:
    """What a database depends on besides its patterns: the libraries, and the target processor."""
    libraries = platform.python_version(), version("hyperscan"), version("google-re2")
    return *libraries, platform.machine(), *_features()


def _features() -> Iterator[str]:
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as lines:
        yield next((line for line in lines if line.startswith(("flags", "Features"))), "")


def _scan(database: "hyperscan.Database", data: bytes, first: int, packed: list[int], allowed: int) -> bool:
    """Append all matches to ``packed``; False if there are more than allowed."""
    append = packed.append

    def note(pattern: int, _start: int, end: int, _flags: int, _context: object) -> bool | None:
        append((first + pattern) << _ENDS | end)
        return True if len(packed) > allowed else None

    try:
        database.scan(data, match_event_handler=note)
    except hyperscan.ScanTerminated:
        return False
    return len(packed) <= allowed
