"""A batch of cells as bytes for regular expressions, and the mapping back to code points.

Cells are joined with the byte 0xFF. It never occurs in UTF-8, and no RE2 character class matches it, not even
a negated one, so a match never crosses cells. One vectorised pass finds the classes of characters in each
cell, and patterns are run only on cells with the classes they need (no digit, no phone number).
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from tacenda.transforms.schema.errors import made_whole

SEPARATOR = b"\xff"
CONVERSATION_GAP = 1 << 12  # code points: longer than any context window
_LEAST_START = -0x40

CLASSES: dict[str, bytes] = {  # what a pattern may need, as bytes that indicate it (never too few)
    # Digits of other scripts are represented by the lead bytes of these scripts.
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
    # Letters of other scripts, too, by their lead bytes.
    "greek": bytes(range(0xCD, 0xD0)),
    "cyrillic": bytes(range(0xD0, 0xD4)),
    "semitic": bytes(range(0xD7, 0xDC)),
    "indic": bytes([0xE0]),
    "east_asian": bytes(range(0xE3, 0xEE)),
}

OTHER_SCRIPTS = frozenset({"greek", "cyrillic", "semitic", "indic", "east_asian"})
"""The classes of letters that few texts have."""

_BIT = {name: 1 << i for i, name in enumerate(CLASSES)}


_CLASSES = np.zeros(256, dtype=np.uint16)
for _name, _members in CLASSES.items():
    _CLASSES[np.frombuffer(_members, dtype=np.uint8)] |= _BIT[_name]


@lru_cache(maxsize=1024)
def class_mask(*names: str) -> int:
    """The bits of some character classes."""
    return sum(_BIT[name] for name in set(names))


_BEYOND_LATIN = re.compile(
    "[^\0-\u017f\u2000-\u206f\u20a0-\u20bf\u2122\u2190-\u245f\u2500-\u2775\ufe0f\U0001f300-\U0001faff]"
)


class Buffer:
    """Some cells joined: ``data`` as UTF-8, ``cells[k]`` starts at byte ``first_bytes[k]``."""

    def __init__(self, column: "Utf8Column", cells: npt.NDArray[np.int64] | None = None) -> None:
        self._column = column
        if cells is None:
            self.cells = np.arange(len(column.texts))
            self.data = column.data
            self.first_bytes = column.first_bytes[:-1]
            return
        self.cells = cells
        self.data = SEPARATOR.join([*self.rows, b""])
        sizes = column.sizes[cells]
        self.first_bytes = np.cumsum(sizes) - sizes

    @property
    def rows(self) -> list[bytes]:
        """The cells one by one, without separators."""
        return list(map(self._column.encoded.__getitem__, self.cells.tolist()))

    @cached_property
    def bytes(self) -> npt.NDArray[np.uint8]:
        return np.frombuffer(self.data, dtype=np.uint8)

    @property
    def is_latin(self) -> bool:
        """Whether it has no letters and digits but those of Latin-1 and Latin Extended-A."""
        column = self._column
        return not len(column.beyond_latin) or not np.isin(self.cells, column.beyond_latin).any()

    def cell_index(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The index into ``cells`` of each byte position."""
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


class Utf8Column:
    """The cells of a ``TextColumn``; ``encoded`` has them in UTF-8, and ``data`` all of them joined.

    ``sizes`` are their numbers of bytes, including the separator after each.
    """

    def __init__(self, texts: Sequence[str], first_cell: Sequence[int]) -> None:
        self.texts = list(texts)
        self.first_cell = first_cell
        try:
            self.encoded = list(map(str.encode, self.texts))
        except UnicodeEncodeError:
            self.texts = list(map(made_whole, self.texts))
            self.encoded = list(map(str.encode, self.texts))
        self.data = SEPARATOR.join([*self.encoded, b""])
        self.first_bytes = np.zeros(len(texts) + 1, dtype=np.int64)
        self.sizes = np.fromiter(map(len, self.encoded), np.int64, len(texts)) + 1
        np.cumsum(self.sizes, out=self.first_bytes[1:])
        self.everything = Buffer(self)

    @cached_property
    def _lengths(self) -> npt.NDArray[np.int64]:
        return np.fromiter(map(len, self.texts), np.int64, len(self.texts))

    @cached_property
    def beyond_ascii(self) -> npt.NDArray[np.int64]:
        return np.flatnonzero(self.sizes - 1 != self._lengths)

    @cached_property
    def beyond_latin(self) -> npt.NDArray[np.int64]:
        """The cells with characters beyond Latin-1, Latin Extended-A and frequent blocks of signs."""
        cells = self.beyond_ascii.tolist()
        return np.asarray([k for k in cells if _BEYOND_LATIN.search(self.texts[k])], dtype=np.int64)

    @cached_property
    def _classes(self) -> npt.NDArray[np.uint16]:
        """The classes of the characters of each cell, as bits."""
        return np.bitwise_or.reduceat(_CLASSES[self.everything.bytes], self.first_bytes[:-1])

    @cached_property
    def _continuations(self) -> npt.NDArray[np.int64]:
        """Positions of continuation bytes: 0x80 to 0xBF, the lowest signed bytes."""
        return np.flatnonzero(self.everything.bytes.view(np.int8) < _LEAST_START)

    def characters(
        self, cells: npt.NDArray[np.int64], *offsets: npt.NDArray[np.int64]
    ) -> Iterator[npt.NDArray[np.int64]]:
        """Convert byte offsets within cells to code points."""
        if not len(self.beyond_ascii):
            yield from offsets
            return
        origins = self.first_bytes[cells]
        before = np.searchsorted(self._continuations, origins)
        for offset in offsets:
            yield offset - (np.searchsorted(self._continuations, origins + offset) - before)

    def needing(self, mask: int) -> Buffer:
        """The cells with every class of ``mask``."""
        return self.select(self.where(mask, self.everything.cells))

    def where(self, mask: int, cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Those of some cells that have every class of ``mask``."""
        return cells[self.has(mask, cells)]

    def has(self, mask: int, cells: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Whether each of some cells has every class of ``mask``."""
        if not mask or not len(cells):
            return np.ones(len(cells), dtype=np.bool_)
        has: npt.NDArray[np.bool_] = (self._classes[cells] & mask) == mask
        return has

    def select(self, cells: npt.NDArray[np.int64]) -> Buffer:
        """Selected cells, in ascending order."""
        return self.everything if len(cells) == len(self.texts) else Buffer(self, cells)

    @cached_property
    def origins(self) -> npt.NDArray[np.int64]:
        """The start of each cell on a common axis of code points.

        Cells of a conversation follow each other as if joined with one newline; conversations are farther
        apart than any context window.
        """
        steps = self._lengths + 1
        origins = np.zeros(len(steps), dtype=np.int64)
        np.cumsum(steps[:-1], out=origins[1:])
        conversation = np.zeros(len(steps), dtype=np.int64)
        inner = [c for c in self.first_cell[1:-1] if c < len(steps)]
        np.add.at(conversation, np.asarray(inner, dtype=np.int64), CONVERSATION_GAP)
        return origins + np.cumsum(conversation)
