"""Fit a generous match to the value itself, by the words within it and what stands around it.

Each public function takes a text and a match, and returns the range that replaces the match, or None if there
is no value. InfoType files call them by name (``fit``). Words of single languages are in ``languages/``.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, wraps

from tacenda.transforms.detecting.rules import public_functions
from tacenda.transforms.detecting.word_lists import language_pattern, word_list
from tacenda.transforms.storage.process_cache import built_once

Range = tuple[int, int]
Fit = Callable[[str, int, int], Range | None]


def _of_match(fitted: Callable[[str], Range | None]) -> Fit:
    """A function of the matched text alone as one of a text and a match."""

    @wraps(fitted)
    def fit(text: str, start: int, end: int) -> Range | None:
        found = fitted(text[start:end])
        return None if found is None else (start + found[0], start + found[1])

    return fit


_COUNTRY_AND_CHECK_DIGITS = 4
_CHARACTER = re.compile(r"[A-Za-z0-9]")


@_of_match
def own_length(text: str) -> Range | None:
    """The IBAN at the start of a text by its country's length, so that no short word after it is included."""
    length = _length_in(text[:2].upper())
    ends = [match.end() for match in _CHARACTER.finditer(text)]
    if length is None or len(ends) <= length or text[ends[length - 1]].isalnum():
        return 0, len(text)
    return 0, ends[length - 1]


@cache
def _length_in(country: str) -> int | None:
    """Length of a country's IBAN, from python-stdnum's copy of the IBAN registry."""
    from stdnum import numdb

    (_, known), *_ = numdb.get("iban").info(country)
    counts = map(int, re.findall(r"\d+", known.get("bban", "")))
    return _COUNTRY_AND_CHECK_DIGITS + sum(counts) if "bban" in known else None


@_of_match
def in_own_script(text: str) -> Range | None:
    """An address in ASCII without the letters of scripts without capitals that touch it on either side."""
    found = _ASCII_WITHIN.fullmatch(text)
    return found.span(1) if found else (0, len(text))


_UNCASED = "\u05d0-\u1fff\u3041-\ua63f\uac00-\ud7ff\uf900-\ufaff"
_ASCII_WITHIN = re.compile(rf"[{_UNCASED}]*([\x21-\x7e]+)[{_UNCASED}]*")


@_of_match
def date(text: str) -> Range | None:
    """A date without the words before it."""
    start = len(text) - len(text.lstrip(" ,."))
    if article := _before_dates().match(text, start):
        start = article.end()
    return (start, len(text)) if start < len(text) else None


@built_once
def _before_dates() -> re.Pattern[str]:
    return re.compile(rf"(?:{language_pattern('before_dates')}),? ", re.IGNORECASE)


_REACH = 40  # code points of context on either side of a match
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
_CALENDAR_YEAR = r"(?:1[5-9]|20)[0-9]{2}"
_DATE = re.compile(
    rf"{_CALENDAR_YEAR}([-/.]){_PART}\1{_PART}(?:T.*)?|{_PART}([-/.]){_PART}\2{_CALENDAR_YEAR}"
    rf"|{_PART}/{_CALENDAR_YEAR}|{_CALENDAR_YEAR}[-–/]{_CALENDAR_YEAR}"
)
_IS_YEAR = re.compile(_CALENDAR_YEAR)

_CURRENCY_BEFORE = re.compile(
    r"(?:[$€£¥₹]|(?<![^\W\d_])(?:USD|EUR|SEK|NOK|DKK|GBP|CHF|INR|Rs\.?|kr\.?)) ?(?:[0-9]+[.,’' ]{0,3})*$",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"(?:[.,][0-9]+| [0-9]{1,2}(?![0-9]))? ?(?:([$€£¥₹%‰°])|([^\W\d_]+))")


def bare_number(text: str, start: int, end: int) -> Range | None:
    """The whole number that some digits belong to; None if it is an amount, a measure, a date or in a code.

    Speech recognition breaks up the numbers that people dictate; their rests are bare digits (NUMERIC). In
    written text the same digits are mostly part of an amount, a year or a name of a thing.

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
    before = text[max(whole_start - _REACH, 0) : whole_start]
    after = text[whole_end : whole_end + _REACH]
    if _CURRENCY_BEFORE.search(before) or _is_measured(after):
        return None
    if (said == "000" and _THOUSANDS_BEFORE.search(before)) or _THOUSANDS_AFTER.match(after):
        return None
    # With words on both sides, or a bracket around: "in 2014 the club".
    if _IS_YEAR.fullmatch(said) and any(map(str.isalpha, before + after)):
        return None
    return whole_start, whole_end


def no_amount(text: str, start: int, end: int) -> Range | None:
    """The match, unless it is an amount of money, a measure or groups of thousands.

    >>> no_amount("it was 22 000", 7, 13), no_amount("it is 4471 0932", 6, 15)
    (None, (6, 15))
    """
    is_round = _ROUND_THOUSANDS.fullmatch(text, start, end) is not None
    before, after = text[max(start - _REACH, 0) : start], text[end : end + _REACH]
    return None if is_round or _CURRENCY_BEFORE.search(before) or _is_measured(after) else (start, end)


def _is_measured(after: str) -> bool:
    """Whether a unit stands behind a number."""
    behind = _BEHIND.match(after)
    return behind is not None and (behind[1] is not None or behind[2].lower() in word_list("units"))


def whole_chain(text: str, start: int, end: int) -> Range | None:
    """The match, where no more groups are joined to it by colons, as in the fingerprint of a key."""
    return None if text[start - 1 : start] == ":" or _MORE_GROUPS.match(text, end) else (start, end)


_MORE_GROUPS = re.compile(r":[0-9A-Fa-f]{2}")


def at_a_pause(text: str, start: int, end: int) -> Range | None:
    """The match, if its clause ends or another matter follows: "at 8", not "at 8 places"."""
    return (start, end) if _pause().match(text, end) else None


@built_once
def _pause() -> re.Pattern[str]:
    following = language_pattern("after_a_pause")
    return re.compile(rf"\s{{0,2}}(?:$|\n|[;?!)\]\"]|[.,:](?!\s?\d))| (?:{following})\b", re.IGNORECASE)


FITS: Mapping[str, Fit] = public_functions(__name__)
"""By the names used in infoType files."""
