"""Endings of names: take one off a mention, put the same one on its surrogate.

Genitives of English, Swedish, Norwegian, Danish and German (Karlssons, Ann's), and the cases of Finnish
(Virtasen, Keravalla). Which surrogates take an ending without a change that we might get wrong is asked before
one is drawn (:func:`takes`): Finnish consonant gradation, and an s after an s, do not come up then. Spanish
marks no case on names.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_APOSTROPHE = re.compile(r"['’]s?$", re.IGNORECASE)

_FINNISH = (
    ("inessive", ("ssa", "ssä")), ("elative", ("sta", "stä")), ("adessive", ("lla", "llä")),
    ("ablative", ("lta", "ltä")), ("allative", ("lle",)), ("translative", ("ksi",)),
    ("essive", ("na", "nä")), ("partitive", ("ta", "tä", "a", "ä")), ("genitive", ("n",)),
)  # fmt: skip
"""The endings of a mention by case; the longer ones first. The illative is told by its vowel."""

_GRADES = (
    ("kk", "k"), ("pp", "p"), ("tt", "t"), ("nk", "ng"), ("nt", "nn"), ("mp", "mm"), ("lt", "ll"), ("rt", "rr"),
    ("k", ""), ("p", "v"), ("t", "d"),
)  # fmt: skip
"""A consonant of a Finnish name and what becomes of it before most endings: Pekka, Pekan; Turku, Turun."""

_VOWELS = "aeiouyäö"
_SHORTEST = 3


class Ending(NamedTuple):
    """What stands after the base of a mention: ``written`` where it is always so, a Finnish ``case`` else."""

    written: str
    case: str = ""


def split_ending(word: str, is_name: Callable[[str], bool]) -> tuple[str, Ending | None]:
    """The base of a word and the ending on it, or the word and None.

    ``is_name`` says whether a word is a name as it stands; only what is none is taken apart.

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
        for base in _finnish_bases(stem, case):
            if len(base) >= _SHORTEST and is_name(base):
                return base, Ending("", case)
    return word, None


def takes(name: str, ending: Ending) -> bool:
    """Whether a name takes an ending in a way that is surely right."""
    if ending.case:
        return _is_easy_finnish(name)
    return ending.written != "s" or name[-1].lower() not in "sxzß"


def with_ending(name: str, ending: Ending) -> str:
    """A name with an ending that it takes.

    >>> with_ending("Korhonen", Ending("", "genitive")), with_ending("Kerava", Ending("", "adessive"))
    ('Korhosen', 'Keravalla')
    """
    if not ending.case:
        return name + ending.written
    back = any(vowel in name.lower() for vowel in "aou")
    a = "a" if back else "ä"
    stem = f"{name[:-3]}se" if name.endswith("nen") else name
    if ending.case == "illative":
        return f"{stem}{stem[-1]}n"
    if ending.case == "partitive":
        return f"{name[:-3]}st{a}" if name.endswith("nen") else stem + a
    return stem + {
        "inessive": f"ss{a}", "elative": f"st{a}", "adessive": f"ll{a}", "ablative": f"lt{a}",
        "allative": "lle", "translative": "ksi", "essive": f"n{a}", "genitive": "n",
    }[ending.case]  # fmt: skip


def _finnish_stems(word: str) -> Iterator[tuple[str, str]]:
    for case, endings in _FINNISH:
        for ending in endings:
            if word.endswith(ending):
                yield word[: -len(ending)], case
    if len(word) > _SHORTEST and word[-1] == "n" and word[-2] == word[-3] and word[-2] in _VOWELS:
        yield word[:-2], "illative"


def _finnish_bases(stem: str, case: str) -> Iterator[str]:
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
