"""Numbers and codes in the same form, with check digits as configured; and ages."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.dates import moved_digits
from tacenda.transforms.replacing.surrogates.lists import document, number_words

Check = Callable[[str], bool]

_TRIES = 60
_LAST = 3
"""Number of last digits to vary until a check passes or fails."""
_LONGEST_WHOLE = 64
"""Most symbols of a number whose beginnings and ends are those of its surrogate."""
_LEAST_PART = 3
"""Fewest symbols of a number that counts as a part of a longer one."""
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])")
_LONGEST_CODE = 3
"""Most lower-case letters in a row, without digits beside them, that are not a word."""


def symbols_of(text: str) -> str:
    """The digits and lower-case letters of a number or code.

    >>> symbols_of("(555) 010-0199"), symbols_of("INC-29 a")
    ('5550100199', 'inc29a')
    """
    return "".join([c.lower() for c in text if _is_symbol(c)])


def with_symbols(text: str, symbols: str) -> str:
    """A text with other symbols, equally many, in the case of its own."""
    others = iter(symbols)
    written = ((c, next(others) if _is_symbol(c) else c) for c in text)
    return "".join([other.upper() if c.isupper() else other for c, other in written])


def is_code(text: str) -> bool:
    """Whether a text consists only of a number or code, without words of a sentence or numbers in words."""
    words = [word for word in _WORD.findall(text) if not word.isupper()]
    return all(len(word) <= _LONGEST_CODE and word.lower() not in number_words() for word in words)


def _is_symbol(character: str) -> bool:
    return character.isascii() and character.isalnum()


class InventedNumbers:
    """The numbers of one conversation; the beginning or end of one stays that of it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[str, str | None] = {}
        self._parts: dict[str, str] = {}

    def add(self, info_type: str, mentions: Sequence[str]) -> None:
        """Draw numbers, longest first, so that a repeated part of a number finds it."""
        for text in sorted(mentions, key=lambda text: -len(symbols_of(text))):
            symbols = symbols_of(text)
            if symbols and symbols not in self._known and symbols not in self._parts:
                new = self._known[symbols] = self._drawn(info_type, text)
                for size in range(_LEAST_PART, min(len(symbols), _LONGEST_WHOLE)) if new else ():
                    for cut in (slice(-size, None), slice(size)):
                        if symbols[cut] != str(new)[cut]:
                            self._parts.setdefault(symbols[cut], str(new)[cut])

    def value(self, text: str) -> str | None:
        """The same form with other symbols; None if there are none, or the text is not only a number."""
        symbols = symbols_of(text)
        new = self._known[symbols] if symbols in self._known else self._parts.get(symbols)
        return with_symbols(text, new) if new is not None and is_code(text) else None

    def _drawn(self, info_type: str, text: str) -> str | None:
        symbols, checks = symbols_of(text), _checks(info_type)
        wanted = self._context.settings.checksums
        draw = self._context.draws.draw("number", symbols)
        for _ in range(_TRIES):
            new: str | None = self._candidate(info_type, symbols, text, draw)
            if checks:
                is_right = _passes(checks, text) if wanted == "as_written" else wanted == "right"
                new = _checked(new or "", info_type, text, is_right, draw)
            is_new = new and new != symbols and new not in self._known
            if is_new and self._context.taken.take(with_symbols(text, str(new))):
                return new
        return None

    def _candidate(self, info_type: str, symbols: str, original: str, draw: Draw) -> str:
        kept = _kept(info_type, symbols, original)
        new = _others(symbols, draw, kept)
        if "PHONE" in info_type and (number := _north_american(symbols, original, draw)):
            return number
        if (form := document("numbers.yaml")["dates"].get(info_type)) is not None and symbols:
            at, form = form.split(" ")
            start = int(at) % len(symbols)
            digits = symbols[start : start + len(form)]
            # The date of birth inside moves as all other dates.
            is_whole = len(digits) == len(form) and digits.isdigit()
            if is_whole and (moved := moved_digits(digits, form, self._context.days)):
                new = new[:start] + moved + new[start + len(form) :]
        return new


def other_symbols(symbols: str, draw: Draw) -> str | None:
    """Other digits and letters in the same form: zeros that lead stay, and no other digit becomes one."""
    for _ in range(_TRIES):
        if (new := _others(symbols, draw)) != symbols:
            return new
    return None


def _others(symbols: str, draw: Draw, kept: int = 0) -> str:
    behind = list(enumerate(symbols))[kept:]
    return symbols[:kept] + "".join(_other(c, not symbols[:i].strip("0"), draw) for i, c in behind)


def _other(symbol: str, leads: bool, draw: Draw) -> str:
    if not symbol.isdigit():
        return draw.letters(1, "abcdefghjklmnpqrstuvwxyz")
    if leads:
        return symbol if symbol == "0" else str(draw.between(1, 9))
    return str(draw.below(10))


def _north_american(symbols: str, original: str, draw: Draw) -> str | None:
    """A number 555-01XX, reserved for fiction by the North American plan, with another area code."""
    lead = "1" if len(symbols) == 11 and symbols[0] == "1" else ""
    number = symbols[len(lead) :]
    if original.lstrip("( ").startswith("+") and not lead:
        return None
    if not number.isdigit() or len(number) not in (7, 10) or number[0] in "01" or number[-7] in "01":
        return None
    is_toll_free = number[0] == "8" and number[1] == number[2]
    area = number[:3] if is_toll_free else draw.pick(inventory.towns()).area_code
    return f"{lead}{area if len(number) == 10 else ''}55501{draw.digits(2)}"


def _kept(info_type: str, symbols: str, original: str) -> int:
    """The number of leading symbols that identify the kind of number, and are kept."""
    for prefix in document("numbers.yaml")["prefixes"].split():
        if symbols.startswith(prefix) and len(symbols) > len(prefix) and not symbols[len(prefix)].isalpha():
            return len(prefix)
    if "PHONE" in info_type:
        return 2 if original.lstrip("( ").startswith("+") or symbols.startswith("0") else 0
    return int(document("numbers.yaml")["kept"].get(info_type, 0))


def _checked(symbols: str, info_type: str, text: str, wanted: bool, draw: Draw) -> str | None:
    """The symbols, varied until a check passes or until none does; None if that is impossible."""
    places = document("numbers.yaml")["check_at"].get(info_type)
    last = range(max(len(symbols) - _LAST, 0), len(symbols))
    varied = [p for p in (map(int, places.split()) if places else last) if symbols[p : p + 1].isdigit()]
    count = 10 ** len(varied)
    start = draw.below(count)
    new = list(symbols)
    for step in range(count):
        digits = str((start + step) % count).zfill(len(varied))
        for place, digit in zip(varied, digits, strict=False):
            new[place] = digit
        if _passes(_checks(info_type), with_symbols(text, "".join(new))) is wanted:
            return "".join(new)
    return None


def _passes(checks: Sequence[Check], text: str) -> bool:
    try:
        return any(check(text) for check in checks)
    except (ValueError, IndexError, ArithmeticError):
        return False


@lru_cache(maxsize=512)
def _checks(info_type: str) -> tuple[Check, ...]:
    """The check-digit validators of an infoType, without those that only test the form."""
    known = catalogue().get(info_type)
    names = dict.fromkeys(name for pattern in known.patterns for name in pattern.validators) if known else ()
    return tuple(
        VALIDATORS[name] for name in names if name not in document("numbers.yaml")["of_looks"].split()
    )


_FIGURES = re.compile(r"\d+")
_DECADE = re.compile(r"\d0(?:s|-?år(?:ene|a|sålder)|-talet|-tallet|-luku|'s)", re.IGNORECASE)
_HIGHEST = 89
"""Ages over it are one class and identify by themselves: 45 CFR 164.514(b)(2)(i)(C)."""


def shifted_ages(context: Context) -> Callable[[str], str | None]:
    """Shift the ages of one conversation, all by one step unless that gives an original; None if all do."""
    draw = context.draws.draw("ages")
    left = [2, 3, -2, -3]
    steps = [left.pop(draw.below(len(left))) for _ in range(len(left))]
    oldest = context.settings.oldest_age

    def shifted(text: str) -> str | None:
        moved = (_moved_age(text, step, oldest) for step in steps)
        return next((age for age in moved if age and not context.taken.is_original(age)), None)

    return shifted


def _moved_age(text: str, step: int, oldest: int | None) -> str | None:
    # For a decade ("70-årene"), the next decade is as near as two or three years are for a year.
    by = (10 if step > 0 else -10) if _DECADE.search(text) else step
    ages = [_aged(int(digits), by, oldest) for digits in _FIGURES.findall(text)]
    written = map(str, ages)
    return _FIGURES.sub(lambda _: next(written), text) if ages and -1 not in ages else None


def _aged(age: int, step: int, oldest: int | None) -> int:
    """The shifted age; -1 if it would be negative, or on the other side of the limit."""
    if oldest is not None and age > oldest:
        return oldest + 1
    limit = _HIGHEST if oldest is None else oldest
    moved = age + step
    return moved if moved >= 0 and (moved > limit) == (age > limit) else -1
