"""Text tables (CSV, TSV) and plain texts: one line per record, with unchanged length, and the cells of a row.

A line feed inside a cell, or inside a text that is one record, becomes a byte that never occurs in UTF-8, so
that line feeds only separate records, and offsets equal those in the file. Quoting is that of RFC 4180: a quote
opens a cell only at its beginning, and is doubled inside.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from tacenda.transforms.schema.work_unit import Layout, LayoutKind

MOST_CELL_BYTES = 16 << 20  # in longer cells, a quote was probably not closed

_INSIDE = bytes.maketrans(b"\n\xff", b"\xff\xfe")
_BETWEEN = bytes.maketrans(b"\xff", b"\xfe")
_DELIMITERS = ",;\t|"
_NAME = re.compile(r"(?=.*[^\W\d_])(?!.*\d{5})[\w .:/()#$-]{1,64}")
"""Possible names of columns; the first row of a table without names rarely has such cells only."""


def rows_on_lines(chunks: Iterator[bytes], delimiter: str) -> Iterator[bytes]:
    """Rewrite the chunks of a table so that each row is a line, and the first one, of names, is blank.

    Raises:
        DamagedError: a quote is not closed.
    """
    quoted = re.compile(rb'(?<=[\n%s])"[^"]*(?:""[^"]*)*("?)' % re.escape(delimiter.encode()))
    before, left = b"\n", b""
    in_header = True
    for chunk in chunks:
        data = before + left + chunk
        pieces: list[bytes] = []
        place, end = 1, len(data)
        for cell in quoted.finditer(data, 1):
            if cell.end() == len(data):
                # It may go on, or its last quote be the first of two, in the next chunk.
                end = cell.start()
                break
            pieces += (data[place : cell.start()].translate(_BETWEEN), cell[0].translate(_INSIDE))
            place = cell.end()
        pieces.append(data[place:end].translate(_BETWEEN))
        before, left = data[end - 1 : end], data[end:]
        written = b"".join(pieces)
        if in_header:
            names, line_feed, rest = written.partition(b"\n")
            written = b" " * len(names) + line_feed + rest
            in_header = not line_feed
        yield written
        if len(left) > MOST_CELL_BYTES:
            raise DamagedError
    if left:
        last = quoted.search(before + left, 1)
        if last is None or not last[1]:
            raise DamagedError
        yield b" " * len(left) if in_header else left.translate(_INSIDE)


def plain_text(line: bytes) -> str:
    """The text of a record with the line feeds that it had in its file.

    Raises:
        UnicodeDecodeError: it is not UTF-8.
    """
    return line.replace(b"\xff", b"\n").decode()


def cells_of(row: str, delimiter: str) -> list[str] | None:
    """The cells of a row; None if a quoted cell goes on behind its last quote.

    >>> cells_of('a,"b, c",', ","), cells_of('"a"b', ",")
    (['a', 'b, c', ''], None)
    """
    row = row.removesuffix("\r")
    if '"' not in row:
        return row.split(delimiter)
    cells, place, pattern = [], 0, _cell(delimiter)
    while cell := pattern.match(row, place):
        cells.append(cell[2] if cell[1] is None else cell[1].replace('""', '"'))
        if cell.end() == len(row) and not cell[3]:
            return cells
        place = cell.end()
    return None


@lru_cache
def _cell(delimiter: str) -> re.Pattern[str]:
    between = re.escape(delimiter)
    return re.compile(rf'(?:"([^"]*(?:""[^"]*)*)"|((?!")[^{between}]*))({between}|\Z)')


def table_layout(head: bytes, url: str) -> Layout:
    """The layout of a table, from the first bytes of its file; the delimiter is a comma, semicolon, tab or bar.

    Raises:
        UnicodeDecodeError: its names are not UTF-8.
        ValueError: its first line does not have a name for each column.
    """
    line = head.removeprefix(BYTE_ORDER_MARK).partition(b"\n")[0].decode()
    bare = re.sub('"[^"]*"', "", line)
    is_tsv = "tsv" in url.rpartition("/")[2].lower().split(".")
    delimiter = "\t" if is_tsv else max(_DELIMITERS, key=bare.count)
    names = cells_of(line, delimiter) or []
    if not names or len(set(names)) < len(names) or not all(map(_NAME.fullmatch, names)):
        raise ValueError
    return Layout("table", delimiter, tuple(names))


BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_ESCAPED = re.compile(rb'\\["\\]')
_QUOTE, _COMMA, _LINE_FEED, _SPACE = b'",\n '
_STEP = np.zeros(256, np.int64)
_STEP[list(b"[{")] = 1
_STEP[list(b"]}")] = -1
_MARKS = np.zeros(256, np.bool_)
_MARKS[list(b"[{]},\n")] = True

# A line feed in a string is an error, and so is a tab: nothing becomes valid by this.
_ON_ONE_LINE = bytes.maketrans(b"\n\r", b"\t\t")

Positions = npt.NDArray[np.intp]


class DamagedError(Exception):
    """The rest of a stream cannot be read."""


class _Scan:
    """Finds the brackets, commas and line feeds outside of strings, chunk by chunk."""

    def __init__(self) -> None:
        self.depth = 0
        self.in_string = False
        self._begun = b""

    def marks(self, chunk: bytes) -> tuple[npt.NDArray[np.uint8], Positions, npt.NDArray[np.int64]]:
        """The bytes of the next chunk, the positions of its marks, and the depth after each."""
        # What a backslash at the end of the chunk before escapes is here.
        plain = _ESCAPED.sub(b"  ", self._begun + chunk)
        self._begun, plain = (b"\\" if plain.endswith(b"\\") else b""), plain[len(self._begun) :]
        data = np.frombuffer(plain, np.uint8)
        quotes, marks = np.flatnonzero(data == _QUOTE), np.flatnonzero(_MARKS[data])
        marks = marks[(np.searchsorted(quotes, marks) + self.in_string) % 2 == 0]
        depths = self.depth + np.cumsum(_STEP[data[marks]])
        self.in_string ^= bool(len(quotes) % 2)
        if len(depths):
            self.depth = int(depths[-1])
        return data, marks, depths


def elements_on_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Rewrite the chunks of an array as lines.

    Raises:
        DamagedError: the file ends before the array does, or goes on behind it.
    """
    scan = _Scan()
    begun = False
    for chunk in chunks:
        data, marks, depths = scan.marks(chunk)
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
            if chunk[end : end + 1] == b"]":
                with suppress(DamagedError):
                    if not chunk[end + 1 :].strip() and not any(map(bytes.strip, chunks)):
                        return
                yield b"\n"  # the last element is whole, whatever is behind its array
            break
        yield bytes(line)
    raise DamagedError


def objects_on_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Rewrite the chunks of objects over several lines as lines.

    Raises:
        DamagedError: the file ends inside an object, or has brackets that are not open.
    """
    scan = _Scan()
    for chunk in chunks:
        data, marks, depths = scan.marks(chunk)
        line = bytearray(chunk.translate(_ON_ONE_LINE))
        for place in marks[(data[marks] == _LINE_FEED) & (depths == 0)].tolist():
            line[place] = _LINE_FEED
        if (depths < 0).any():
            yield bytes(line[: marks[depths < 0][0]])
            raise DamagedError
        yield bytes(line)
    if scan.depth or scan.in_string:
        raise DamagedError


def on_lines(chunks: Iterator[bytes], layout: Layout) -> Iterator[bytes]:
    """Rewrite the chunks of a file so that each record is a line of the same length.

    Raises:
        DamagedError: what the file holds from here on cannot be told.
    """
    if layout.kind == "table":
        return rows_on_lines(chunks, layout.delimiter)
    if layout.kind in _REWRITTEN:
        return _REWRITTEN[layout.kind](chunks)
    one_line = {"text": _INSIDE, "whole": _ON_ONE_LINE}.get(layout.kind)
    return (chunk.translate(one_line) for chunk in chunks) if one_line else chunks


_REWRITTEN = {"array": elements_on_lines, "objects": objects_on_lines}


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
