"""The characters of a text as numbers: one byte each if possible, which is several times faster."""

import unicodedata
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
"""Control codes that replace the few letters and other characters beyond a byte in a byte text; right quotes,
which are also apostrophes, have their own."""

MICRO = 0xB5
"""The one letter within a byte that folds to a code point beyond."""

_CONTROLS = bytes(range(0x80, 0xA0))

_FEW = 1 / 32
"""Maximum share of such characters in a byte text."""

_NONE = np.zeros(0, dtype=np.int64)
_NO_CODES = np.zeros(0, dtype=np.uint32)

_LAST_SPACE = 0x3000
"""The last code point of any white space."""


@dataclass(frozen=True, slots=True)
class ByteTable:
    """A byte for every character.

    ``every`` maps code points to bytes; its last entry is for all further code points. ``latin`` has those of
    Latin-1 only, which is enough for most texts. Both are computed when first needed.
    """

    every: Callable[[], Bytes]
    latin: Callable[[], bytes]


class Characters:
    """One number per character in ``coded``: Latin-1 bytes if nearly all fit, else code points.

    In a byte text, the others are at the positions ``beyond`` and have ``codes_beyond``; in ``coded`` they
    are LETTER, SIGN or QUOTE. With ``bytes`` False, any text has code points.
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
        """Whether this is a byte text."""
        return self.coded.itemsize == 1

    @cached_property
    def codes(self) -> npt.NDArray[np.uint32]:
        """The code points."""
        return np.frombuffer(self._text.encode("utf-32-le", "surrogatepass"), dtype="<u4")

    @property
    def exact(self) -> Codes:
        """The code points, as bytes if all fit."""
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
        """Which characters are white space, as in ``str.isspace`` and ``str.split``."""
        return self.through(_SPACES).view(np.bool_)

    def _bytes(self) -> Codes | None:
        """The text as bytes, unless it has too many other characters."""
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


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_HARMLESS = frozenset("\n\t\u200c\u200d")  # line, tab, and the joiners that some scripts are spelled with


def visible(text: str) -> str:
    r"""A text with every control, formatting or unpaired character escaped.

    Otherwise, a right-to-left override would reverse the text beside it, and an escape sequence would control
    a terminal.

    >>> visible("a\x1b[2J\u202eb")
    'a\\u001b[2J\\u202eb'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"\\u{ord(character):04x}"
        if unicodedata.category(character) in _UNSEEN and character not in _HARMLESS
        else character
        for character in text
    )


_ALONE = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "’": "'"}
)
"""Letters without a Unicode decomposition."""


def plain_letters(text: str) -> str:
    """Text in lower case without accents; its length may change.

    >>> plain_letters("José ØRSTED"), plain_letters("Łukasz")
    ('jose orsted', 'lukasz')
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_ALONE)


def slug(name: str) -> str:
    """The Latin letters and digits of a name, small and plain, as they stand in an address.

    >>> slug("Sable & Fiñch 2")
    'sablefinch2'
    """
    return "".join(c for c in plain_letters(name) if c.isascii() and c.isalnum())
