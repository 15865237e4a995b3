"""Numbers that count, measure, order or date something, and so identify nobody.

A run of three digits is all that speech recognition leaves of many an account number. In writing it mostly is a
year, an amount or a paragraph, which the words beside it tell.
"""

import re
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml
from tacenda.transforms.text.readable import in_plain_forms

_REACH = 24
"""Code points on either side that are looked at."""

_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
_FRACTION = re.compile(r"0[.,]\d+")
_AFTER = re.compile(r" ?[=<>≤≥≈×÷*/^+%‰€$£¥°∗⋅]")


class _Beside(NamedTuple):
    before_a_year: "re.Pattern[str]"
    before_last_digits: "re.Pattern[str]"
    behind_a_year: "re.Pattern[str]"
    before: "re.Pattern[str]"
    unit: "re.Pattern[str]"


def is_quantity(text: str, start: int, end: int) -> bool:
    """Whether a number of a text counts, measures, orders or dates something.

    >>> [is_quantity(text, 3, 7) for text in ("in 2021 we met", "no 2021 is mine", "of 1500 grams", "==>1500")]
    [True, False, True, True]
    """
    beside = _beside()
    before = text[max(0, start - _REACH) : start]
    after = text[end : end + _REACH]
    if _FRACTION.fullmatch(text, start, end):
        return True
    if _YEAR.fullmatch(in_plain_forms(text[start:end])):
        if beside.before_a_year.search(before):
            return not beside.before_last_digits.search(before)
        if beside.behind_a_year.match(after):
            return True
    return bool(beside.before.search(before) or beside.unit.match(after) or _AFTER.match(after))


@built_once
def _beside() -> _Beside:
    data = parse_yaml(files(__package__).joinpath("quantities.yaml").read_text("utf-8"))
    names = ("before_a_year", "before_last_digits", "behind_a_year", "before", "units")
    years, last, behind, before, units = ("|".join(data[name].split()) for name in names)
    return _Beside(
        re.compile(rf"(?i)(?:\b(?:{years})|[©–-]|\(c\)|UTC)[ ,]{{1,2}}(?:the (?:year )?)?$"),
        re.compile(rf"(?i)\b(?:{last})\b"),
        re.compile(rf" (?:{behind})(?!\w)"),
        re.compile(rf"(?i)(?:[$€£¥₹§=<>≤≥≈~×÷*/^+%|]|\b(?:{before}))[ .:#(]{{0,2}}$"),
        re.compile(rf"(?i)[ -]?(?:{units})"),
    )
