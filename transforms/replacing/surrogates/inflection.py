"""Endings and capitals of names: those of a mention are put on its surrogate.

Genitives of English, Swedish, Norwegian, Danish and German (Karlssons, Ann's), and the cases of Finnish
(Virtasen, Keravalla). Only surrogates that take an ending without a difficult change are drawn
(:func:`takes`): Finnish consonant gradation, or an s after an s, never occurs. Spanish marks no case on
names.
"""

import re
from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import NamedTuple

from tacenda.transforms.generating.finnish import ENDINGS, inflected
from tacenda.transforms.linking.propagation.inflections import stems
from tacenda.transforms.text.characters import plain_letters

_APOSTROPHE = re.compile(r"['’]s?$", re.IGNORECASE)

_APOSTROPHES = frozenset("'’")
_SIBILANTS = frozenset("sxzß")
"""Last letters of names whose genitive has an apostrophe alone, or no ending: Lars' car, Max bil."""

_VOWELS = "aeiouyäö"
_SHORTEST = 3


class Ending(NamedTuple):
    """The ending after the base of a mention: ``written`` if it is fixed, otherwise a Finnish ``case``."""

    written: str
    case: str = ""


BARE = Ending("")
"""No ending."""


def split_ending(word: str, is_name: Callable[[str], bool]) -> tuple[str, Ending]:
    """Split a word into base and ending, ``BARE`` if it has none. Finnish bases are in plain letters.

    ``is_name`` says whether a word is a name as it stands; only words that are not are split.

    >>> split_ending("Virtasella", {"virtanen"}.__contains__)
    ('virtanen', Ending(written='', case='adessive'))
    """
    if found := _APOSTROPHE.search(word):
        return word[: found.start()], Ending(found[0])
    if is_name(word) or len(word) <= _SHORTEST:
        return word, BARE
    if word[-1] == "s" and is_name(word[:-1]):
        return word[:-1], Ending("s")
    base = max(filter(is_name, stems(word.lower(), "fi")), key=len, default="")
    return (base, Ending("", _case_of(word, base))) if base else (word, BARE)


def takes(name: str, ending: Ending) -> bool:
    """Whether a name takes an ending in a way that is certain to be correct."""
    if ending.case:
        return _is_easy_finnish(name)
    ends_in_s = name[-1].lower() in _SIBILANTS
    return ends_in_s if ending.written in _APOSTROPHES else ending.written != "s" or not ends_in_s


def with_ending(name: str, ending: Ending) -> str:
    """Append an ending that the name takes.

    >>> with_ending("Korhonen", Ending("", "genitive")), with_ending("Kerava", Ending("", "adessive"))
    ('Korhosen', 'Keravalla')
    """
    return inflected(name, ending.case) if ending.case else name + ending.written


def _case_of(word: str, base: str) -> str:
    """The Finnish case in which a base, in plain letters, is most like a word at its end."""
    backwards = plain_letters(word)[::-1]

    def shared(case: str) -> int:
        form = plain_letters(inflected(base, case))[::-1]
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(backwards, form, strict=False)))

    return max(ENDINGS, key=shared)


def _is_easy_finnish(name: str) -> bool:
    if name.endswith("nen"):
        return len(name) > _SHORTEST + 1
    return len(name) > _SHORTEST and name[-1] in "aouyäö" and name[-2] not in _VOWELS + "kpt"


def in_case_of(original: str, value: str) -> str:
    """A value in small letters, in capitals, or with a first capital as the original.

    >>> in_case_of("LEE", "Moss"), in_case_of("ann", "Eva"), in_case_of("McLeod", "Berg")
    ('MOSS', 'eva', 'Berg')
    """
    if original.islower():
        return value.lower()
    if original.isupper() and sum(map(str.isalpha, original)) > 1:
        return value.upper()
    return value[:1].upper() + value[1:] if original[:1].isupper() else value


def with_words(text: str, matches: Iterable[re.Match[str]], words: Iterable[str | None]) -> str | None:
    """A text with others in the place of its words, in their case; an initial stays one. None if one has none.

    >>> with_words("Dr LEE, a.", re.finditer("LEE|a", "Dr LEE, a."), ["Moss", "Eva"])
    'Dr MOSS, e.'
    """
    pieces: list[str] = []
    end = 0
    for match, word in zip(matches, words, strict=False):
        if word is None:
            return None
        short = word[0] if len(match[0]) == 1 else word
        pieces += text[end : match.start()], in_case_of(match[0], short)
        end = match.end()
    return "".join([*pieces, text[end:]]) if pieces else None
