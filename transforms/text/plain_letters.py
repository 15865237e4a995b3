"""Plain letters: the form of words for comparisons that ignore case and accents."""

import unicodedata

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
