"""Numbers: find where a conversation repeats a number, however its digits are grouped, or its last four digits.

A few digits are the same number only in the same role. They have none where they count or measure something:
what follows them is then a word. So of "231", said after a question for it, "231 boxes" is no mention, and "so,
231?" is one. Nor are years and amounts of money.
"""

import re
from collections.abc import Iterable, Iterator

from tacenda.transforms.linking.propagation.known import Form, Value, kind_of

_LEAST, _MOST = 3, 40
"""Digits of a number that is searched for."""
_SURE = 6
"""Fewest digits of a number that needs no role."""
_LAST_DIGITS, _LEAST_WHOLE = 4, 7
"""Digits by which a number of at least so many is called."""
_MOST_GROUPS = 12
_GROUP = re.compile(r"\d+")
_BETWEEN = re.compile(r"[ \-.()/+]{0,3}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONEY = re.compile(r"[$€£¥]\s?$|\d[.,:]$")
_COUNTS = re.compile(r"[.,:]?\d|\s?[%$€£¥°]|[ -]?[^\W\d_]")


def number_mentions(rest: str, values: Iterable[Value]) -> Iterator[tuple[int, int, Form]]:
    """Start, end and form of mentions of known numbers.

    Args:
        rest: the cells of a conversation with other characters over its findings.
        values: the values found.
    """
    numbers = _numbers(values)
    if not numbers:
        return
    groups = [(match.start(), match.end()) for match in _GROUP.finditer(rest)]
    reach = 0
    for i, (start, _) in enumerate(groups):
        if start < reach or rest[start - 1 : start].isalnum():
            continue
        digits, stop, found = "", start, None
        for first, last in groups[i : i + _MOST_GROUPS]:
            if _BETWEEN.fullmatch(rest, stop, first) is None:
                break
            digits, stop = digits + rest[first:last], last
            form = numbers.get(digits)
            if form is not None and _is_number(rest, start, stop, digits):
                found = stop, form
        if found is not None:
            reach = found[0]
            yield start, *found


def _numbers(values: Iterable[Value]) -> dict[str, Form]:
    numbers: dict[str, Form] = {}
    for info_type, text, detector in values:
        digits = "".join(filter(str.isdecimal, text))
        if (
            kind_of(info_type)
            or not _LEAST <= len(digits) <= _MOST
            or sum(map(str.isalpha, text)) > len(digits)
        ):
            continue
        numbers[digits] = Form(info_type, detector)
        if len(digits) >= _LEAST_WHOLE:
            numbers.setdefault(digits[-_LAST_DIGITS:], Form(info_type, detector, sure=False))
    return numbers


def _is_number(rest: str, start: int, stop: int, digits: str) -> bool:
    """Whether digits are a number by themselves: many, or neither a year nor an amount of something."""
    if rest[stop : stop + 1].isalnum():
        return False
    if len(digits) >= _SURE:
        return True
    before = rest[max(start - 2, 0) : start]
    return not (_YEAR.fullmatch(digits) or _MONEY.search(before) or _COUNTS.match(rest, stop))
