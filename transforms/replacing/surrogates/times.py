"""Times of day and ages: all of a conversation are shifted alike; minutes are kept."""

import re

from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.number_words import number_words_for
from tacenda.transforms.replacing.surrogates.writing import in_case_of

_CLOCK = re.compile(r"(?<![\d:.h])(\d\d?)(?=(?:[:.h]\d\d)|\s*[ap]\.?\s*m\b|\s*o'clock|$)", re.IGNORECASE)
_HALF = re.compile(r"\b[ap]\.?\s*m\b", re.IGNORECASE)
_MOST = 3
_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_DECADE = re.compile(r"\d0(?:s|-?år(?:ene|a|sålder)|-talet|-tallet|-luku|'s)", re.IGNORECASE)
_HIGHEST = 89
"""Ages over it are one class and identify by themselves: 45 CFR 164.514(b)(2)(i)(C)."""


class ShiftedTimes:
    """The times of one conversation: all are shifted by the same number of hours."""

    def __init__(self, context: Context) -> None:
        self._context = context
        draw = context.draws.draw("times")
        self._steps = [draw.pick((1, -1)) * hours for hours in (draw.between(1, _MOST), 4, 5)]

    def value(self, text: str) -> str | None:
        """A shifted time in the same form; None if it is not understood, or would be an original."""
        moved = (_moved_time(text, step) for step in self._steps)
        return next((one for one in moved if one and not self._context.taken.is_original(one)), None)


def _moved_time(text: str, step: int) -> str | None:
    has_half = bool(_HALF.search(text))
    moved, count = _CLOCK.subn(lambda clock: _hour(clock[1], step, has_half), text)
    if count:
        return moved
    start, end, hour = _said(text)
    if not 1 <= hour <= 12:
        return None
    return _with_number(text, start, end, (hour - 1 + step) % 12 + 1)


def _hour(digits: str, step: int, has_half: bool) -> str:
    hour = int(digits)
    is_of_twelve = has_half or (1 <= hour <= 12 and digits[0] != "0")
    moved = (hour - 1 + step) % 12 + 1 if is_of_twelve else (hour + step) % 24
    return f"{moved:0{len(digits)}d}" if digits[0] == "0" else str(moved)


class ShiftedAges:
    """The ages of one conversation: all are shifted by one step, unless that gives an original age."""

    def __init__(self, context: Context) -> None:
        self._context = context
        draw = context.draws.draw("ages")
        left = [2, 3, -2, -3]
        self._steps = [left.pop(draw.below(len(left))) for _ in range(len(left))]

    def value(self, text: str) -> str | None:
        """A shifted age in the same form; None if there is none left, or if the text is not understood."""
        moved = (self._moved(text, step) for step in self._steps)
        return next((one for one in moved if one and not self._context.taken.is_original(one)), None)

    def _moved(self, text: str, step: int) -> str | None:
        if _DIGITS.search(text):
            # For a decade ("70-årene"), the next decade is as near as two or three years are for a year.
            by = (10 if step > 0 else -10) if _DECADE.search(text) else step
            ages = [self._aged(int(digits), by) for digits in _DIGITS.findall(text)]
            written = map(str, ages)
            return None if -1 in ages else _DIGITS.sub(lambda _: next(written), text)
        start, end, age = _said(text)
        aged = self._aged(age, step) if age >= 0 else -1
        return _with_number(text, start, end, aged) if 0 <= aged < 100 else None

    def _aged(self, age: int, step: int) -> int:
        """The shifted age; -1 if it would be negative, or on the other side of the limit."""
        oldest = self._context.settings.oldest_age
        if oldest is not None and age > oldest:
            return oldest + 1
        limit = _HIGHEST if oldest is None else oldest
        moved = age + step
        return moved if moved >= 0 and (moved > limit) == (age > limit) else -1


def _said(text: str) -> tuple[int, int, int]:
    """Start, end and value of the first number below 100 in words; -1 if there is none."""
    found = list(_WORD.finditer(text))
    low = [match[0].lower() for match in found]
    words = number_words_for(low)
    for i, match in enumerate(found):
        digits, count = words.read(low[i : i + 2])
        if count and low[i] not in words.repeats:
            return match.start(), found[i + count - 1].end(), int(digits)
    return 0, 0, -1


def _with_number(text: str, start: int, end: int, number: int) -> str:
    """A text with another number in words, with hyphens as before."""
    original = text[start:end]
    said = number_words_for(_WORD.findall(original.lower())).say(str(number))
    return (
        text[:start] + in_case_of(original, said.replace(" ", "-" if "-" in original else " ")) + text[end:]
    )
