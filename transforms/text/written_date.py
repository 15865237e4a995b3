"""A date within a text: parse it, and write another day in the same form."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml


class CalendarWord(NamedTuple):
    """A month or weekday as written: its number from 0, the series it belongs to, and its ending."""

    number: int
    series: tuple[str, ...]
    ending: str = ""

    def moved(self, number: int, like: str) -> str:
        """Another word of the series, capitalised as ``like``."""
        word = self.series[number % len(self.series)]
        if like.isupper() and len(like) > 1:
            return (word + self.ending).upper()
        return (word.capitalize() if like[:1].isupper() else word) + self.ending


def months_of(word: str) -> list[CalendarWord]:
    """The months that a word may be, one for each language that has it, in the order of languages."""
    return _found(word.lower(), _months())


def weekdays_of(word: str) -> list[CalendarWord]:
    """The weekdays that a word may be, as in :func:`months_of`."""
    return _found(word.lower(), _weekdays())


_Words = dict[str, list[CalendarWord]]


@built_once
def _months() -> tuple[_Words, _Words]:
    return _read("months", "short")


@built_once
def _weekdays() -> tuple[_Words, _Words]:
    return _read("weekdays", "short_weekdays")


def _read(*kinds: str) -> tuple[_Words, _Words]:
    """Words without endings, and words that take endings."""
    fixed: _Words = {}
    inflected: _Words = {}
    languages = parse_yaml(files(__package__).joinpath("calendar_words.yaml").read_text("utf-8"))
    for language in languages.values():
        for kind in kinds:
            spellings = [names.split(" ") for names in language.get(kind, ())]
            series = tuple(names[0] for names in spellings)
            words = inflected if language.get("endings") else fixed
            for number, names in enumerate(spellings):
                for name in names:
                    words.setdefault(name, []).append(CalendarWord(number, series))
    return fixed, inflected


def _found(word: str, words: tuple[_Words, _Words]) -> list[CalendarWord]:
    fixed, inflected = words
    found = list(fixed.get(word, ()))
    for stem, several in inflected.items():
        if word.startswith(stem):
            found += [one._replace(ending=word[len(stem) :]) for one in several]
    return found


_FIGURES = re.compile(
    r"(?<!\d)(?P<a>\d{1,4})(?P<sign>[-/.])(?P<space> ?)(?P<b>\d{1,2})(?:(?P=sign)(?P=space)(?P<c>\d{4}|\d{2}))?"
    r"(?!\d)"
)
_COMPACT = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?!\d)")
_CLOCK = re.compile(
    r"(?<![\d.])(?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)(?:[:.][0-5]\d(?:[.,]\d+)?)?(?!\d)"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?)?(?:\s?[+-]\d\d:?\d\d(?!\d))?",
    re.IGNORECASE,
)
_HOUR = re.compile(r"(?<![\d.])(?P<hour>1[0-2]|0?[1-9])\s?(?P<half>[ap])\.?m\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:-feira)?", re.UNICODE)
_NUMBER = re.compile(r"(?<!\d)\d+(?!\d)")
_YEAR_AND_MONTH = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)[-/.](?P<m>0[1-9]|1[0-2])(?!\d|[-/.]\d)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_ANY_YEAR = 2000
"""Stands for a missing year; a leap year."""

_CENTURY_TURN = 40
"""Two-digit years above it belong to the last century."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of the text that changes with the day: its position and its meaning."""

    start: int
    end: int
    kind: str
    word: CalendarWord | None = None


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """One date in a text.

    ``day`` is in the year 2000 if ``has_year`` is False; ``hour`` is None if no time is given.
    """

    text: str
    day: date
    has_year: bool
    hour: int | None
    pieces: tuple[_Piece, ...]
    padded: bool

    @staticmethod
    def read(text: str) -> "WrittenDate":
        """Parse a text that is a date.

        If day and month are ambiguous, the month comes first with slashes and hyphens, the day with full
        stops. Times of day never change.

        Raises:
            RecordError: there is no date, more than one, or another number beside it.
        """
        clock = _clock(text)
        free = text if clock is None else text[: clock[0]] + " " * (clock[1] - clock[0]) + text[clock[1] :]
        pieces, day, has_year = _in_figures(free) or _in_words(free)
        left = free
        for piece in pieces:
            left = left[: piece.start] + " " * (piece.end - piece.start) + left[piece.end :]
        if re.search(r"\d", left):
            raise RecordError("NotADate")
        for found in _WORD.finditer(left):
            if several := weekdays_of(found[0]):
                pieces.append(_Piece(found.start(), found.end(), "weekday", several[0]))
        figures = [text[p.start : p.end] for p in pieces if p.kind in "dm" and p.word is None]
        # If day and month both have two digits (31/12), the first of January has them as well.
        padded = any(figure.startswith("0") for figure in figures) or [len(f) for f in figures] == [2, 2]
        hour = None if clock is None else clock[2]
        return WrittenDate(text, day, has_year, hour, tuple(sorted(pieces, key=lambda p: p.start)), padded)

    @property
    def has_day(self) -> bool:
        """Whether it has a day, not only a month."""
        return any(piece.kind == "d" for piece in self.pieces)

    def shifted(self, days: int) -> str:
        """The same text, with the date shifted by some days.

        Raises:
            RecordError: the day is outside of the calendar.
        """
        try:
            day = self.day + timedelta(days)
        except OverflowError:
            raise RecordError("NotADate") from None
        pieces: list[str] = []
        position = 0
        for piece in self.pieces:
            pieces += self.text[position : piece.start], self._written(piece, day, days)
            position = piece.end
        return "".join([*pieces, self.text[position:]])

    def _written(self, piece: _Piece, day: date, days: int) -> str:
        was = self.text[piece.start : piece.end]
        if piece.kind == "weekday":
            assert piece.word is not None
            return piece.word.moved(piece.word.number + days, was)
        if piece.kind == "y":
            return f"{day.year:04}" if len(was) > 2 else f"{day.year % 100:02}"
        if piece.kind == "th":
            return _like(was, _ending(day.day))
        if piece.word is not None:
            return piece.word.moved(day.month - 1, was)
        number = day.day if piece.kind == "d" else day.month
        return f"{number:02}" if self.padded else str(number)


_Read = tuple[list[_Piece], date, bool]


def _in_figures(text: str) -> _Read | None:
    for pattern, kinds in ((_COMPACT, "ymd"), (_YEAR_AND_MONTH, "ym")):
        found = pattern.search(text)
        if found:
            return _read_as(found, {kind: kind for kind in kinds})
    for found in _FIGURES.finditer(text):
        for order in _orders(found):
            if read := _read_as(found, order):
                return read
    return None


def _orders(found: re.Match[str]) -> list[dict[str, str]]:
    """The possible orders of year, month and day, the likeliest first."""
    a, sign, c = found["a"], found["sign"], found["c"]
    if len(a) > 2:
        return [{"a": "y", "b": "m", "c": "d"}] if len(a) == 4 and c and len(c) == 2 else []
    month_first, day_first = {"a": "m", "b": "d"}, {"a": "d", "b": "m"}
    both = [day_first, month_first] if sign == "." else [month_first, day_first]
    if c is None:
        return both if sign != "-" else []
    return [{**order, "c": "y"} for order in both]


def _read_as(found: re.Match[str], order: dict[str, str]) -> _Read | None:
    pieces = [_Piece(*found.span(group), kind) for group, kind in order.items()]
    said = {kind: found[group] for group, kind in order.items()}
    year = said.get("y")
    day = _day(_full(year) if year else _ANY_YEAR, int(said["m"]), int(said.get("d", 1)))
    return None if day is None else (pieces, day, year is not None)


def _in_words(text: str) -> _Read:
    """A month in words, with a day and possibly a year."""
    for found in _WORD.finditer(text):
        several = months_of(found[0])
        if not several:
            continue
        numbers = list(_NUMBER.finditer(text))
        days = [n for n in numbers if len(n[0]) <= 2 and 1 <= int(n[0]) <= 31 and not _is_short_year(text, n)]
        years = [n for n in numbers if len(n[0]) == 4 or int(n[0]) > 31 or _is_short_year(text, n)]
        if len(days) == 2 and not years and days[1].start() > found.start() > days[0].start():
            years = [days.pop()]  # 12-Feb-98
        if len(days) > 1 or len(years) > 1 or not numbers:
            break
        year = _full(years[0][0]) if years else _ANY_YEAR
        day = _day(year, several[0].number + 1, int(days[0][0]) if days else 1)
        if day is None:
            break
        pieces = [_Piece(found.start(), found.end(), "m", several[0])]
        pieces += [_Piece(n.start(), n.end(), "y") for n in years]
        for number in days:
            pieces.append(_Piece(number.start(), number.end(), "d"))
            if ordinal := _ORDINAL.match(text, number.end()):
                pieces.append(_Piece(ordinal.start(), ordinal.end(), "th"))
        return pieces, day, bool(years)
    raise RecordError("NotADate")


def _is_short_year(text: str, number: re.Match[str]) -> bool:
    return len(number[0]) == 2 and text[number.start() - 1 : number.start()] in ("'", "’")


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _full(year: str) -> int:
    number = int(year)
    return number if len(year) > 2 else number + (1900 if number > _CENTURY_TURN else 2000)


def _clock(text: str) -> tuple[int, int, int] | None:
    """The position of the time of day, and its hour; 10.12. is not a time."""
    for pattern in (_CLOCK, _HOUR):
        for found in pattern.finditer(text):
            if "." in found[0].rstrip(".") and ":" not in found[0] and not found["half"]:
                continue
            hour = int(found["hour"])
            if found["half"]:
                hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
            return found.start(), found.end(), hour
    return None


def _ending(day: int) -> str:
    return "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _like(was: str, word: str) -> str:
    return word.upper() if was.isupper() else word
