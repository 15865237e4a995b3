"""Cutting a generous match down to the datum itself: a name out of the words that follow a cue."""

import re
from collections.abc import Callable, Mapping

from transforms.detecting.word_lists import word_list

_WORD = re.compile(r"[^\W\d_][^\s,;:!?\"()\[\]]*")
_PARTICLES = frozenset(
    "de del della der den di da dos du la le van von bin ibn al y".split()  # noqa: SIM905
)
_LOWER_CASE_WORDS = 2
"""How many words of lower-case text (speech without casing) a cue may claim as a name."""


def person_name(text: str) -> tuple[int, int] | None:
    """The range of the name at the start of ``text``, or None.

    Capitalised words and the particles between them; in lower-case text at most two words. A word that
    introduces no name (an article, a verb, an adverb) ends it.
    """
    end = 0
    taken = 0
    cased: bool | None = None
    for match in _WORD.finditer(text):
        if text[end : match.start()].strip(" .\t") and taken:
            break
        word = match.group().rstrip(".'’-")
        lower = word.lower()
        if cased is None:
            cased = word[:1].isupper() or word[:1].lower() == word[:1].upper()
        if taken and lower in _PARTICLES:
            continue
        if lower in word_list("not_names") or (cased and word[:1].islower()):
            break
        possessive = word.endswith(("'s", "’s"))
        end = match.start() + len(word) - 2 * possessive
        taken += 1
        if possessive or (match.group()[-1:] in ".!" and len(word) > 2):
            break
        if not cased and taken == _LOWER_CASE_WORDS:
            break
    return (_first_letter(text), end) if taken else None


def _first_letter(text: str) -> int:
    found = _WORD.search(text)
    return found.start() if found else 0


TRIMMERS: Mapping[str, Callable[[str], tuple[int, int] | None]] = {"person_name": person_name}
