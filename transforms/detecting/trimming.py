"""Cutting a generous match down to the datum itself: a name out of the words that follow a cue."""

import re
from collections.abc import Callable, Mapping

from transforms.detecting.word_lists import word_list

_WORD = re.compile(r"[^\W\d_][^\s,;:!?\"()\[\]]*")
_PARTICLES = frozenset("de del della der den di da dos du la le van von bin ibn al y".split())  # noqa: SIM905
_TITLES = frozenset("mr mrs ms miss mx dr dra prof professor doctor sr sra srta don doña".split())  # noqa: SIM905
_LOWER_CASE_WORDS = 2
"""How many words of lower-case text (speech without casing) a cue may claim as a name."""


def person_name(text: str) -> tuple[int, int] | None:
    """The range of the name at the start of ``text``, or None.

    Titles are passed over. Then capitalised words and the particles between them; in lower-case text at most
    two words. A word that belongs to no name (an article, a verb, an adverb) ends it.
    """
    begin = end = last = taken = 0
    cased: bool | None = None
    for match in _WORD.finditer(text):
        if taken and text[last : match.start()].strip(" .\t"):
            break
        last = match.end()
        word = match.group().rstrip(".'’-")
        lower = word.lower()
        if (not taken and lower in _TITLES) or (taken and lower in _PARTICLES):
            continue
        if cased is None:
            cased = word[:1].isupper() or word[:1].lower() == word[:1].upper()
        possessive = word.endswith(("'s", "’s"))
        stem = word[:-2] if possessive else word
        if stem.lower() in word_list("not_names") or (cased and word[:1].islower()):
            break
        begin = begin if taken else match.start()
        end = match.start() + len(stem)
        taken += 1
        sentence_ends = match.group()[-1:] == "." and len(word) > 2
        if possessive or sentence_ends or (not cased and taken == _LOWER_CASE_WORDS):
            break
    return (begin, end) if taken else None


def titled_name(text: str) -> tuple[int, int] | None:
    """As ``person_name``, after a title: in lower-case text one word, and more than a letter."""
    found = person_name(text)
    if found is None:
        return None
    start, end = found
    if text[start].islower():
        end = start + len(text[start:end].split()[0])
    return (start, end) if end - start > 1 else None


def code(text: str) -> tuple[int, int] | None:
    """A run of digits and letters without the spaces and dashes at its end; two digits at least."""
    end = len(text.rstrip(" -"))
    return (0, end) if sum(c.isdigit() for c in text) > 1 else None


TRIMMERS: Mapping[str, Callable[[str], tuple[int, int] | None]] = {
    "code": code,
    "person_name": person_name,
    "titled_name": titled_name,
}
"""By the names that the infoType files use; each gives a range of the text it is handed, or None."""
