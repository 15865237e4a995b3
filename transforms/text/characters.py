"""The characters of a text as numbers; and text without accents, or with what nobody sees made visible."""

from functools import cached_property
from unicodedata import category, combining, normalize

import numpy as np
import numpy.typing as npt

from tacenda.transforms.storage.process_cache import built_once

Codes = npt.NDArray[np.uint32]
Bytes = npt.NDArray[np.uint8]

_LAST_SPACE = 0x3000  # the last code point of any white space


class Characters:
    """The code points of a text, in ``coded``."""

    def __init__(self, text: str) -> None:
        self.coded: Codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")

    def __len__(self) -> int:
        return len(self.coded)

    def through(self, table: Bytes) -> Bytes:
        """The byte of each character; the last in the table is that of all further code points."""
        found: Bytes = table[np.minimum(self.coded, len(table) - 1)]
        return found

    @cached_property
    def spaces(self) -> npt.NDArray[np.bool_]:
        """Which characters are white space, as in ``str.isspace`` and ``str.split``."""
        return self.through(_spaces()).view(np.bool_)


@built_once
def _spaces() -> Bytes:
    return np.fromiter((chr(code).isspace() for code in range(_LAST_SPACE + 2)), np.uint8, _LAST_SPACE + 2)


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
        if category(character) in _UNSEEN and character not in _HARMLESS
        else character
        for character in text
    )


_ALONE = str.maketrans(  # letters without a Unicode decomposition
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "’": "'"}
    | {"Ø": "O", "Ł": "L", "Đ": "D"}
)


def without_accents(text: str) -> str:
    """Text without accents, in its capitals and small letters; its length may change.

    >>> without_accents("Øyvind Nguyễn")
    'Oyvind Nguyen'
    """
    if text.isascii():
        return text
    return "".join(c for c in normalize("NFKD", text) if not combining(c)).translate(_ALONE)


def plain_letters(text: str) -> str:
    """Text in lower case without accents; its length may change.

    >>> plain_letters("José ØRSTED"), plain_letters("Łukasz")
    ('jose orsted', 'lukasz')
    """
    return text.lower() if text.isascii() else without_accents(text.casefold())


def slug(name: str) -> str:
    """The Latin letters and digits of a name, small and plain, as they stand in an address.

    >>> slug("Sable & Fiñch 2")
    'sablefinch2'
    """
    return "".join(c for c in plain_letters(name) if c.isascii() and c.isalnum())
