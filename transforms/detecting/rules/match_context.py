"""Change a match by what stands around it, or drop it: bare digits, answers, codes that are spelled out.

Speech recognition breaks up the numbers that people dictate; their rests are bare digits (NUMERIC). In written
text the same digits are mostly part of an amount, a year or a name of a thing, which tell nothing of anybody.
"""

import re
from collections.abc import Callable, Mapping

from tacenda.transforms.detecting.rules import public_functions
from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.storage.process_cache import built_once

Range = tuple[int, int]

_REACH = 40  # code points of context on either side of a number
_WHOLE = re.compile(r"\w+(?:[-/.,:'’\u00a0\u202f]\w+)*")
"""A number or code with the marks that join its parts."""

_JOINED = re.compile(r"[0-9]+(?:[-/:.][0-9]+)+")
_GROUPED = re.compile(r"[0-9]{1,3}(?:[.,'’\u00a0\u202f][0-9]{3})+(?:[.,][0-9]+)?|[0-9]+[.,][0-9]+")
"""Groups of thousands, or a decimal fraction."""

_THOUSANDS_BEFORE = re.compile(r"(?<![0-9])[0-9]{1,3}(?: [0-9]{3})* ?[,’']? $")
_THOUSANDS_AFTER = re.compile(r" ?[,’']?(?: [0-9]{3})* ?[,’']? 000(?![0-9])")
"""Groups of thousands with spaces, which end in zeros: other groups are a number that is read out."""

_ROUND_THOUSANDS = re.compile(r"[0-9]{1,3}(?: [0-9]{3})* 000")

_PART = r"[0-3]?[0-9]"
_YEAR = r"(?:1[5-9]|20)[0-9]{2}"
_DATE = re.compile(
    rf"{_YEAR}([-/.]){_PART}\1{_PART}(?:T.*)?|{_PART}([-/.]){_PART}\2{_YEAR}|{_PART}/{_YEAR}|{_YEAR}[-–/]{_YEAR}"
)
_IS_YEAR = re.compile(_YEAR)

_CURRENCY_BEFORE = re.compile(
    r"(?:[$€£¥₹]|(?<![^\W\d_])(?:USD|EUR|SEK|NOK|DKK|GBP|CHF|INR|Rs\.?|kr\.?)) ?(?:[0-9]+[.,’' ]{0,3})*$",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"(?:[.,][0-9]+| [0-9]{1,2}(?![0-9]))? ?(?:([$€£¥₹%‰°])|([^\W\d_]+))")


def bare_number(text: str, start: int, end: int) -> Range | None:
    """The whole number that some digits belong to; None if it is an amount, a measure, a date or in a code.

    >>> bare_number("B. 231 C. for A. two", 3, 6), bare_number("for 22 000 kr", 7, 10)
    ((3, 6), None)
    >>> bare_number("121-02", 0, 3)
    (0, 6)
    """
    first, last = max(start - _REACH, 0), end + _REACH
    before, after = text[first:start], text[end:last]
    near = text[first:last]
    if before[-1:].isspace() and (not after or after[:1].isspace()):
        whole_start, whole_end = start, end
    else:
        whole_start, whole_end = next(
            (first + m.start(), first + m.end()) for m in _WHOLE.finditer(near) if m.end() >= end - first
        )
    said = text[whole_start:whole_end]
    if not said.isdigit() and (
        _GROUPED.fullmatch(said) or _DATE.fullmatch(said) or not _JOINED.fullmatch(said)
    ):
        return None
    if whole_start != start:
        before = text[max(whole_start - _REACH, 0) : whole_start]
    after = text[whole_end : whole_end + _REACH]
    if _CURRENCY_BEFORE.search(before) or _is_counted(after):
        return None
    if (said == "000" and _THOUSANDS_BEFORE.search(before)) or _THOUSANDS_AFTER.match(after):
        return None
    if _IS_YEAR.fullmatch(said) and _is_in_prose(text, whole_start, whole_end):
        return None
    return whole_start, whole_end


def no_amount(text: str, start: int, end: int) -> Range | None:
    """The match, unless it is an amount of money, a measure or groups of thousands.

    >>> no_amount("it was 22 000", 7, 13), no_amount("it is 4471 0932", 6, 15)
    (None, (6, 15))
    """
    is_round = _ROUND_THOUSANDS.fullmatch(text, start, end) is not None
    before, after = text[max(start - _REACH, 0) : start], text[end : end + _REACH]
    return None if is_round or _CURRENCY_BEFORE.search(before) or _is_counted(after) else (start, end)


def _is_counted(after: str) -> bool:
    behind = _BEHIND.match(after)
    return behind is not None and (behind[1] is not None or behind[2].lower() in _measures())


def _is_in_prose(text: str, start: int, end: int) -> bool:
    """Whether words stand on both sides, or a bracket around: "in 2014 the club"."""
    return any(map(str.isalpha, text[max(start - _REACH, 0) : start])) or any(
        map(str.isalpha, text[end : end + _REACH])
    )


@built_once
def _measures() -> frozenset[str]:
    """What numbers count and measure."""
    return word_list("units") | word_list("counted")


_LONGEST_INTRODUCTION = 40
_MOST_WORDS = 4
_MOST_JOINED = 3
_CLOSING = 4  # most code points of punctuation at the end of a turn
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


EXTENDERS: Mapping[str, Callable[[str, int, int], Range | None]] = public_functions(__name__)
"""By the names used in infoType files; each returns the range that replaces a match, or None."""
