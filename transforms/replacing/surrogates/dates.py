"""Dates as written or said: parse one, and write another day in the same form."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.replacing.surrogates.lists import document
from tacenda.transforms.replacing.surrogates.number_words import NumberWords, number_words
from tacenda.transforms.replacing.surrogates.writing import in_case_of
from tacenda.transforms.storage.process_cache import built_once

LEAST_DAYS, MOST_DAYS = 366, 1095
"""Back in time by over a year, so that a bare year changes too, and by up to three years."""

_CANDIDATES = 24
PRESENT = 2024
"""The assumed year of a date without one; a leap year."""


def shifted(day: date, days: int) -> date:
    """A day shifted by a number of days, limited to the range of the calendar."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return day


def offset_in_days(draw: Draw, collisions: Callable[[int], int]) -> int:
    """The offset of a conversation: of several draws, the first that maps the fewest dates to originals.

    ``collisions`` counts, for an offset, the dates that would equal an original. Multiples of seven are
    excluded: they would keep the weekday.
    """
    offsets: list[int] = []
    while len(offsets) < _CANDIDATES:
        days = -draw.between(LEAST_DAYS, MOST_DAYS)
        if days % 7:
            offsets.append(days)
    best = offsets[0]
    least = collisions(best)
    for days in offsets[1:]:
        if least == 0:
            break
        if (count := collisions(days)) < least:
            best, least = days, count
    return best


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
_ENDING = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}


class _Name(NamedTuple):
    """A month or weekday: its number from 0, its language, the names of its kind, and its ending."""

    kind: str
    number: int
    language: str
    series: Sequence[str]
    ending: str = ""

    def written(self, number: int, like: str) -> str:
        return in_case_of(like, self.series[number % len(self.series)].capitalize() + self.ending)


class _Piece(NamedTuple):
    """A part of the text: ``d``, ``m`` and ``y`` in figures, a name, or text that stays (an empty kind)."""

    kind: str
    text: str
    name: _Name | None = None


@dataclass(slots=True)
class WrittenDate:
    """A parsed date; ``pieces`` are its text. Parts that it does not have are None."""

    pieces: list[_Piece] = field(default_factory=list)
    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    hour: int | None = None
    is_padded: bool = False

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
        weekday = None if self.weekday is None else self.weekday + days
        written = [_write(piece, new, weekday, self.is_padded) for piece in self.pieces]
        return None if None in written else "".join(filter(None, written))


def read_date(text: str, language: str = "en", *, among_words: bool = False) -> WrittenDate | None:
    """Parse a date; None if any of it is not understood, or it has none or several.

    ``language`` is that of the conversation: august and april are months in many languages. ``among_words``
    lets other words stand beside the date, which stay as they are.

    >>> read_date("5. mars 2024").moved(-400), read_date("October 27th, 1972").moved(-366)
    ('30. januar 2023', 'October 27th, 1971')
    """
    if clock := _CLOCK.search(text):
        before, behind = text[: clock.start()], text[clock.end() :]
        read = _read(before, behind, language, among_words, clock[0])
        if read is not None:
            half = (clock["half"] or clock["of"] or "").lower()
            hour = int(clock["hour"] or clock["full"])
            read.hour = hour % 12 + 12 * (half == "p") if half else hour
        return read
    return _read(text, "", language, among_words)


def _read(text: str, behind: str, language: str, among_words: bool, clock: str = "") -> WrittenDate | None:
    """The date in a text, whose time of day stands before ``behind``."""
    read = WrittenDate()
    for form in _NUMERIC:
        if (match := form.search(text)) and _take_figures(read, match):
            parts = [text[: match.start()], text[match.end() :], behind]
            break
    else:
        match, parts = None, [text, behind]
    words = _words_of("".join(parts), language)
    sides = [_Reader(read, words, language, among_words).take(part) for part in parts]
    if None in sides:
        return None
    figures, rest = read.pieces, [side or [] for side in sides]
    middle = [*rest.pop(0), *figures] if match else rest.pop(0)
    read.pieces = [*middle, *(rest.pop(0) if match else ()), _Piece("", clock), *rest.pop(0)]
    nothing = read.month is None and read.year is None and read.weekday is None
    if nothing or (read.day is not None and read.month is None):
        return None
    return read if read.moved(0) is not None else None


_DAYS_ADDED = {"d": (0, 40), "y": (0, 60)}
_MONTHS_ADDED = (0, 20, 40, 50, 65, 70, 80)
"""Added to months by some countries' personal numbers for sex or century; to days depending on the form."""


def moved_digits(digits: str, form: str, days: int) -> str | None:
    """Shift the date of birth within a personal number; ``form`` is like ``yymmdd``. None if it is not a
    date.

    >>> moved_digits("640823", "yymmdd", -400), moved_digits("670123", "ddmmyy", -400)
    ('630720', '681221')
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
            said = {
                "d": f"{new.day + more_days:02d}",
                "m": f"{new.month + more_months:02d}",
                "y": str(new.year),
            }
            left = {part: iter(text[-form.count(part) :]) for part, text in said.items() if part in form}
            return "".join(next(left[part]) for part in form)
    return None


def _take_figures(read: WrittenDate, match: re.Match[str]) -> bool:
    """Take a date in figures, if there is such a day."""
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
        return False
    read.day, read.month, read.year = day, month, year
    read.is_padded = all(len(said[part]) == 2 for part in "dm" if part in said)
    for group in sorted(found, key=match.start):
        kind = names.get(group, group)
        read.pieces.append(_Piece(kind if kind in "dmy" else "", match[group]))
    return True


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year <= PRESENT % 100 + 5 else 1900)


def _words_of(text: str, language: str) -> NumberWords:
    """The number words of the language whose months or weekdays a text has; those of English without any."""
    names = _names_in(language)
    found = (names[t].language for t in map(str.lower, _TOKEN.findall(text)) if t in names)
    own = next(found, "en")
    return next((known for known in number_words() if known.language == own), number_words()[0])


class _Reader:
    """Takes the words and figures of a text into a date."""

    def __init__(self, read: WrittenDate, words: NumberWords, language: str, among_words: bool) -> None:
        self._read, self._words, self._among_words = read, words, among_words
        self._names = _names_in(language)
        self._pieces: list[_Piece] = []

    def take(self, text: str) -> list[_Piece] | None:
        """The pieces of a text; None if any of it is not understood."""
        tokens = _TOKEN.findall(text)
        i = 0
        self._pieces = []
        while i < len(tokens):
            token, low = tokens[i], tokens[i].lower()
            if low in self._names:
                if not self._take_name(token, self._names[low]):
                    return None
            elif token.isascii() and token.isdigit():
                if not self._take_number(token, "".join(tokens[i + 1 :])):
                    return None
            elif token[0].isalpha() and (taken := self._take_words(tokens, i)):
                i += taken
                continue
            elif not self._among_words and (
                self._words.knows(low) or (token[0].isalpha() and low not in _links())
            ):
                return None
            else:
                self._pieces.append(_Piece("", token))
            i += 1
        return self._pieces

    def _take_name(self, token: str, name: _Name) -> bool:
        read = self._read
        if name.kind == "weekdays" and read.weekday is None:
            read.weekday = name.number
        elif name.kind == "months" and read.month is None:
            read.month = name.number + 1
        else:
            return False
        self._pieces.append(_Piece(name.kind, token, name))
        return True

    def _take_number(self, token: str, rest: str) -> bool:
        read = self._read
        short = self._pieces[-1].text if self._pieces else ""
        is_decade = rest.rstrip() in _decades() and token[-1] == "0"
        if read.year is None and len(token) == 4 and token[:2] in ("18", "19", "20"):
            read.year, kind = int(token), "decade" if is_decade else "y"
        elif read.year is None and len(token) == 2 and is_decade:
            read.year, kind = 1900 + int(token), "decade"
        elif read.year is None and read.month is not None and short in ("-", "'", "’") and len(token) == 2:
            read.year, kind = _full_year(token), "y"
        elif read.day is None and 1 <= int(token) <= 31 and len(token) <= 2:
            read.day, kind = int(token), "dth" if re.match(r"st|nd|rd|th", rest, re.IGNORECASE) else "d"
        elif read.year is None and read.month is not None and len(token) == 2:
            read.year, kind = _full_year(token), "y"
        else:
            return False
        self._pieces.append(_Piece(kind, token))
        return True

    def _take_words(self, tokens: Sequence[str], i: int) -> int:
        """Take a day or year in words; returns the number of tokens consumed."""
        read, words = self._read, self._words
        if self._pieces and self._pieces[-1].kind == "dth" and tokens[i].lower() in ("st", "nd", "rd", "th"):
            self._pieces.append(_Piece("th", tokens[i]))
            return 1
        run = [tokens[i].lower()]
        for k in range(i + 1, min(i + 8, len(tokens)), 2):
            if not tokens[k].strip(" -") and k + 1 < len(tokens) and tokens[k + 1][0].isalpha():
                run.append(tokens[k + 1].lower())
            else:
                break
        kind, taken = "", 0
        if read.day is None and run[0] in words.ordinals:
            read.day, kind, taken = words.ordinals[run[0]], "ordinal", 1
        elif (
            read.day is None and len(run) > 1 and run[0] in words.tens and words.ordinals.get(run[1], 10) < 10
        ):
            read.day, kind, taken = int(words.tens[run[0]]) + words.ordinals[run[1]], "ordinal", 3
        elif read.year is None and words.language == "en":
            year, count = _spoken_year(run, words)
            if count:
                read.year, kind, taken = year, "spoken", 2 * count - 1
        if taken:
            self._pieces.append(_Piece(f"{kind}:{words.language}", "".join(tokens[i : i + taken])))
        return taken


def _spoken_year(run: Sequence[str], words: NumberWords) -> tuple[int, int]:
    """A year in English words and its number of words; zero words if there is none."""
    for count in range(min(4, len(run)), 1, -1):
        own = [word for word in run[:count] if word != "and"]
        digits = ""
        if own[:2] == ["two", "thousand"]:
            rest = "".join(words.pairs.get(w) or words.digits.get(w, "x") for w in own[2:])
            digits = "20" + (rest or "0").rjust(2, "0")
        elif own[0] in ("nineteen", "eighteen", "twenty"):
            digits = (words.pairs.get(own[0]) or words.tens[own[0]]) + _pair(own[1:], words)
        if len(digits) == 4 and digits.isdigit():
            return int(digits), count
    return 0, 0


def _pair(said: Sequence[str], words: NumberWords) -> str:
    if len(said) == 1:
        return words.pairs.get(said[0]) or words.tens.get(said[0], "")
    if len(said) == 2 and said[1] in words.digits:
        if said[0] in words.tens:
            return words.tens[said[0]][0] + words.digits[said[1]]
        if words.digits.get(said[0]) == "0":
            return "0" + words.digits[said[1]]
    return ""


def _write(piece: _Piece, new: date, weekday: int | None, is_padded: bool) -> str | None:
    kind, text, name = piece
    kind, _, language = kind.partition(":")
    if name is not None:
        number = weekday if kind == "weekdays" else new.month - 1
        return None if number is None else name.written(number, text)
    if kind in ("d", "m", "dth"):
        number = new.month if kind == "m" else new.day
        return f"{number:0{len(text)}d}" if text[0] == "0" or is_padded else str(number)
    if kind == "th":
        return in_case_of(text, _ENDING.get(new.day, "th"))
    if kind == "y":
        return str(new.year)[-len(text) :]
    if kind == "decade":
        return f"{new.year // 10}0"[-len(text) :]
    if kind == "ordinal":
        said = next(words for words in number_words() if words.language == language).say_ordinal(new.day)
        return said and in_case_of(text, said)
    return in_case_of(text, _said_year(new.year)) if kind == "spoken" else text


def _said_year(year: int) -> str:
    english = number_words()[0]
    century, rest = divmod(year, 100)
    if century == 20 and rest < 10:
        return "two thousand" + (f" {english.say(str(rest))}" if rest else "")
    if rest < 10:
        return f"{english.say(str(century))} " + ("hundred" if not rest else f"oh {english.say(str(rest))}")
    return f"{english.say(str(century))} {english.say(f'{rest:02d}')}"


@built_once
def _links() -> frozenset[str]:
    return frozenset(document("calendar.yaml")["links"].split())


@built_once
def _decades() -> frozenset[str]:
    """What follows the figures of a decade."""
    languages = document("calendar.yaml")["languages"].values()
    return frozenset(ending for own in languages for ending in own.get("decades", "").split())


@lru_cache(maxsize=16)
def _names_in(language: str) -> Mapping[str, _Name]:
    """The names of months and weekdays; those of the given language take precedence.

    Names of two letters are words of other languages, and count in their own alone.
    """
    names: dict[str, _Name] = {}
    languages = document("calendar.yaml")["languages"]
    for own in sorted(languages, key=lambda known: known != language):
        known = languages[own]
        for kind, size in (("months", 12), ("weekdays", 7)):
            listed = known[kind].split()
            for first in range(0, len(listed), size):
                series = listed[first : first + size]
                for number, name in enumerate(series):
                    if len(name) > 2 or own == language:
                        names.setdefault(name, _Name(kind, number, own, series))
                        for ending in known.get("endings", "").split():
                            names.setdefault(name + ending, _Name(kind, number, own, series, ending))
        for form, name in known.get("also", {}).items():
            names.setdefault(form, names[name])
    return names
