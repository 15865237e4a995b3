"""Numbers and codes: others in the same form, with valid or invalid check digits as configured."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.dates import moved_digits
from tacenda.transforms.replacing.surrogates.lists import document
from tacenda.transforms.replacing.surrogates.number_words import Written, read_symbols
from tacenda.transforms.storage.process_cache import built_once

Check = Callable[[str], bool]

_TRIES = 60
_LAST = 3
"""Number of last digits to vary until a check passes or fails."""
_LONGEST_WHOLE = 64
"""Most symbols of a number whose parts are parts of its surrogate."""
_LEAST_PART = 3
"""Fewest symbols of a number that counts as a part of a longer one."""


class InventedNumbers:
    """The numbers of one conversation, written or spoken; parts of a number stay parts of it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[str, str | None] = {}
        self._wholes: list[tuple[str, str]] = []
        self._parts: dict[int, _Parts] = {}

    def add(self, info_type: str, mentions: Sequence[str]) -> None:
        """Draw numbers, longest first, so that a repeated part of a number finds it."""
        for text in sorted(mentions, key=lambda text: -len(read_symbols(text).symbols)):
            written = read_symbols(text)
            symbols = written.symbols
            if symbols and symbols not in self._known and self._part_of(symbols) is None:
                drawn = self._known[symbols] = self._drawn(info_type, written)
                if drawn is not None and len(symbols) <= _LONGEST_WHOLE:
                    self._wholes.append((symbols, drawn))

    def value(self, text: str) -> str | None:
        """The same form with other symbols; None if there are none, or the text is not only a number."""
        written = read_symbols(text)
        if not written.is_code:
            return None
        symbols = written.symbols
        new = self._known[symbols] if symbols in self._known else self._part_of(symbols)
        return None if new is None else written.with_symbols(new)

    def _part_of(self, symbols: str) -> str | None:
        """The corresponding part of a longer number's surrogate, if the symbols are a part of that number."""
        if len(symbols) < _LEAST_PART:
            return None
        parts = self._parts.setdefault(len(symbols), _Parts(len(symbols)))
        parts.learn(self._wholes)
        return parts.new.get(symbols)

    def _drawn(self, info_type: str, written: Written) -> str | None:
        symbols = written.symbols
        original = written.with_symbols(symbols)
        checks = _checks(info_type)
        wanted = self._wanted(checks, original)
        draw = self._context.draws.draw("number", symbols)
        for _ in range(_TRIES):
            new: str | None = self._candidate(info_type, symbols, original, draw)
            if wanted is not None:
                places = _check_at(info_type, len(symbols))
                new = _checked(new or "", written, checks, wanted, places, draw)
            if new and new != symbols and self._is_free(written.with_symbols(new), new):
                return new
        return None

    def _is_free(self, value: str, symbols: str) -> bool:
        taken = self._context.taken
        return not taken.is_original(value) and symbols not in self._known and taken.take(value)

    def _wanted(self, checks: Sequence[Check], original: str) -> bool | None:
        if not checks:
            return None
        if self._context.settings.checksums == "as_written":
            return _passes(checks, original)
        return self._context.settings.checksums == "right"

    def _candidate(self, info_type: str, symbols: str, original: str, draw: Draw) -> str:
        kept = _kept(info_type, symbols, original)
        new = [
            c if i < kept else _other(c, i == 0 or not symbols[:i].strip("0"), draw)
            for i, c in enumerate(symbols)
        ]
        if "PHONE" in info_type and (number := _north_american(symbols, original, draw)):
            return number
        if (form := _data()["dates"].get(info_type)) is not None:
            self._shift_date(new, symbols, *form.split(" "))
        return "".join(new)

    def _shift_date(self, new: list[str], symbols: str, at: str, form: str) -> None:
        """Shift the date of birth within a number as all other dates."""
        start = int(at) % len(symbols) if symbols else 0
        digits = symbols[start : start + len(form)]
        if len(digits) == len(form) and digits.isdigit():
            moved = moved_digits(digits, form, self._context.days)
            new[start : start + len(form)] = moved or digits


class _Parts:
    """The parts of some length of all numbers, and what stands in their place: one look-up for each part."""

    __slots__ = ("_learned", "_length", "new")

    def __init__(self, length: int) -> None:
        self._length = length
        self._learned = 0
        self.new: dict[str, str] = {}

    def learn(self, wholes: Sequence[tuple[str, str]]) -> None:
        """Add the parts of numbers that were drawn since; the first number with a part has it."""
        length = self._length
        for whole, new in wholes[self._learned :]:
            last: dict[str, str] = {}
            for at in range(len(whole) - length + 1 if len(whole) > length else 0):
                last[whole[at : at + length]] = new[at : at + length]
            for part, other in last.items():
                if part != other:
                    self.new.setdefault(part, other)
        self._learned = len(wholes)


def _other(symbol: str, leads: bool, draw: Draw) -> str:
    if symbol.isdigit():
        if leads:
            return symbol if symbol == "0" else str(draw.between(1, 9))
        return str(draw.below(10))
    return draw.letters(1, "abcdefghjklmnpqrstuvwxyz")


def _north_american(symbols: str, original: str, draw: Draw) -> str | None:
    """A number 555-01XX, reserved for fiction by the North American plan, with another area code."""
    lead = "1" if len(symbols) == 11 and symbols[0] == "1" else ""
    number = symbols[len(lead) :]
    if original.lstrip("( ").startswith("+") and not lead:
        return None
    if not number.isdigit() or len(number) not in (7, 10) or number[0] in "01" or number[-7] in "01":
        return None
    line = f"55501{draw.digits(2)}"
    if len(number) == 7:
        return line
    area = (
        number[:3] if number[0] == "8" and number[1] == number[2] else draw.pick(inventory.towns()).area_code
    )
    return f"{lead}{area}{line}"


def _kept(info_type: str, symbols: str, original: str) -> int:
    """The number of leading symbols that identify the kind of number, and are kept."""
    data = _data()
    for prefix in data["prefixes"].split():
        if symbols.startswith(prefix) and len(symbols) > len(prefix) and not symbols[len(prefix)].isalpha():
            return len(prefix)
    if "PHONE" in info_type:
        return 2 if original.lstrip("( ").startswith("+") or symbols.startswith("0") else 0
    return int(data["kept"].get(info_type, 0))


def _checked(
    symbols: str, written: Written, checks: Sequence[Check], wanted: bool, places: Sequence[int], draw: Draw
) -> str | None:
    """The symbols, varied until a check passes or until none does; None if that is impossible."""
    places = [place for place in places if place < len(symbols) and symbols[place].isdigit()]
    count = 10 ** len(places)
    start = draw.below(count)
    new, text = list(symbols), list(written.with_symbols(symbols))
    for step in range(count):
        digits = f"{(start + step) % count:0{len(places)}d}" if places else ""
        for place, digit in zip(places, digits, strict=True):
            new[place] = digit
            if written.places is not None:
                text[written.places[place]] = digit
        value = "".join(text) if written.places is not None else written.with_symbols("".join(new))
        if _passes(checks, value) is wanted:
            return "".join(new)
    return None


def _passes(checks: Sequence[Check], text: str) -> bool:
    try:
        return any(check(text) for check in checks)
    except (ValueError, IndexError, ArithmeticError):
        return False


def _check_at(info_type: str, length: int) -> Sequence[int]:
    """The positions to vary, by infoType or the last few."""
    places = _data()["check_at"].get(info_type)
    return [int(place) for place in places.split()] if places else range(max(length - _LAST, 0), length)


@lru_cache(maxsize=512)
def _checks(info_type: str) -> tuple[Check, ...]:
    """The check-digit validators of an infoType, without those that only test the form."""
    known = catalogue().get(info_type)
    if known is None:
        return ()
    names = dict.fromkeys(name for pattern in known.patterns for name in pattern.validators)
    return tuple(VALIDATORS[name] for name in names if name not in _data()["of_looks"].split())


@built_once
def _data() -> Mapping[str, Any]:
    data: Mapping[str, Any] = document("numbers.yaml")
    return data
