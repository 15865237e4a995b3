"""Dates as written or said: parse one, and write another day in the same form."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from tacenda.transforms.detecting.spoken.lexicon import Part
from tacenda.transforms.replacing.surrogates.inflection import in_case_of
from tacenda.transforms.replacing.surrogates.lists import document
from tacenda.transforms.replacing.surrogates.number_words import NumberWords, number_words
from tacenda.transforms.storage.process_cache import built_once

LEAST_DAYS, MOST_DAYS = 366, 1095
"""Back in time by over a year, so that a bare year changes too, and by up to three years."""

PRESENT = 2024
"""The assumed year of a date without one; a leap year."""


def shifted(day: date, days: int) -> date:
    """A day shifted by a number of days, limited to the range of the calendar."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return day


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
_ENDING = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}

Write = Callable[[date, int], str | None]
"""Writes a part of another day in the form of the original, given the day and how many days it moved by."""


@dataclass(slots=True)
class WrittenDate:
    """A parsed date; ``pieces`` are its text. Parts that it does not have are None."""

    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    hour: int | None = None
    pieces: list[str | Write] = field(default_factory=list)

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
        except ValueError:
            return None
        new = shifted(old, days)
        written = [piece if isinstance(piece, str) else piece(new, days) for piece in self.pieces]
        return None if None in written else "".join(filter(None, written))


def read_date(text: str, language: str = "en", *, among_words: bool = False) -> WrittenDate | None:
    """Parse a date; None if any of it is not understood, or it has none or several.

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
    reader = _Reader(read, "".join((*sides, behind)), language, among_words)
    taken = [reader.take(side) for side in (*sides, behind)]
    if None in taken:
        return None
    first, second, third = (side or [] for side in taken)
    read.pieces = [*first, *figures, *second, clock[0] if clock else "", *third]
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
            except ValueError:
                continue
            new = shifted(old, days)
            day, month = f"{new.day + more_days:02d}", f"{new.month + more_months:02d}"
            said = {"d": day, "m": month, "y": f"{new.year:04d}"}
            left = {part: iter(text[-form.count(part) :]) for part, text in said.items() if part in form}
            return "".join(next(left[part]) for part in form)
    return None


def _take_figures(read: WrittenDate, match: re.Match[str]) -> list[str | Write]:
    """Take a date in figures; nothing if there is no such day."""
    found = match.groupdict()
    names: dict[str, str] = {}
    if "a" in found:
        first_is_day = int(found["a"]) > 12 or (int(found["b"]) <= 12 and found["s"] != "/")
        names = {"a": "d", "b": "m"} if first_is_day else {"a": "m", "b": "d"}
    said = {names.get(group, group): digits for group, digits in found.items()}
    month, day = int(said["m"]), int(said["d"]) if "d" in said else None
    year = _full_year(said["y"]) if "y" in said else None
    try:
        date(year or PRESENT, month, day or 1)
    except ValueError:
        return []
    read.day, read.month, read.year = day, month, year
    is_padded = all(len(said[part]) == 2 for part in "dm" if part in said)
    kinds = [(names.get(group, group), found[group]) for group in sorted(found, key=match.start)]
    return [_figures(kind, text, is_padded) if kind in "dmy" else text for kind, text in kinds]


def _figures(kind: str, text: str, is_padded: bool = False) -> Write:
    def written(new: date, _: int) -> str:
        if kind == "ordinal":
            return in_case_of(text, _ENDING.get(new.day, "th"))
        if kind == "y":
            return str(new.year)[-len(text) :]
        if kind == "decade":
            return f"{new.year // 10}0"[-len(text) :]
        number = new.month if kind == "m" else new.day
        return f"{number:0{len(text)}d}" if text[0] == "0" or is_padded else str(number)

    return written


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year <= PRESENT % 100 + 5 else 1900)


class _Term(NamedTuple):
    """A word or phrase for a part of a date, and those for all others of its kind in the same form."""

    kind: str
    number: int
    language: str
    written: Mapping[int, str]

    def write(self, text: str) -> Write:
        def written(new: date, days: int) -> str | None:
            number = (self.number + days) % 7 if self.kind == "weekday" else getattr(new, self.kind)
            said = self.written.get(number)
            return said and in_case_of(text, said)

        return written


class _Reader:
    """Takes the words and figures of a text into a date."""

    def __init__(self, read: WrittenDate, text: str, language: str, among_words: bool) -> None:
        self._read, self._among_words = read, among_words
        self._names = _names_in(language)
        # Number words are in the language whose months or weekdays the text has.
        low = map(str.lower, _TOKEN.findall(text))
        own = next((self._names[word].language for word in low if word in self._names), "en")
        self._words = next((known for known in number_words() if known.language == own), number_words()[0])
        self._phrases = _phrases(self._words.language)

    def take(self, text: str) -> list[str | Write] | None:
        """The pieces of a text; None if any of it is not understood."""
        tokens = _TOKEN.findall(text)
        pieces: list[str | Write] = []
        i = 0
        while i < len(tokens):
            token, low = tokens[i], tokens[i].lower()
            taken = 1
            if low in self._names:
                term = self._names[low]
                if not self._is_new(term):
                    return None
                pieces.append(term.write(token))
            elif token.isascii() and token.isdigit():
                kind = self._kind_of_figures(token, tokens[i - 1] if i else "", "".join(tokens[i + 1 :]))
                if not kind:
                    return None
                pieces.append(_figures(kind, token))
                if kind == "d" and i + 1 < len(tokens) and _ORDINAL.fullmatch(tokens[i + 1]):
                    taken = 2
                    pieces.append(_figures("ordinal", tokens[i + 1]))
            elif found := self._phrase(tokens[i : i + 7]):
                taken, term = found
                pieces.append(term.write("".join(tokens[i : i + taken])))
            elif self._among_words or not (
                low in self._words.meanings or (token[0].isalpha() and low not in _links())
            ):
                pieces.append(token)
            else:
                return None
            i += taken
        return pieces

    def _is_new(self, term: _Term) -> bool:
        """Take a term, unless the date has that part already."""
        if getattr(self._read, term.kind) is not None:
            return False
        setattr(self._read, term.kind, term.number)
        return True

    def _phrase(self, tokens: Sequence[str]) -> tuple[int, _Term] | None:
        """The longest phrase that some tokens begin with, and the number of its tokens."""
        run = [token.lower() for token in tokens[::2]]
        joined = next((k for k, gap in enumerate(tokens[1::2], 1) if gap.strip(" -")), len(run))
        for count in range(min(joined, len(run)), 0, -1):
            term = self._phrases.get(tuple(run[:count]))
            if term is not None and self._is_new(term):
                return 2 * count - 1, term
        return None

    def _kind_of_figures(self, token: str, before: str, rest: str) -> str:
        """Take a number; empty if the date has no part for it."""
        read, size = self._read, len(token)
        is_decade = rest.rstrip() in _decades() and token[-1] == "0"
        if read.year is None and size == 4 and token[:2] in ("18", "19", "20"):
            read.year = int(token)
            return "decade" if is_decade else "y"
        if read.year is None and size == 2 and is_decade:
            read.year = 1900 + int(token)
            return "decade"
        may_be_year = read.year is None and read.month is not None and size == 2
        is_short_year = may_be_year and before in ("-", "'", "’", " '", " ’")
        if read.day is None and 1 <= int(token) <= 31 and size <= 2 and not is_short_year:
            read.day = int(token)
            return "d"
        if may_be_year:
            read.year = _full_year(token)
            return "y"
        return ""


@lru_cache(maxsize=16)
def _phrases(language: str) -> Mapping[tuple[str, ...], _Term]:
    """Days of the month as ordinals, and years as they are said in English, by their words."""
    words = next(known for known in number_words() if known.language == language)
    days = {day: said for day in range(1, 32) if (said := words.say_ordinal(day))}
    found: dict[tuple[str, ...], _Term] = {}
    for word, day in words.ordinals.items():
        found[word,] = _Term("day", day, language, days)
        for ten, (part, tens) in words.meanings.items() if day < 10 else ():
            if part is Part.TEN:
                found[ten, word] = _Term("day", int(tens) + day, language, days)
    if language == "en":
        years = {year: list(_said_years(year, words)) for year in range(1800, 2100)}
        first = {year: said[0] for year, said in years.items()}
        for year, several in years.items():
            found.update((tuple(said.split()), _Term("year", year, language, first)) for said in several)
    return found


def _said_years(year: int, english: NumberWords) -> Iterator[str]:
    """How people say a year, the usual form first."""
    century, rest = english.say(str(year // 100)), year % 100
    said = english.say(f"{rest:02d}" if rest >= 10 else str(rest))
    if year >= 2000 and rest < 10:
        yield from (f"two thousand {said}", f"two thousand and {said}") if rest else ("two thousand",)
    if rest >= 10:
        yield f"{century} {said}"
        yield from (f"two thousand {said}",) if year >= 2000 else ()
    elif rest:
        yield from (f"{century} {zero} {said}" for zero in ("oh", "o", "zero"))
    else:
        yield f"{century} hundred"


@built_once
def _links() -> frozenset[str]:
    return frozenset(document("calendar.yaml")["links"].split())


@built_once
def _decades() -> frozenset[str]:
    """What follows the figures of a decade."""
    languages = document("calendar.yaml")["languages"].values()
    return frozenset(ending for own in languages for ending in own.get("decades", "").split())


@lru_cache(maxsize=16)
def _names_in(language: str) -> Mapping[str, _Term]:
    """The names of months and weekdays; those of the given language take precedence.

    Names of two letters are words of other languages, and count in their own alone.
    """
    names: dict[str, _Term] = {}
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
                            names.setdefault(name + ending, _Term(kind, number, own, written))
        for form, name in known.get("also", {}).items():
            names.setdefault(form, names[name])
    return names
