"""Times of day: all of a conversation are shifted by the same number of hours; minutes are kept."""

import re

from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.number_words import NumberWords, number_words, number_words_for
from tacenda.transforms.replacing.surrogates.writing import in_case_of

_CLOCK = re.compile(r"(?<![\d:.h])(\d\d?)(?=(?:[:.h]\d\d)|\s*[ap]\.?\s*m\b|\s*o'clock|$)", re.IGNORECASE)
_HALF = re.compile(r"\b[ap]\.?\s*m\b", re.IGNORECASE)
_MOST = 3


class ShiftedTimes:
    """The times of one conversation."""

    def __init__(self, context: Context) -> None:
        self._context = context
        draw = context.draws.draw("times")
        self._steps = [draw.pick((1, -1)) * hours for hours in (draw.between(1, _MOST), 4, 5)]

    def value(self, text: str) -> str | None:
        """A shifted time in the same form; None if it is not understood, or would be an original."""
        for step in self._steps:
            moved = _moved(text, step)
            if moved is not None and moved != text and not self._context.taken.is_original(moved):
                return moved
        return None


def _moved(text: str, step: int) -> str | None:
    if clocks := list(_CLOCK.finditer(text)):
        out, at = [], 0
        for clock in clocks:
            out += [text[at : clock.start()], _hour(clock[1], step, bool(_HALF.search(text)))]
            at = clock.end()
        return "".join(out) + text[at:]
    for words in number_words():
        for word in re.findall(r"[^\W\d_]+", text):
            value = words.digits.get(word.lower()) or words.pairs.get(word.lower())
            if value is not None and 1 <= int(value) <= 12:
                hour = (int(value) - 1 + step) % 12 + 1
                said = in_case_of(word, words.said[str(hour)])
                return re.sub(rf"\b{word}\b", said, text, count=1)
    return None


def _hour(digits: str, step: int, has_half: bool) -> str:
    hour = int(digits)
    if has_half or (hour <= 12 and digits[0] != "0" and hour != 0):
        moved = (hour - 1 + step) % 12 + 1
    else:
        moved = (hour + step) % 24
    return f"{moved:0{len(digits)}d}" if digits[0] == "0" else str(moved)


_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
_DECADE = re.compile(r"\d0(?:s|-?år(?:ene|a|sålder)|-talet|-tallet|-luku|'s)", re.IGNORECASE)
_HIGHEST = 89
"""Ages over it are one class and identify by themselves: 45 CFR 164.514(b)(2)(i)(C)."""

_STEPS = (2, 3, -2, -3)


class ShiftedAges:
    """The ages of one conversation: all are shifted by one step, unless that gives an original age."""

    def __init__(self, context: Context) -> None:
        self._context = context
        draw = context.draws.draw("ages")
        left = list(_STEPS)
        self._steps = [left.pop(draw.below(len(left))) for _ in _STEPS]

    def value(self, text: str) -> str | None:
        """A shifted age in the same form; None if there is none left, or if the text is not understood."""
        for step in self._steps:
            moved = self._moved(text, step)
            if moved is not None and not self._context.taken.is_original(moved):
                return moved
        return None

    def _moved(self, text: str, step: int) -> str | None:
        if any(_DIGITS.finditer(text)):
            # For a decade ("70-årene"), the next decade is as near as two or three years are for a year.
            by = (10 if step > 0 else -10) if _DECADE.search(text) else step
            moved = [self._aged(int(match[0]), by) for match in _DIGITS.finditer(text)]
            if None in moved:
                return None
            ages = iter(moved)
            return _DIGITS.sub(lambda _: str(next(ages)), text)
        words = number_words_for([match[0].lower() for match in _WORD.finditer(text)])
        said = _said(text, words)
        if said is None:
            return None
        start, end, age = said
        aged = self._aged(age, step)
        if aged is None or len(aged) > 2:
            return None
        spelled = words.say(aged.lstrip("0") or "0")
        if "-" in text[start:end]:
            spelled = spelled.replace(" ", "-")
        return text[:start] + in_case_of(text[start:end], spelled) + text[end:]

    def _aged(self, age: int, step: int) -> str | None:
        """The shifted age; None if it would be negative, or on the other side of the limit."""
        oldest = self._context.settings.oldest_age
        if oldest is not None and age > oldest:
            return str(oldest + 1)
        limit = _HIGHEST if oldest is None else oldest
        moved = age + step
        return str(moved) if moved >= 0 and (moved > limit) == (age > limit) else None


def _said(text: str, words: NumberWords) -> tuple[int, int, int] | None:
    """Start, end and value of the first number below 100 in words."""
    found = list(_WORD.finditer(text))
    for i, match in enumerate(found):
        word = match[0].lower()
        following = found[i + 1] if i + 1 < len(found) else None
        if word in words.tens:
            ones = words.digits.get(following[0].lower(), "0") if following else "0"
            if following is not None and ones != "0":
                return match.start(), following.end(), int(words.tens[word]) + int(ones)
            return match.start(), match.end(), int(words.tens[word])
        value = words.pairs.get(word) or words.digits.get(word)
        if value is not None:
            return match.start(), match.end(), int(value)
    return None
