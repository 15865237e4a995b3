"""Spelling variants of one name, as written by speech recognition (Mark, Marc, M-A-R-K).

The paper counts them as one "if the annotators determine it is most likely a reference to the same entity"
(Gardiner et al., CALD-pseudo 2024, section 4.2). Without annotators, words must sound alike in consonants and
vowels: John and Jane have the same consonants.
"""

import re
import unicodedata
from itertools import groupby

from tacenda.transforms.linking.names import sound_key

_SPELLING_MARKS = re.compile(r"[\s.\-\u2010-\u2015]+")


def variant_key(value: str) -> str:
    """The key of a lower-case name; equal for names that differ only in spelling.

    Letters with punctuation between them are one word. A value with non-Latin letters or digits is its own
    key: Metaphone does not support them, and would give all numbers one key.

    >>> variant_key("mark") == variant_key("marc") == variant_key("m-a-r-k")
    True
    >>> variant_key("john smith") == variant_key("jane smith")
    False
    """
    pieces = [piece for piece in _SPELLING_MARKS.split(value) if piece]
    words: list[str] = []
    for is_letter, group in groupby(map(_plain, pieces), key=lambda piece: len(piece) == 1):
        several = list(group)
        words += ["".join(several)] if is_letter else several
    if not words or not all(word.isascii() and word.isalpha() for word in words):
        return value
    return "~" + " ".join(map(sound_key, words))


def _plain(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
