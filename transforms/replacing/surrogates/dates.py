"""Dates as written or spoken: parse, shift, and write them in the same form."""

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


_TOKEN = re.compile(r"\d+|[^\W\d_]+|[\W_]+")
_NUMERIC = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<y>(?:18|19|20)\d\d)(?P<s>[-./ ])(?P<m>\d\d?)(?P<s2>(?P=s))(?P<d>\d\d?)(?P<rest>$|[T ].*)",
        r"(?P<a>\d\d?)(?P<s>\. |[-./ ])(?P<b>\d\d?)(?P<s2>\. |[-./ ,]|, )(?P<y>\d{4}|\d\d)(?P<rest>)",
        r"(?P<y>(?:18|19|20)\d\d)(?P<s>)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?P<rest>)",
        r"(?P<a>\d\d)(?P<s>)(?P<b>\d\d)(?P<s2>)(?P<y>\d{4}|\d\d)(?P<rest>)",
        r"(?P<m>0?[1-9]|1[0-2])(?P<s>[-./])(?P<y>(?:19|20)\d\d)(?P<rest>)",
        r"(?P<y>(?:19|20)\d\d)(?P<s>[-/])(?P<m>0?[1-9]|1[0-2])(?P<rest>)",
        r"(?P<a>\d\d?)(?P<s>\. |[-./])(?P<b>\d\d?)(?P<rest>[.,]?)",
        r"(?P<y>(?:18|19|20)\d\d)(?P<rest>)",
    )
)
"""Numeric forms: ``a`` and ``b`` are day and month, in an order given by the values or the separator."""

_ENDING = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}


class _Name(NamedTuple):
    number: int
    language: str
    style: str


@dataclass(slots=True)
class ReadDate:
    """A parsed date; ``pieces`` are its text, with the names of parts in their places."""

    pieces: list[tuple[str, str]] = field(default_factory=list)
    day: int | None = None
    month: int | None = None
    year: int | None = None
    weekday: int | None = None
    is_padded: bool = False

    def moved(self, days: int) -> str | None:
        """The date shifted by some days, in the same form; None if it cannot be written."""
        year = PRESENT if self.year is None else self.year
        if self.month is None and self.day is not None:
            return None
        try:
            old = date(year, self.month or 7, self.day or (15 if self.month else 1))
        except ValueError:
            return None
        new = shifted(old, days)
        weekday = None if self.weekday is None else (self.weekday + days) % 7
        written = [_write(part, text, new, weekday, self.is_padded) for part, text in self.pieces]
        return None if None in written else "".join(filter(None, written))


def read_date(text: str, language: str = "en") -> ReadDate | None:
    """Parse a date; None if any of it is not understood.

    ``language`` is that of the conversation: august and april are months in many languages.

    >>> read_date("5. mars 2024").moved(-400), read_date("October 27th, 1972").moved(-366)
    ('30. januar 2023', 'October 27th, 1971')
    """
    for form in _NUMERIC:
        if (match := form.fullmatch(text.strip())) and (read := _numeric(match)) is not None:
            return read
    return _worded(text, language)


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


def _numeric(match: re.Match[str]) -> ReadDate | None:
    found = match.groupdict()
    if "a" in found:
        first_is_day = _first_is_day(found["a"], found["b"], found["s"])
        found["d"], found["m"] = (found["a"], found["b"]) if first_is_day else (found["b"], found["a"])
        names = {"a": "d" if first_is_day else "m", "b": "m" if first_is_day else "d"}
    else:
        names = {}
    read = ReadDate()
    for group in sorted(match.groupdict(), key=lambda g: match.start(g)):
        own = names.get(group, group)
        read.pieces.append((own if own in "dmy" else "", match[group]))
    read.is_padded = all(len(found[part]) == 2 for part in "dm" if part in found)
    read.day = int(found["d"]) if "d" in found else None
    read.month = int(found["m"]) if "m" in found else None
    read.year = _full_year(found["y"]) if "y" in found else None
    return read if read.moved(0) is not None else None


def _first_is_day(a: str, b: str, separator: str) -> bool:
    if int(a) > 12:
        return True
    return int(b) <= 12 and separator != "/"


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year <= PRESENT % 100 + 5 else 1900)


def _worded(text: str, language: str) -> ReadDate | None:
    tokens = _TOKEN.findall(text)
    names = _names_in(language)
    read = ReadDate()
    language = next((names[t.lower()].language for t in tokens if t.lower() in names), "en")
    words = next((known for known in number_words() if known.language == language), number_words()[0])
    decades = {ending for entry in _calendar().values() for ending in entry["decades"].split()}
    i = 0
    while i < len(tokens):
        token, low = tokens[i], tokens[i].lower()
        if low in names:
            if not _take_name(read, token, names[low]):
                return None
        elif token.isascii() and token.isdigit():
            if not _take_number(read, token, "".join(tokens[i + 1 :]), decades):
                return None
        elif token[0].isalpha() and (taken := _take_words(read, tokens, i, words)):
            i += taken
            continue
        elif words.knows(low) or (token[0].isalpha() and low not in _links()):
            return None
        else:
            read.pieces.append(("", token))
        i += 1
    nothing = read.month is None and read.year is None and read.weekday is None
    return None if nothing or (read.day is not None and read.month is None) else read


def _take_name(read: ReadDate, token: str, name: _Name) -> bool:
    if name.style.endswith("weekdays"):
        if read.weekday is not None:
            return False
        read.weekday = name.number
    elif read.month is None:
        read.month = name.number + 1
    else:
        return False
    read.pieces.append((f"{name.style}:{name.language}", token))
    return True


def _take_number(read: ReadDate, token: str, rest: str, decades: set[str]) -> bool:
    if len(token) == 4 and token[:2] in ("18", "19", "20") and read.year is None:
        read.year = int(token)
        read.pieces.append(("decade" if rest in decades and token[3] == "0" else "y", token))
    elif len(token) == 2 and rest in decades and token[1] == "0" and read.year is None:
        read.year = 1900 + int(token)
        read.pieces.append(("decade", token))
    elif read.month is not None and read.pieces[-1][1] in ("-", "'", "’") and len(token) == 2:
        read.year = _full_year(token)
        read.pieces.append(("y", token))
    elif read.day is None and 1 <= int(token) <= 31 and len(token) <= 2:
        read.day = int(token)
        ending = re.match(r"st|nd|rd|th", rest)
        read.pieces.append(("dth" if ending else "d", token))
    elif read.year is None and read.month is not None and len(token) == 2:
        read.year = _full_year(token)
        read.pieces.append(("y", token))
    else:
        return False
    return True


def _take_words(read: ReadDate, tokens: Sequence[str], i: int, words: NumberWords) -> int:
    """Parse a day or year in words; returns the number of tokens consumed."""
    run = [tokens[i].lower()]
    for k in range(i + 1, min(i + 8, len(tokens)), 2):
        if not tokens[k].strip(" -") and k + 1 < len(tokens) and tokens[k + 1][0].isalpha():
            run.append(tokens[k + 1].lower())
        else:
            break
    if read.day is None:
        if run[0] in words.ordinals:
            read.day = words.ordinals[run[0]]
            read.pieces.append((f"ordinal:{words.language}", tokens[i]))
            return 1
        if len(run) > 1 and run[0] in words.tens and run[1] in words.ordinals and words.ordinals[run[1]] < 10:
            read.day = int(words.tens[run[0]]) + words.ordinals[run[1]]
            read.pieces.append((f"ordinal:{words.language}", "".join(tokens[i : i + 3])))
            return 3
    if read.year is None and words.language == "en":
        year, count = _spoken_year(run, words)
        if count:
            read.year = year
            read.pieces.append(("spoken", "".join(tokens[i : i + 2 * count - 1])))
            return 2 * count - 1
    if i and tokens[i] in ("st", "nd", "rd", "th") and read.pieces and read.pieces[-1][0] == "dth":
        return 1
    return 0


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


def _write(part: str, text: str, new: date, weekday: int | None, is_padded: bool) -> str | None:
    kind, _, language = part.partition(":")
    if kind in ("d", "m", "dth"):
        number = new.month if kind == "m" else new.day
        written = f"{number:0{len(text)}d}" if text[0] == "0" or is_padded else str(number)
        return written + (_ENDING.get(number, "th") if kind == "dth" else "")
    if kind == "y":
        return str(new.year)[-len(text) :]
    if kind == "decade":
        return f"{new.year // 10}0"[-len(text) :]
    if kind == "ordinal":
        known = next(words for words in number_words() if words.language == language)
        said = known.say_ordinal(new.day)
        return said and in_case_of(text, said)
    if kind == "spoken":
        return in_case_of(text, _said_year(new.year))
    if kind:
        name = weekday if kind.endswith("weekdays") else new.month - 1
        return None if name is None else in_case_of(text, _calendar()[language][kind].split()[name])
    return text


def _said_year(year: int) -> str:
    english = number_words()[0]
    century, rest = divmod(year, 100)
    if century == 20 and rest < 10:
        return "two thousand" + (f" {english.say(str(rest))}" if rest else "")
    if rest < 10:
        return f"{english.say(str(century))} " + ("hundred" if not rest else f"oh {english.say(str(rest))}")
    return f"{english.say(str(century))} {english.say(f'{rest:02d}')}"


@built_once
def _calendar() -> Mapping[str, Mapping[str, str]]:
    calendar: Mapping[str, Mapping[str, str]] = document("calendar.yaml")["languages"]
    return calendar


@built_once
def _links() -> frozenset[str]:
    return frozenset(document("calendar.yaml")["links"].split())


@lru_cache(maxsize=16)
def _names_in(language: str) -> Mapping[str, _Name]:
    """The names of months and weekdays; those of the given language take precedence."""
    names: dict[str, _Name] = {}
    for own in sorted(_calendar(), key=lambda known: known != language):
        for style in ("months", "weekdays", "short_months", "short_weekdays"):
            for number, name in enumerate(_calendar()[own][style].split()):
                names.setdefault(name.lower(), _Name(number, own, style))
    return names
