"""Endings and capitals of names: those of a mention are put on its surrogate.

Genitives of English, Swedish, Norwegian, Danish and German (Karlssons, Ann's), and the cases of Finnish
(Virtasen, Keravalla). Only surrogates that take an ending without a difficult change are drawn
(:func:`takes`): Finnish consonant gradation, or an s after an s, never occurs. Spanish marks no case on
names.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tacenda.transforms.generating.finnish import inflected

_APOSTROPHE = re.compile(r"['’]s?$", re.IGNORECASE)

_FINNISH = (
    ("inessive", ("ssa", "ssä")), ("elative", ("sta", "stä")), ("adessive", ("lla", "llä")),
    ("ablative", ("lta", "ltä")), ("allative", ("lle",)), ("translative", ("ksi",)),
    ("essive", ("na", "nä")), ("partitive", ("ta", "tä", "a", "ä")), ("genitive", ("n",)),
)  # fmt: skip
"""The endings of a mention by case, longest first. The vowel identifies the illative."""

_GRADES = (
    ("kk", "k"), ("pp", "p"), ("tt", "t"), ("nk", "ng"), ("nt", "nn"), ("mp", "mm"), ("lt", "ll"), ("rt", "rr"),
    ("k", ""), ("p", "v"), ("t", "d"),
)  # fmt: skip
"""A consonant of a Finnish name and its form before most endings: Pekka, Pekan; Turku, Turun."""

_APOSTROPHES = frozenset("'’")
_SIBILANTS = frozenset("sxzß")
"""Last letters of names whose genitive has an apostrophe alone, or no ending: Lars' car, Max bil."""

_VOWELS = "aeiouyäö"
_SHORTEST = 3


class Ending(NamedTuple):
    """The ending after the base of a mention: ``written`` if it is fixed, otherwise a Finnish ``case``."""

    written: str
    case: str = ""


def split_ending(word: str, is_name: Callable[[str], bool]) -> tuple[str, Ending | None]:
    """Split a word into base and ending; the word and None if it has none.

    ``is_name`` says whether a word is a name as it stands; only words that are not are split.

    >>> split_ending("Virtasella", {"Virtanen"}.__contains__)
    ('Virtanen', Ending(written='', case='adessive'))
    """
    if found := _APOSTROPHE.search(word):
        return word[: found.start()], Ending(found[0])
    if is_name(word) or len(word) <= _SHORTEST:
        return word, None
    if word[-1] == "s" and is_name(word[:-1]):
        return word[:-1], Ending("s")
    for stem, case in _finnish_stems(word):
        for base in finnish_bases(stem, case):
            if len(base) >= _SHORTEST and is_name(base):
                return base, Ending("", case)
    return word, None


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


def _finnish_stems(word: str) -> Iterator[tuple[str, str]]:
    for case, endings in _FINNISH:
        for ending in endings:
            if word.endswith(ending):
                yield word[: -len(ending)], case
    if len(word) > _SHORTEST and word[-1] == "n" and word[-2] == word[-3] and word[-2] in _VOWELS:
        yield word[:-2], "illative"


def finnish_bases(stem: str, case: str) -> Iterator[str]:
    """Possible base forms of the stem of a Finnish case, gradation undone: Mati gives Mati and Matti."""
    yield stem
    if stem.endswith("se"):
        yield f"{stem[:-2]}nen"
    if case == "partitive" and stem.endswith("s"):
        yield f"{stem[:-1]}nen"
    if len(stem) < _SHORTEST or stem[-1] not in _VOWELS:
        return
    body, vowel = stem[:-1], stem[-1]
    for last in {vowel, "i"} if vowel == "e" else {vowel}:
        yield body + last
        for strong, weak in _GRADES:
            if body.endswith(weak):
                yield body[: len(body) - len(weak)] + strong + last


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
