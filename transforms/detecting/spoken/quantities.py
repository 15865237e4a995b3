"""Spoken quantities, prices and times of day, which identify nobody."""

from collections.abc import Sequence
from itertools import pairwise

from tacenda.transforms.detecting.spoken.lexicon import Lexicon, Part, Said
from tacenda.transforms.detecting.spoken.numbers import figures
from tacenda.transforms.detecting.spoken.tokens import Form, Token

_UNIT_MARKS = frozenset("%$€£")
_LONGEST_COUNT = 10
_SHORT_LIST = 3
_LEAST_READ_OFF = 7
"""Fewest single digits that are read out, not a quantity."""


def is_quantity(
    found: Sequence[Token], first: int, last: int, said: Sequence[Said], value: str, words: Lexicon
) -> bool:
    """Whether the number in the tokens ``first:last`` counts, measures or tells the time."""
    parts = [part for part, _ in said]
    if parts.count(Part.UNIT) >= _LEAST_READ_OFF and len(value) >= _LEAST_READ_OFF:
        return _counts_up(said, value)
    after = _next_word(found, last)
    if after in words.units_after or after in _UNIT_MARKS or _half_of_day(found, last, words):
        return True
    before = found[first - 1].folded if first else ""
    if before in words.articles and first > 1:
        before = found[first - 2].folded
    if before in words.units_before or before in words.decimal_points or after in words.decimal_points:
        return True
    if Part.SCALE in parts or Part.HUNDREDS in parts:
        return value.endswith("00") or bool(after and after not in words.stops and after not in words.fillers)
    clock = _is_clock(said) and (
        before in words.time_before or (len(said) == 2 and value.endswith(("0", "5")))
    )
    return clock or _counts_up(said, value) or _is_list(said)


def _next_word(found: Sequence[Token], last: int) -> str:
    """The word that follows, without a mark in between except a hyphen ("the twenty-five-cent one")."""
    if last < len(found) and found[last].folded == "-":
        last += 1
    if last < len(found) and (found[last].form is Form.WORD or found[last].folded in _UNIT_MARKS):
        return found[last].folded
    return ""


def _half_of_day(found: Sequence[Token], last: int, words: Lexicon) -> bool:
    """Whether "p m" or "a.m." follows."""
    rest = [token.folded for token in found[last : last + 3] if token.folded != "."]
    return len(rest) > 1 and rest[0] in words.halves_of_day and rest[1] == words.day_half


def _is_clock(said: Sequence[Said]) -> bool:
    """Whether it is an hour and minutes: "nine thirty", "twelve oh five", "six fifty five"."""
    if not 2 <= len(said) <= 3 or said[0].part not in (Part.UNIT, Part.TEEN):
        return False
    minutes = said[1:]
    tens = minutes[0].part in (Part.TEEN, Part.TEN, Part.WHOLE) or minutes[0].value == "0"
    return int(said[0].value) <= 12 and tens and int(minutes[0].value) < 60


def _counts_up(said: Sequence[Said], value: str) -> bool:
    """Whether somebody is counting: "one two three", "five four three"."""
    if len(value) > _LONGEST_COUNT or len(value) != sum(part is Part.UNIT for part, _ in said):
        return False
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(value)}
    return steps <= {1} or steps <= {9}


def _is_list(said: Sequence[Said]) -> bool:
    """Whether numbers are separated by pauses, "forty, thirty five"; at most three single digits.

    No number of several digits may begin with a zero, as area codes do.
    """
    if any(len(value) > 1 and value.startswith("0") for _, value in said):
        return False
    items: list[list[Said]] = [[]]
    for each in said:
        if each.part is Part.PAUSE:
            items.append([])
        else:
            items[-1].append(each)
    if len(items) == 1:
        return False
    lengths = [len(figures(item)) for item in items]
    single = all(len(item) == 1 or (len(item) == 2 and item[0].part is Part.TEN) for item in items)
    return single and max(lengths) <= 2 and (max(lengths) == 2 or len(items) <= _SHORT_LIST)
