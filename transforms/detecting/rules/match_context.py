"""Extend a match by its context, or require that context, within a bounded distance."""

import re
from collections.abc import Callable, Mapping

from tacenda.transforms.detecting.rules.bare_numbers import bare_number, no_amount
from tacenda.transforms.detecting.word_lists import word_list

Range = tuple[int, int]

_LONGEST_INTRODUCTION = 40
_MOST_WORDS = 4
_MOST_JOINED = 3
_CLOSING = 4
"""Most code points of punctuation at the end of a turn."""

_FIRST_WORD = re.compile(r"([^\W\d_]+)[ ]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d")


def whole_turn(text: str, start: int, end: int) -> Range | None:
    """The match, if the turn contains nothing else but an introduction: "yes it is dk 99 h 9".

    Introductory words at the start of the match are cut off, and so may be a name joined by "and".
    """
    if start > _LONGEST_INTRODUCTION or len(text) - end > _CLOSING or _WORD.search(text, end):
        return None
    while (first := _FIRST_WORD.match(text, start, end)) and first[1].lower() in word_list("introducing"):
        start = first.end()
    if start and text[start - 1] in "'’" and (cut := _FIRST_WORD.match(text, start, end)):
        start = cut.end()
    if not _LETTER.search(text, start, end):
        return None
    before = _WORD.findall(text[:start].lower())
    introduced = len(before) <= _MOST_WORDS and (
        all(word in word_list("introducing") for word in before)
        or (before[-1] == "and" and len(before) <= _MOST_JOINED and not any(map(str.isdigit, before)))
    )
    return (start, end) if introduced else None


def whole_chain(text: str, start: int, end: int) -> Range | None:
    """The match, where no more groups are joined to it by colons, as in the fingerprint of a key."""
    return None if text[start - 1 : start] == ":" or _MORE_GROUPS.match(text, end) else (start, end)


_MORE_GROUPS = re.compile(r":[0-9A-Fa-f]{2}")


def not_dictated(text: str, start: int, end: int) -> Range | None:
    """The match, unless letters that a recogniser wrote with full stops stand beside it: "B. 231 C. for A.".

    Of a code written in such parts, only the bare digits are sure to be found again (NUMERIC).
    """
    before, after = _LETTER_BEFORE.search(text, max(start - 3, 0), start), _LETTER_AFTER.match(text, end - 1)
    return None if before or after else (start, end)


_LETTER_BEFORE = re.compile(r"(?<![^\W_])[A-Z]\. $")
_LETTER_AFTER = re.compile(r"(?<= )[A-Z]\. \w")


def at_a_pause(text: str, start: int, end: int) -> Range | None:
    """The match, if its clause ends or another matter follows: "at 8", not "at 8 places"."""
    return (start, end) if _PAUSE.match(text, end) else None


_PAUSE = re.compile(
    r"\s{0,2}(?:$|\n|[;?!)\]\"]|[.,:](?!\s?\d))"
    r"| (?:for|please|tomorrow|tonight|today|on|this|then|instead|or|if|i think|i believe|maybe|at|until|from"
    r"|thanks|but|i|he|she|we|they|so|now|and (?:i|he|she|they|we|lives?|has|is|was|works?|still))\b"
    r"(?!(?<=or) (?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) [^\W\d_])",
    re.IGNORECASE,
)


EXTENDERS: Mapping[str, Callable[[str, int, int], Range | None]] = {
    "at_a_pause": at_a_pause,
    "bare_number": bare_number,
    "no_amount": no_amount,
    "not_dictated": not_dictated,
    "whole_chain": whole_chain,
    "whole_turn": whole_turn,
}
"""By the names used in infoType files; each returns the range that replaces a match, or None."""
