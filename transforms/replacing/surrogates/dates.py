"""Dates as written or said: parse one, and write another day in the same form."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from tacenda.transforms.generating.spoken_words import ordinal_ending
from tacenda.transforms.replacing.surrogates.inflection import in_case_of
from tacenda.transforms.replacing.surrogates.lists import document, number_words
from tacenda.transforms.storage.process_cache import built_once

LEAST_DAYS, MOST_DAYS = 366, 1095
"""Back in time by over a year, so that a bare year changes too, and by up to three years."""

PRESENT = 2024
"""The assumed year of a date without one; a leap year."""


_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:-feira)?|[\W_]+")
_YEAR = r"(?:18|19|20)\d\d"
_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
_NUMERIC = tuple(
    re.compile(rf"(?<![\d./-]){pattern}(?![\d]|[./-]\d)")
    for pattern in (
        rf"(?P<y>{_YEAR})(?P<s>[-./ ])(?P<m>\d\d?)(?P<s2>(?P=s))(?P<d>\d\d?)",
        r"(?P<a>\d\d?)(?P<s>\. |[-./ ])(?P<b>\d\d?)(?P<s2>\. |[-./ ,]|, )(?P<y>\d{4}|\d\d)",
        rf"(?P<y>{_YEAR})(?P<s>)(?P<m>{_MONTH})(?P<d>{_DAY})",
        r"(?P<a>\d\d)(?P<s>)(?P<b>\d\d)(?P<y>\d{4}|\d\d)",
        rf"(?P<m>0?[1-9]|1[0-2])(?P<s>[-./])(?P<y>{_YEAR})",
        rf"(?P<y>{_YEAR})(?P<s>[-/])(?P<m>0?[1-9]|1[0-2])",
        r"(?P<a>\d\d?)(?P<s>\. |[-./])(?P<b>\d\d?)",
    )
)
"""Numeric forms: ``a`` and ``b`` are day and month, in an order given by the values or the separator."""

_CLOCK = re.compile(
    r"(?:(?<=\d)T)?(?<![\d.])(?P<hour>[01]?\d|2[0-3]):[0-5]\d(?:[:.][0-5]\d(?:[.,]\d+)?)?(?!\d)"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?)?(?:Z\b|\s?[+-]\d\d:?\d\d(?!\d))?"
    r"|(?<![\d.])(?P<full>1[0-2]|0?[1-9])(?:\.[0-5]\d)?\s?(?P<of>[ap])\.?m\b\.?",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"st|nd|rd|th", re.IGNORECASE)


class _Part(NamedTuple):
    """A piece of the text of a date; without a kind, it stays as it is.

    ``kind`` is what of a day it says in figures, ``ordinal`` for the letters after a day, or ``weekday``;
    ``names`` are all months or weekdays in its form, if it is a name.
    """

    text: str
    kind: str = ""
    names: Mapping[int, str] | None = None
    is_padded: bool = False

    def written(self, number: int) -> str:
        """Another number in the same form."""
        if self.names is not None:
            return in_case_of(self.text, self.names[number])
        if self.kind == "ordinal":
            return in_case_of(self.text, ordinal_ending(number))
        size = len(self.text)
        if self.kind == "year":
            return str(number)[-size:]
        return f"{number:0{size}d}" if self.is_padded or self.text[0] == "0" else str(number)


@dataclass(slots=True)
class WrittenDate:
    """A parsed date; ``parts`` are its text. What it does not have is None."""

    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    hour: int | None = None
    parts: list[_Part] = field(default_factory=list)

    @property
    def first_day(self) -> date:
        """The day, or the first that it may be; in the year 2024 if it has no year."""
        return date(self.year or PRESENT, self.month or 1, self.day or 1)

    def moved(self, days: int) -> str | None:
        """The date shifted by some days, in the same form; None if it cannot be written."""
        if self.month is None and self.day is not None:
            return None
        try:
            old = date(self.year or PRESENT, self.month or 7, self.day or (15 if self.month else 1))
            new = old + timedelta(days=days)
        except (ValueError, OverflowError):
            return None
        numbers = {"day": new.day, "ordinal": new.day, "month": new.month, "year": new.year}
        numbers["weekday"] = ((self.weekday or 0) + days) % 7
        return "".join(part.written(numbers[part.kind]) if part.kind else part.text for part in self.parts)


def read_date(text: str, language: str = "en", *, among_words: bool = False) -> WrittenDate | None:
    """Parse a date; None if any of it is not understood, as numbers in words, or it has none or several.

    ``language`` is that of the conversation: august and april are months in many languages. ``among_words``
    lets other words stand beside the date, which stay as they are.

    >>> read_date("5. mars 2024", "no").moved(-400), read_date("October 27th, 1972").moved(-366)
    ('30. januar 2023', 'October 27th, 1971')
    """
    read = WrittenDate()
    clock = _CLOCK.search(text)
    before, behind = (text[: clock.start()], text[clock.end() :]) if clock else (text, "")
    matches = (form.search(before) for form in _NUMERIC)
    found = ((match, figures) for match in matches if match and (figures := _take_figures(read, match)))
    match, figures = next(found, (None, []))
    sides = [before[: match.start()], before[match.end() :]] if match else [before, ""]
    taken = [_take_words(read, side, language, among_words) for side in (*sides, behind)]
    if None in taken:
        return None
    first, second, third = (side or [] for side in taken)
    read.parts = [*first, *figures, *second, _Part(clock[0] if clock else ""), *third]
    if clock:
        half = (clock["half"] or clock["of"] or "").lower()
        hour = int(clock["hour"] or clock["full"])
        read.hour = hour % 12 + 12 * (half == "p") if half else hour
    is_date = read.month is not None or (read.day is None and (read.year, read.weekday) != (None, None))
    return read if is_date and read.moved(0) is not None else None


_DAYS_ADDED = {"d": (0, 40), "y": (0, 60)}
_MONTHS_ADDED = (0, 20, 40, 50, 65, 70, 80)
"""Added to months by some countries' personal numbers for sex or century; to days depending on the form."""


def moved_digits(digits: str, form: str, days: int) -> str | None:
    """Shift the date of birth within a personal number; ``form`` is like ``yymmdd``. None if it is not a
    date.

    >>> moved_digits("640823", "yymmdd", -400), moved_digits("670123", "ddmmyy", -400)
    ('630720', '631221')
    """
    parts = {part: "".join(d for d, f in zip(digits, form, strict=True) if f == part) for part in "dmy"}
    year = _full_year(parts["y"]) if parts["y"] else PRESENT
    for more_days in _DAYS_ADDED[form[0]]:
        for more_months in _MONTHS_ADDED:
            try:
                old = date(year, int(parts["m"]) - more_months, int(parts["d"]) - more_days)
                new = old + timedelta(days=days)
            except (ValueError, OverflowError):
                continue
            day, month = f"{new.day + more_days:02d}", f"{new.month + more_months:02d}"
            said = {"d": day, "m": month, "y": f"{new.year:04d}"}
            left = {part: iter(text[-form.count(part) :]) for part, text in said.items() if part in form}
            return "".join(next(left[part]) for part in form)
    return None


def _take_figures(read: WrittenDate, match: re.Match[str]) -> list[_Part]:
    """Take a date in figures; nothing if there is no such day."""
    found = match.groupdict()
    kinds = {"y": "year", "m": "month", "d": "day"}
    if "a" in found:
        first_is_day = int(found["a"]) > 12 or (int(found["b"]) <= 12 and found["s"] != "/")
        kinds |= {"a": "day", "b": "month"} if first_is_day else {"a": "month", "b": "day"}
    said = {kinds[group]: digits for group, digits in found.items() if group in kinds}
    month, day = int(said["month"]), int(said["day"]) if "day" in said else None
    year = _full_year(said["year"]) if "year" in said else None
    try:
        date(year or PRESENT, month, day or 1)
    except ValueError:
        return []
    read.day, read.month, read.year = day, month, year
    is_padded = all(len(said[kind]) == 2 for kind in ("day", "month") if kind in said)
    return [
        _Part(found[group], kinds.get(group, ""), is_padded=is_padded)
        for group in sorted(found, key=match.start)
    ]


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year <= PRESENT % 100 + 5 else 1900)


def _take_words(read: WrittenDate, text: str, language: str, among_words: bool) -> list[_Part] | None:
    """Take names of months and weekdays, and single figures; None if any of a text is not understood."""
    names = _names_in(language)
    parts: list[_Part] = []
    tokens = _TOKEN.findall(text)
    for before, token in zip(["", *tokens], tokens, strict=False):
        low = token.lower()
        if low in names:
            name = names[low]
            if getattr(read, name.kind) is not None:
                return None
            setattr(read, name.kind, name.number)
            parts.append(_Part(token, name.kind, name.names))
        elif token.isascii() and token.isdigit():
            kind = _take_number(read, token, before)
            if not kind:
                return None
            parts.append(_Part(token, kind))
        elif _ORDINAL.fullmatch(token) and parts and parts[-1].kind == "day":
            parts.append(_Part(token, "ordinal"))
        elif token[0].isalpha() and (low in number_words() if among_words else low not in _links()):
            return None
        else:
            parts.append(_Part(token))
    return parts


def _take_number(read: WrittenDate, token: str, before: str) -> str:
    """Take a number as the year or the day, and say which; empty if the date has no part for it."""
    size = len(token)
    if read.year is None and size == 4 and token[:2] in ("18", "19", "20"):
        read.year = int(token)
        return "year"
    may_be_year = read.year is None and read.month is not None and size == 2
    is_short_year = may_be_year and before in ("-", "'", "’", " '", " ’")
    if read.day is None and 1 <= int(token) <= 31 and size <= 2 and not is_short_year:
        read.day = int(token)
        return "day"
    if may_be_year:
        read.year = _full_year(token)
        return "year"
    return ""


@built_once
def _links() -> frozenset[str]:
    return frozenset(document("calendar.yaml")["links"].split())


class _Name(NamedTuple):
    """A month or weekday: its number, and the names of all others in the same form."""

    kind: str
    number: int
    names: Mapping[int, str]


@lru_cache(maxsize=16)
def _names_in(language: str) -> Mapping[str, _Name]:
    """The names of months and weekdays; those of the given language take precedence.

    Names of two letters are words of other languages, and count in their own alone.
    """
    names: dict[str, _Name] = {}
    languages = document("calendar.yaml")["languages"]
    for own in sorted(languages, key=lambda known: known != language):
        known = languages[own]
        for kind, size, least in (("month", 12, 1), ("weekday", 7, 0)):
            listed = known[f"{kind}s"].split()
            for first in range(0, len(listed), size):
                series = listed[first : first + size]
                for ending in ("", *known.get("endings", "").split()):
                    written = {n: name.capitalize() + ending for n, name in enumerate(series, least)}
                    for number, name in enumerate(series, least):
                        if len(name) > 2 or own == language:
                            names.setdefault(name + ending, _Name(kind, number, written))
        for form, name in known.get("also", {}).items():
            names.setdefault(form, names[name])
    return names
