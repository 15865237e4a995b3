"""JSON arrays, and objects spread over several lines, as JSON lines of the same length.

Every record gets a line of its own without moving: a comma between the elements of an array becomes a line
feed, and a line feed inside a record a tab, which JSON allows in the same places. So offsets, and all that is
done with lines, stay the same, and a file of any size is read as a stream.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from tacenda.transforms.schema.work_unit import LayoutKind

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_QUOTE, _BACKSLASH, _COMMA, _LINE_FEED, _SPACE = b'"\\,\n '
_STEP = np.zeros(256, np.int64)
_STEP[list(b"[{")] = 1
_STEP[list(b"]}")] = -1
_MARKS = np.zeros(256, np.bool_)
_MARKS[list(b"[{]},\n")] = True

# A line feed in a string is an error, and so is a tab: nothing becomes valid by this.
_ON_ONE_LINE = bytes.maketrans(b"\n\r", b"\t\t")

Positions = npt.NDArray[np.intp]


class DamagedError(Exception):
    """What a stream holds from here on cannot be told."""


class _Scan:
    """Finds the brackets, commas and line feeds outside of strings, chunk by chunk."""

    def __init__(self) -> None:
        self.depth = 0
        self.in_string = False
        self._backslashes = 0

    def marks(self, data: npt.NDArray[np.uint8]) -> tuple[Positions, npt.NDArray[np.int64]]:
        """Return the positions of the marks in the next chunk, and the number of open brackets after each."""
        quotes = self._quotes(data)
        marks = np.flatnonzero(_MARKS[data])
        outside = (np.searchsorted(quotes, marks) + self.in_string) % 2 == 0
        marks = marks[outside]
        depths = self.depth + np.cumsum(_STEP[data[marks]])
        self.in_string ^= bool(len(quotes) % 2)
        if len(depths):
            self.depth = int(depths[-1])
        return marks, depths

    def _quotes(self, data: npt.NDArray[np.uint8]) -> Positions:
        """The quotes that no backslash escapes."""
        quotes: Positions = np.flatnonzero(data == _QUOTE)
        slashes = np.flatnonzero(data == _BACKSLASH)
        before, self._backslashes = self._backslashes, 0
        if not len(slashes):
            escaped = before % 2 == 1 and len(quotes) > 0 and quotes[0] == 0
            return quotes[int(escaped) :]
        starts = slashes[np.flatnonzero(np.diff(slashes, prepend=-2) != 1)]
        # A run that begins a chunk goes on from the chunk before.
        shift = before if starts[0] == 0 else 0
        if slashes[-1] == len(data) - 1:
            self._backslashes = len(data) - int(starts[-1]) + (shift if len(starts) == 1 else 0)
        runs = np.searchsorted(starts, quotes) - 1
        behind = (runs >= 0) & (data[quotes - 1] == _BACKSLASH) & (quotes > 0)
        lengths = np.where(behind, quotes - starts[runs] + np.where(runs == 0, shift, 0), 0)
        if len(quotes) and quotes[0] == 0:
            lengths[0] = before
        unescaped: Positions = quotes[lengths % 2 == 0]
        return unescaped


def elements_on_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Rewrite the chunks of an array as lines.

    Raises:
        DamagedError: the file ends before the array does, or goes on behind it.
    """
    scan = _Scan()
    begun = False
    for chunk in chunks:
        data = np.frombuffer(chunk, np.uint8)
        marks, depths = scan.marks(data)
        brackets = data[marks] != _LINE_FEED
        line = bytearray(chunk.translate(_ON_ONE_LINE))
        if not begun and brackets.any():
            begun = True
            line[marks[brackets][0]] = _SPACE
        for place in marks[(data[marks] == _COMMA) & (depths == 1)].tolist():
            line[place] = _LINE_FEED
        closing = marks[brackets & (depths <= 0)]
        if len(closing):
            end = int(closing[0])
            yield bytes(line[:end]) + b" "
            if chunk[end : end + 1] != b"]" or chunk[end + 1 :].strip() or any(map(bytes.strip, chunks)):
                raise DamagedError
            return
        yield bytes(line)
    raise DamagedError


def objects_on_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Rewrite the chunks of objects over several lines as lines.

    Raises:
        DamagedError: the file ends inside an object, or has brackets that are not open.
    """
    scan = _Scan()
    for chunk in chunks:
        data = np.frombuffer(chunk, np.uint8)
        marks, depths = scan.marks(data)
        line = bytearray(chunk.translate(_ON_ONE_LINE))
        for place in marks[(data[marks] == _LINE_FEED) & (depths == 0)].tolist():
            line[place] = _LINE_FEED
        if (depths < 0).any():
            yield bytes(line[: marks[depths < 0][0]])
            raise DamagedError
        yield bytes(line)
    if scan.depth or scan.in_string:
        raise DamagedError


def layout_of(head: bytes) -> LayoutKind:
    r"""Tell from the first bytes of a JSON file how its records are laid out.

    >>> layout_of(b'[{"a": 1},'), layout_of(b'{\n "a": 1\n}\n'), layout_of(b'{"a": 1}\n{"a":')
    ('array', 'objects', 'lines')
    """
    text = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if text.startswith(b"["):
        return "array"
    first, _, rest = text.partition(b"\n")
    if not text.startswith(b"{") or not rest or _value(first) is not None:
        return "lines"
    # A first line that is broken off looks alike, but those behind it begin records of their own.
    try:
        whole = next(objects_on_lines(iter([text]))).partition(b"\n")[0]
    except DamagedError:
        whole = first
    if _value(whole) is not None:
        return "objects"
    return "lines" if b"\n{" in text else "objects"


def _value(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
