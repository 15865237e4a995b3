"""Fit NUMERIC to its context: extend it to a whole code; drop it within a price or date.

Three digits in a row are found anywhere (speech recognition breaks numbers up). In written text they may be
part of something longer. Users who want dates get them from DATE, which takes precedence.
"""

import re

from tacenda.transforms.detecting.fitting.words import words
from tacenda.transforms.detecting.word_lists import alternatives, word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import built_once

_REACH = 40
"""Code points of context on either side of a number."""

_YEAR_DIGITS = 4
_YEAR = r"(?:1[89]|20)[0-9]{2}"
_PART = r"[0-3]?[0-9]"
_TIME = r"[0-2][0-9]:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
_DATE = re.compile(
    rf"(?<![0-9])(?:{_YEAR}([-/.]){_PART}\1{_PART}(?:[T ,]{{1,2}}{_TIME})?|{_PART}([-/. ]){_PART}\2{_YEAR}"
    rf"|{_PART}[-/. ][^\W\d_]{{3,9}}[-/. ]{_YEAR}|[01]?[0-9]/{_YEAR}|{_YEAR}-[01][0-9]"
    rf"|[0-2][0-9]:[0-5][0-9]:[0-5][0-9][.,][0-9]+Z?|(?<![0-9] ){_YEAR}[-–]{_YEAR}(?! ?[-–]?[0-9]))(?![0-9])"
)
_AMOUNT = r"[0-9]+(?:[.,'’ ][0-9]{3})*(?:[.,][0-9]+)?"
_CURRENCY = r"(?<![^\W\d_])(?:USD|EUR|SEK|NOK|DKK|GBP|CHF|INR|Rs\.?|kr\.?)"
_PRICE = re.compile(rf"(?:[$€£¥₹]|{_CURRENCY}) ?{_AMOUNT}(?![0-9])|(?<![0-9]){_AMOUNT} ?[$€£¥₹%‰]")
_NUMBER = re.compile(r"[0-9]+(?:[.,'’][0-9]+)*")
_CODE = re.compile(
    r"(?:(?<![^\W_])[A-Z]{1,6}-)?[A-Za-z0-9_]*[0-9][A-Za-z0-9_]*(?:[-/.:][A-Za-z0-9_]*[0-9][A-Za-z0-9_]*)*"
)
_FRACTION = re.compile(r"[0-9]+[.,](?:[0-9]{1,2}|[0-9]{4,})")
_GROUPED = re.compile(r"[0-9]{1,3}(?:[.,'’][0-9]{3})+(?:[.,][0-9]+)?|[0-9]+(?:\.[0-9]+){2,}|[0-9]+")
_MEASURE = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)?([A-Za-z]{1,4})")
_SIZE_OR_BITS = re.compile(r"[0-9]+x[0-9]+|0[bx][0-9a-f]+", re.IGNORECASE)
_CENTS = re.compile(r"(?:[.,][0-9]+| [0-9]{1,2})? ?([^\W\d_]+)")
_OF_DATES = frozenset("-/.:T")
_JOINING = frozenset(".,:/-–_'’$€£¥₹%‰")


@built_once
def _month_before() -> re.Pattern[str]:
    months = alternatives(word_list("months"))
    return re.compile(
        rf"(?<![^\W\d_])(?:{months})\.?(?:[ ,]+(?:(?:the )?[0-9]{{1,2}}(?:st|nd|rd|th|\.)?|de|del|of))?[ ,]+$",
        re.IGNORECASE,
    )


def whole_number(text: str, finding: Finding) -> Finding | None:
    """The whole number or code that a NUMERIC finding is part of; None if it is a price or date."""
    start, end = finding.start, finding.end
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    joined = _joins(before) or _joins(after)
    if joined or before in "$€£¥₹ " or after == " ":
        first, last = max(start - _REACH, 0), min(end + _REACH, len(text))
        near = text[first:last]
        place = start - first, end - first
        if joined and _covering(_DATE, near, place):
            return None
        if (before in " $€£¥₹" or joined or after in "€$ ") and _covering(_PRICE, near, place):
            return None
        if _is_amount(text, end):
            return None
        if end - start == _YEAR_DIGITS and text[start] in "12" and _month_before().search(text[first:start]):
            return None
        return _widened(text, finding, near, first) if joined else finding
    return finding


def date_around(text: str, finding: Finding) -> tuple[int, int] | None:
    """The limits of the written date, with its time, that digits are only a part of; None if they are of none.

    In "born 2024-03-18T09:30", 2024 is a part of all that follows "born".
    """
    start, end = finding.start, finding.end
    beside = (text[start - 1] if start else " ", text[end] if end < len(text) else " ")
    if not text[start:end].isdigit() or _OF_DATES.isdisjoint(beside):
        return None
    first = max(start - _REACH, 0)
    date = _covering(_DATE, text[first : end + _REACH], (start - first, end - first))
    return None if date is None else (first + date[0], first + date[1])


def _widened(text: str, finding: Finding, near: str, first: int) -> Finding | None:
    """The number or code that some digits are part of; None for a measure or a decimal fraction."""
    place = finding.start - first, finding.end - first
    if number := _covering(_NUMBER, near, place):
        start, end = first + number[0], first + number[1]
        if not _touches(text, start, end):
            said = text[start:end]
            if _FRACTION.fullmatch(said):
                return None
            return finding._replace(start=start, end=end) if _GROUPED.fullmatch(said) else finding
    if code := _covering(_CODE, near, place):
        measure = _MEASURE.fullmatch(near, *code)
        if (measure and _is_unit(measure[1].lower())) or _SIZE_OR_BITS.fullmatch(near, *code):
            return None
        return finding._replace(start=first + code[0], end=first + code[1])
    return finding


def _is_unit(unit: str) -> bool:
    return unit in word_list("units") or unit in words("units")


def _is_amount(text: str, end: int) -> bool:
    behind = _CENTS.match(text, end)
    return behind is not None and behind[1].lower() in words("currencies")


def _joins(character: str) -> bool:
    return character.isalnum() or character in _JOINING


def _touches(text: str, start: int, end: int) -> bool:
    return (start > 0 and _is_of_code(text[start - 1])) or (end < len(text) and _is_of_code(text[end]))


def _is_of_code(character: str) -> bool:
    return character.isalnum() or character in "_-/:"


def _covering(pattern: re.Pattern[str], text: str, place: tuple[int, int]) -> tuple[int, int] | None:
    """The match of a pattern that covers a range; None if there is none."""
    for match in pattern.finditer(text):
        if match.end() >= place[1]:
            return match.span() if match.start() <= place[0] else None
    return None
