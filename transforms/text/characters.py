"""The characters of a text as numbers: a byte each where that can be, which is several times as fast."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.folding import SPACE, fold_table, unspaced

Codes = npt.NDArray[np.unsignedinteger]
Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]

LETTER, SIGN, QUOTE = 0x9F, 0x81, 0x92
"""Control codes that stand for the few letters and signs beyond a byte in a text of bytes; a right quote, which
is also an apostrophe, has one of its own."""

MICRO = 0xB5
"""The one letter of a byte that is folded beyond."""

_CONTROLS = bytes(range(0x80, 0xA0))

_FEW = 1 / 32
"""Share of such characters up to which a text is one of bytes."""

_NONE = np.zeros(0, dtype=np.int64)
_NO_CODES = np.zeros(0, dtype=np.uint32)

_LAST_SPACE = 0x3000
"""No white space has a code point beyond this."""


@dataclass(frozen=True, slots=True)
class ByteTable:
    """A byte for every character.

    ``every`` gives them by code point; the last is that of all code points from there on. ``latin`` gives those
    of Latin-1 alone, since most texts never ask for the others. Both are made when a text asks for them.
    """

    every: Callable[[], Bytes]
    latin: Callable[[], bytes]


class Characters:
    """One number a character in ``coded``: bytes of Latin-1 where hardly any is greater, else code points.

    In a text of bytes the others stand at the places ``beyond`` and are ``codes_beyond``; LETTER, SIGN or QUOTE
    stand for them in ``coded``. ``bytes`` False takes code points for any text.
    """

    def __init__(self, text: str, *, bytes: bool = True) -> None:
        self._text = text
        self.beyond: Places = _NONE
        self.codes_beyond: npt.NDArray[np.uint32] = _NO_CODES
        data = self._bytes() if bytes else None
        self.coded: Codes = self.codes if data is None else data

    def __len__(self) -> int:
        return len(self.coded)

    @property
    def are_bytes(self) -> bool:
        """Whether this is a text of bytes."""
        return self.coded.itemsize == 1

    @cached_property
    def codes(self) -> npt.NDArray[np.uint32]:
        """The code points."""
        return np.frombuffer(self._text.encode("utf-32-le", "surrogatepass"), dtype="<u4")

    @property
    def exact(self) -> Codes:
        """The code points, of one byte each where all are."""
        return self.coded if self.are_bytes and not len(self.beyond) else self.codes

    def through(self, table: ByteTable) -> Bytes:
        """The byte of each character."""
        if not self.are_bytes:
            return _looked_up(table, self.coded)
        data = np.frombuffer(self.coded.tobytes().translate(table.latin()), dtype=np.uint8)
        if len(self.beyond):
            data = data.copy()
            data[self.beyond] = _looked_up(table, self.codes_beyond)
        return data

    @cached_property
    def spaces(self) -> npt.NDArray[np.bool_]:
        """Which are white space, as ``str.isspace`` and ``str.split`` have it."""
        return self.through(_SPACES).view(np.bool_)

    def _bytes(self) -> Codes | None:
        """The text as bytes, unless it holds too much else."""
        text = self._text
        if text.isascii():
            return np.frombuffer(text.encode(), dtype=np.uint8)
        try:
            data, replaced = text.encode("latin-1"), False
        except UnicodeEncodeError:
            data, replaced = text.encode("latin-1", "replace"), True
        if len(data.translate(None, _CONTROLS)) < len(data):
            return None
        coded: Codes = np.frombuffer(data, dtype=np.uint8)
        maybe = coded == MICRO
        if replaced:
            maybe |= coded == ord("?")
        beyond = np.flatnonzero(maybe)
        if not len(beyond):
            return coded
        if len(beyond) > _FEW * len(data):
            return None
        codes = np.array([ord(text[i]) for i in beyond.tolist()], dtype=np.uint32)
        if unspaced()[codes].any():
            return None
        self.beyond, self.codes_beyond = beyond[codes != ord("?")], codes[codes != ord("?")]
        codes = self.codes_beyond
        coded = coded.copy()
        coded[self.beyond] = np.where(fold_table()[codes] == SPACE, SIGN, LETTER)
        coded[self.beyond[codes == ord("’")]] = QUOTE
        return coded


def _looked_up(table: ByteTable, codes: npt.NDArray[np.unsignedinteger]) -> Bytes:
    every = table.every()
    found: Bytes = every[np.minimum(codes, len(every) - 1)]
    return found


@built_once
def _spaces() -> Bytes:
    return np.fromiter((chr(code).isspace() for code in range(_LAST_SPACE + 2)), np.uint8, _LAST_SPACE + 2)


_SPACES = ByteTable(_spaces, lambda: _spaces()[:256].tobytes())
