"""A batch of cells as bytes: what a regular expression runs over, and the way back to code points.

Cells are joined with the byte 0xFF. It never occurs in UTF-8 and RE2 matches it with no character class, not
even a negated one, so a match can never leave its cell. One vectorised pass notes which kinds of characters
a cell has, and patterns run only over the cells that have what they need (no digit, no phone number).
"""

import re
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
    "upper": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "underscore": b"_",
    "equals": b"=",
    "percent": b"%",
    "bracket": b"[",
}
"""Kinds of characters that a pattern may need, as the bytes that betray them (never too few).

The first eight share a byte of bits for each cell; the others are looked for when a pattern asks for them.
"""

_BIT = {name: 1 << i for i, name in enumerate(CLASSES)}


def _class_table() -> npt.NDArray[np.uint16]:
    table = np.zeros(256, dtype=np.uint16)
    for name, members in CLASSES.items():
        table[np.frombuffer(members, dtype=np.uint8)] |= _BIT[name]
    return table


_COMMON, _RARE = ((_class_table() >> shift).astype(np.uint8).tobytes() for shift in (0, 8))


def class_mask(names: Sequence[str]) -> int:
    """The bits of some character classes."""
    return sum(_BIT[name] for name in set(names))


class Buffer:
    """Some cells joined: ``data`` as UTF-8, ``cells[k]`` starts at byte ``first_bytes[k]``."""

    def __init__(self, column: "Column", cells: npt.NDArray[np.int64] | None = None) -> None:
        self._column = column
        if cells is None:
            self.cells = np.arange(len(column.texts))
            self.data = column.data
            self.first_bytes = column.first_bytes[:-1]
            return
        self.cells = cells
        starts = column.first_bytes[cells]
        ends = column.first_bytes[cells + 1]
        self.data = b"".join(
            [column.data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        )
        self.first_bytes = np.zeros(len(cells), dtype=np.int64)
        np.cumsum((ends - starts)[:-1], out=self.first_bytes[1:])

    @cached_property
    def bytes(self) -> npt.NDArray[np.uint8]:
        """``data`` as an array."""
        return np.frombuffer(self.data, dtype=np.uint8)

    def cell_index(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Which of the ``cells`` each byte belongs to."""
        return np.searchsorted(self.first_bytes, places, side="right") - 1

    def locate(
        self, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Cell, start and end in code points of ranges of bytes, each within one cell."""
        k = self.cell_index(starts)
        cells = self.cells[k]
        origins = self.first_bytes[k]
        first, last = self._column.characters(cells, starts - origins, ends - origins)
        return cells, first, last

    def rows(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """First byte and end byte of every cell."""
        ends = np.append(self.first_bytes[1:], len(self.data))
        return self.first_bytes, ends - 1


class Column:
    """The cells of one call of ``Detector.find``; ``beyond_ascii`` are those that hold more than ASCII."""

    def __init__(self, texts: Sequence[str], first_cell: Sequence[int]) -> None:
        self.texts = list(texts)
        self.first_cell = first_cell
        self.beyond_ascii: list[int] = []
        # One character a byte: joining such strings joins their UTF-8, and ASCII needs no look at all.
        byte_wise = [text if text.isascii() else self._byte_wise(i) for i, text in enumerate(self.texts)]
        byte_wise.append("")
        self.data = SEPARATOR.decode("latin-1").join(byte_wise).encode("latin-1")
        self.first_bytes = np.zeros(len(byte_wise), dtype=np.int64)
        np.cumsum(np.fromiter(map(len, byte_wise), np.int64, len(texts)) + 1, out=self.first_bytes[1:])
        self._buffers: dict[int, Buffer] = {}
        self.everything = Buffer(self)

    def _byte_wise(self, cell: int) -> str:
        self.beyond_ascii.append(cell)
        try:
            encoded = self.texts[cell].encode()
        except UnicodeEncodeError:  # JSON may escape half a surrogate pair; keep its place, not its value
            self.texts[cell] = _LONE_SURROGATE.sub("\ufffd", self.texts[cell])
            encoded = self.texts[cell].encode()
        return encoded.decode("latin-1")

    @cached_property
    def _common(self) -> npt.NDArray[np.uint8]:
        return self._classes(_COMMON)

    @cached_property
    def _rare(self) -> npt.NDArray[np.uint8]:
        return self._classes(_RARE)

    def _classes(self, table: bytes) -> npt.NDArray[np.uint8]:
        bits = np.frombuffer(self.data.translate(table), dtype=np.uint8)
        return np.bitwise_or.reduceat(bits, self.first_bytes[:-1])

    @cached_property
    def _continuations(self) -> npt.NDArray[np.int64]:
        """Where the bytes are that start no character."""
        return np.flatnonzero((self.everything.bytes & 0xC0) == 0x80)

    def characters(
        self, cells: npt.NDArray[np.int64], *offsets: npt.NDArray[np.int64]
    ) -> Iterator[npt.NDArray[np.int64]]:
        """Offsets in bytes within cells as offsets in code points."""
        if not len(self._continuations):
            yield from offsets
            return
        origins = self.first_bytes[cells]
        before = np.searchsorted(self._continuations, origins)
        for offset in offsets:
            yield offset - (np.searchsorted(self._continuations, origins + offset) - before)

    def needing(self, mask: int) -> Buffer:
        """The cells that have every class of ``mask``, and maybe others: all, where nearly all have them."""
        if not mask or not self.texts:
            return self.everything
        if mask not in self._buffers:
            cells = self.having(mask, self.everything.cells)
            size = (self.first_bytes[cells + 1] - self.first_bytes[cells]).sum()
            nearly_all = size > _NEARLY_ALL * len(self.data)
            self._buffers[mask] = self.everything if nearly_all else self.some(cells)
        return self._buffers[mask]

    def having(self, mask: int, cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Those of some cells that have every class of ``mask``."""
        return cells[self.has(mask, cells)]

    def has(self, mask: int, cells: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Has each of some cells every class of ``mask``?"""
        if not mask or not len(cells):
            return np.ones(len(cells), dtype=np.bool_)
        common, rare = mask & 0xFF, mask >> 8
        has: npt.NDArray[np.bool_] = (self._common[cells] & common) == common
        if rare:
            has &= (self._rare[cells] & rare) == rare
        return has

    def some(self, cells: npt.NDArray[np.int64]) -> Buffer:
        """Chosen cells, in rising order."""
        return self.everything if len(cells) == len(self.texts) else Buffer(self, cells)

    @cached_property
    def origins(self) -> npt.NDArray[np.int64]:
        """Where each cell starts on one axis of code points.

        Cells of a conversation follow each other as if joined with one newline; conversations lie further
        apart than any context window reaches.
        """
        steps = np.fromiter(map(len, self.texts), np.int64, len(self.texts)) + 1
        origins = np.zeros(len(steps), dtype=np.int64)
        np.cumsum(steps[:-1], out=origins[1:])
        conversation = np.zeros(len(steps), dtype=np.int64)
        inner = [c for c in self.first_cell[1:-1] if c < len(steps)]
        np.add.at(conversation, np.asarray(inner, dtype=np.int64), CONVERSATION_GAP)
        return origins + np.cumsum(conversation)
