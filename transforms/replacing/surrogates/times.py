"""Times of day: all of a conversation are shifted by the same number of hours; minutes are kept."""

import re

from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.number_words import number_words
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
