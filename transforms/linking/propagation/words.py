"""Words: split a conversation into words and fold them for comparison with known values."""

import re
import sys
import unicodedata
from itertools import chain, starmap

from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.text.characters import plain_letters
from tacenda.transforms.text.words import UNSPACED

_POSSESSIVE = re.compile(r"(?:['’ʼ][sS]|(?<=[sS])['’ʼ])$")
APOSTROPHES = "'’ʼ"
_NO_APOSTROPHES = str.maketrans("", "", APOSTROPHES)


_PLAIN = re.compile(r"\w+(?:['’ʼ]\w+)*")
_MAYBE_MARKED = re.compile("[\u0300-\u036f\u0483-\u1fff\u20d0-\u20ff\ua000-\U0010ffff]")
"""Unicode ranges that include combining marks, but also other characters."""
_WITH_MARKS = ((0x300, 0x2100), (0xA600, 0xAC00), (0xFE00, 0xFE30), (0x10A00, 0x12000))
"""Ranges of the combining marks of living scripts."""
_ASCII = "".join(chr(code) if chr(code).isalnum() or chr(code) == "'" else " " for code in range(128))


def words_of(text: str) -> list[str]:
    """The words of a text (underscores replaced by spaces): letters, digits, marks and inner apostrophes.

    >>> words_of("Ann-Marie O'Neil's a1")
    ['Ann', 'Marie', "O'Neil's", 'a1']
    """
    return pattern(text).findall(text)


def distinct_words(text: str) -> set[str]:
    """The distinct words of a text, as :func:`words_of` splits it."""
    if not text.isascii():
        return set(words_of(text))
    words = set(text.translate(_ASCII).split())
    for word in [word for word in words if "'" in word]:
        words.remove(word)
        words.update(_PLAIN.findall(word))
    return words


def pattern(text: str) -> re.Pattern[str]:
    """A pattern for the words of a text; slower if it may have combining marks, as in many scripts."""
    return _PLAIN if text.isascii() or not _MAYBE_MARKED.search(text) else _marked()


@built_once
def _marked() -> re.Pattern[str]:
    codes = chain.from_iterable(starmap(range, _WITH_MARKS))
    marks = "".join(chr(code) for code in codes if unicodedata.category(chr(code)) in ("Mn", "Mc"))
    return re.compile(rf"[\w{marks}]+(?:['’ʼ][\w{marks}]+)*")


@remembered
def folded(word: str) -> str:
    """A word without possessive, apostrophes, case and accents.

    >>> folded("O’Neil's"), folded("José")
    ('oneil', 'jose')
    """
    if word.isascii() and "'" not in word:
        return sys.intern(word.lower())
    return plain_letters(_POSSESSIVE.sub("", word)).translate(_NO_APOSTROPHES)


def possessive(word: str) -> int:
    """The length in characters of the possessive at the end of a word.

    >>> possessive("Ann's"), possessive("Ann")
    (2, 0)
    """
    match = _POSSESSIVE.search(word)
    return len(match[0]) if match else 0


def is_unspaced(text: str) -> bool:
    """Whether a text has letters of a script that puts no spaces between words."""
    return not text.isascii() and _unspaced().search(text) is not None


@built_once
def _unspaced() -> re.Pattern[str]:
    ranges = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED)
    return re.compile(f"[{ranges}]")
