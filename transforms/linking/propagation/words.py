"""Words: how a conversation is cut into words, and folded, to be compared with what is known."""

import re
import sys
import unicodedata
from functools import lru_cache
from itertools import chain, starmap

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.folding import UNSPACED
from tacenda.transforms.text.plain_letters import plain_letters

_POSSESSIVE = re.compile(r"(?:['’ʼ][sS]|(?<=[sS])['’ʼ])$")
APOSTROPHES = "'’ʼ"
_NO_APOSTROPHES = str.maketrans("", "", APOSTROPHES)


_PLAIN = re.compile(r"\w+(?:['’ʼ]\w+)*")
_MAYBE_MARKED = re.compile("[\u0300-\u036f\u0483-\u1fff\u20d0-\u20ff\ua000-\U0010ffff]")
"""Parts of Unicode that have marks, and some that have none."""
_WITH_MARKS = ((0x300, 0x2100), (0xA600, 0xAC00), (0xFE00, 0xFE30), (0x10A00, 0x12000))
"""Where marks of living scripts are."""
_ASCII = "".join(chr(code) if chr(code).isalnum() or chr(code) == "'" else " " for code in range(128))


def words_of(text: str) -> list[str]:
    """The words of a text in which blanks stand for underscores: letters, digits, marks, apostrophes between.

    >>> words_of("Ann-Marie O'Neil's a1")
    ['Ann', 'Marie', "O'Neil's", 'a1']
    """
    return pattern(text).findall(text)


def distinct_words(text: str) -> set[str]:
    """The same, each once."""
    if not text.isascii():
        return set(words_of(text))
    words = set(text.translate(_ASCII).split())
    for word in [word for word in words if "'" in word]:
        words.remove(word)
        words.update(_PLAIN.findall(word))
    return words


def pattern(text: str) -> re.Pattern[str]:
    """What a word of a text matches; slower where it may have marks, as vowels of many scripts are."""
    return _PLAIN if text.isascii() or not _MAYBE_MARKED.search(text) else _marked()


@built_once
def _marked() -> re.Pattern[str]:
    codes = chain.from_iterable(starmap(range, _WITH_MARKS))
    marks = "".join(chr(code) for code in codes if unicodedata.category(chr(code)) in ("Mn", "Mc"))
    return re.compile(rf"[\w{marks}]+(?:['’ʼ][\w{marks}]+)*")


@lru_cache(maxsize=65_536)
def folded(word: str) -> str:
    """A word without its possessive, apostrophes, case and accents.

    >>> folded("O’Neil's"), folded("José")
    ('oneil', 'jose')
    """
    if word.isascii() and "'" not in word:
        return sys.intern(word.lower())
    return plain_letters(_POSSESSIVE.sub("", word)).translate(_NO_APOSTROPHES)


def possessive(word: str) -> int:
    """How many characters at the end of a word are its possessive.

    >>> possessive("Ann's"), possessive("Ann")
    (2, 0)
    """
    match = _POSSESSIVE.search(word)
    return len(match[0]) if match else 0


def is_unspaced(text: str) -> bool:
    """Whether letters of scripts that put no spaces between words are in a text."""
    return not text.isascii() and _unspaced().search(text) is not None


@built_once
def _unspaced() -> re.Pattern[str]:
    ranges = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED)
    return re.compile(f"[{ranges}]")
