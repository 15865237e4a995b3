"""Lone first and last names: a part of a person's name, not the whole (section 4.2 of the paper)."""

import re
import unicodedata

from tacenda.transforms.linking.normalising import without_title

_WORDS = re.compile(r"[^\W_]+(?:['’\-\u2010\u2011][^\W_]+)*")
"""O'Brien and Anne-Marie are one word each."""

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Thai, Lao, Tibetan, Burmese, Khmer, Kana, Han, Hangul: first and last name may form one word."""


def is_lone_name(value: str) -> bool:
    """Whether a person's name is only a first or a last name, with or without a title.

    A name in a script without spaces counts as a whole name.

    >>> is_lone_name("Green"), is_lone_name("Mrs. Green's"), is_lone_name("Rachel Green")
    (True, True, False)
    """
    if _UNSPACED.search(value):
        return False
    # Combining marks do not count as letters: separate accents, and the vowels of many scripts.
    letters = "".join(c for c in value if c.isascii() or unicodedata.category(c)[0] != "M")
    return len(_WORDS.findall(without_title(letters.strip().casefold()))) == 1
