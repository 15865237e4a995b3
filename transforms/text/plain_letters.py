"""Plain letters: words as they are compared where case and accents make no difference."""

import unicodedata

_ALONE = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "’": "'"}
)
"""Letters that Unicode does not take apart."""


def plain_letters(text: str) -> str:
    """Text in small letters without accents; the number of characters may change.

    >>> plain_letters("José ØRSTED"), plain_letters("Łukasz")
    ('jose orsted', 'lukasz')
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_ALONE)
