"""A batch of cells as bytes: what a regular expression runs over, and the way back to code points.

Cells are joined with the byte 0xFF. It never occurs in UTF-8 and RE2 matches it with no character class, not
even a negated one, so a match can never leave its cell. One vectorised pass notes which kinds of characters
a cell has, and patterns run only over the cells that have what they need (no digit, no phone number).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

SEPARATOR = b"\xff"
CONVERSATION_GAP = 1 << 12
"""Code points between two conversations on the common axis: longer than any context window."""

_NEARLY_ALL = 0.75
"""Share of the bytes from which on a copy of the cells that qualify costs more than it saves."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

CLASSES: dict[str, bytes] = {
    # Lead bytes of the scripts that have decimal digits of their own stand in for those digits.
    "digit": b"0123456789" + bytes([0xD9, 0xDB, 0xDF, 0xE0, 0xE1, 0xEA, 0xEF, 0xF0]),
    "at": b"@",
    "dot": b".",
    "colon": b":",
    "slash": b"/",
    "hyphen": b"-",
    "equals": b"=",
    "percent": b"%",
    "bracket": b"[",
    "underscore": b"_",
    "upper": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
}
"""Kinds of characters that a pattern may need, as the bytes that betray them (never too few)."""

_BIT = {name: 1 << i for i, name in enumerate(CLASSES)}


def _class_table() -> npt.NDArray[np.uint16]:
    table = np.zeros(256, dtype=np.uint16)
    for name, members in CLASSES.items():
        table[np.frombuffer(members, dtype=np.uint8)] |= _BIT[name]
    return table


_TABLE = _class_table()


def class_mask(names: Sequence[str]) -> int:
    """The bits of some character classes."""
    return sum(_BIT[name] for name in set(names))


class Buffer:
    """Some cells joined: ``data`` as UTF-8, ``cells[k]`` starts at byte ``starts[k]``."""

    def __init__(
        self,
        encoded: Sequence[bytes],
        lengths: npt.NDArray[np.int64],
        ascii_only: Sequence[bool],
        cells: npt.NDArray[np.int64],
    ) -> None:
        self.cells: list[int] = cells.tolist()
        self.data = b"".join([encoded[c] for c in self.cells])
        self.first_bytes = np.zeros(len(cells), dtype=np.int64)
        np.cumsum(lengths[cells[:-1]], out=self.first_bytes[1:])
        self.starts: list[int] = self.first_bytes.tolist()
        self._encoded = encoded
        self._ascii = ascii_only
        self._counted = -1
        self._characters: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)

    def _count(self, cell: int) -> npt.NDArray[np.int64]:
        """How many characters start before each byte of a cell; kept until another cell is asked for."""
        if cell != self._counted:
            raw = np.frombuffer(self._encoded[cell], dtype=np.uint8)
            self._characters = np.zeros(len(raw) + 1, dtype=np.int64)
            np.cumsum((raw & 0xC0) != 0x80, out=self._characters[1:])
            self._counted = cell
        return self._characters

    def locate(self, start: int, end: int) -> tuple[int, int, int]:
        """Cell, start and end in code points of a range of bytes within one cell."""
        k = bisect_right(self.starts, start) - 1
        origin = self.starts[k]
        cell = self.cells[k]
        if self._ascii[cell]:
            return cell, start - origin, end - origin
        count = self._count(cell)
        return cell, int(count[start - origin]), int(count[end - origin])

    def rows(self) -> Iterator[tuple[int, int, int]]:
        """Cell, first byte and end byte of every cell."""
        ends = [*self.starts[1:], len(self.data)]
        for cell, start, end in zip(self.cells, self.starts, ends, strict=True):
            yield cell, start, end - 1


class Column:
    """The cells of one call of ``Detector.find``."""

    def __init__(self, texts: Sequence[str], first_cell: Sequence[int]) -> None:
        self.texts = list(texts)
        self.first_cell = first_cell
        encoded: list[bytes] = []
        ascii_only: list[bool] = []
        for i, text in enumerate(self.texts):
            ascii_only.append(text.isascii())
            try:
                encoded.append(text.encode() + SEPARATOR)
            except UnicodeEncodeError:  # JSON may escape half a surrogate pair; keep its place, not its value
                self.texts[i] = _LONE_SURROGATE.sub("\ufffd", text)
                encoded.append(self.texts[i].encode() + SEPARATOR)
        self._encoded = encoded
        self._ascii = ascii_only
        self._lengths = np.asarray([len(cell) for cell in encoded], dtype=np.int64)
        self._buffers: dict[int, Buffer] = {}
        self.everything = self.some(np.arange(len(encoded)))

    @cached_property
    def _classes(self) -> npt.NDArray[np.uint16]:
        raw = np.frombuffer(self.everything.data, dtype=np.uint8)
        return np.bitwise_or.reduceat(_TABLE[raw], self.everything.first_bytes)

    def needing(self, mask: int) -> Buffer:
        """The cells that have every class of ``mask``, and maybe others: all, where nearly all have them."""
        if not mask or not self._encoded:
            return self.everything
        if mask not in self._buffers:
            cells = self.having(mask, np.arange(len(self._encoded)))
            share = self._lengths[cells].sum() / len(self.everything.data)
            self._buffers[mask] = self.everything if share > _NEARLY_ALL else self.some(cells)
        return self._buffers[mask]

    def having(self, mask: int, cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Those of some cells that have every class of ``mask``."""
        qualifies: npt.NDArray[np.bool_] = (self._classes[cells] & mask) == mask
        return cells[qualifies]

    def some(self, cells: npt.NDArray[np.int64]) -> Buffer:
        """Chosen cells, in rising order."""
        return Buffer(self._encoded, self._lengths, self._ascii, cells)

    @cached_property
    def origins(self) -> npt.NDArray[np.int64]:
        """Where each cell starts on one axis of code points.

        Cells of a conversation follow each other as if joined with one newline; conversations lie further
        apart than any context window reaches.
        """
        steps = np.asarray([len(text) + 1 for text in self.texts], dtype=np.int64)
        origins = np.zeros(len(steps), dtype=np.int64)
        np.cumsum(steps[:-1], out=origins[1:])
        conversation = np.zeros(len(steps), dtype=np.int64)
        inner = [c for c in self.first_cell[1:-1] if c < len(steps)]
        np.add.at(conversation, np.asarray(inner, dtype=np.int64), CONVERSATION_GAP)
        return origins + np.cumsum(conversation)
