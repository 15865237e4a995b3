"""Numbers: find the digits of a known number again, whole, grouped differently, or in pieces.

A piece is a run of digits within a known number. Alone, it must be long or the end of the number (*the last
four are 0199*). Pieces that follow each other in the number, within a few turns, may be short: this finds a
number that is interrupted, ``415 555`` – *yes* – ``0199``.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tacenda.transforms.linking.propagation.known import Form, Value, kind_of

_RUN = re.compile(r"\d{2,}|\d(?:[ -]\d(?!\d))+")
"""Two or more digits; single digits separated by a space or dash are one run."""
_LEAST_OF_NUMBER = 6
"""Fewest digits of a number whose pieces are searched for."""
_LEAST_WHOLE = 4
"""Fewest digits of a number that is searched for whole."""
_MOST_DIGITS = 40
_SHORT_PIECE, _PIECE, _LONG_PIECE = 2, 3, 5
"""Fewest digits of a piece directly beside another, some words away from one, or alone."""
_LAST_DIGITS = 4
"""Fewest digits of the end of a number, if mentioned alone."""
_LEAST_TOGETHER = 6
"""Fewest digits of consecutive pieces together."""
_REACH = 5
"""Cells within which pieces may follow each other."""
_BESIDE = 3
"""Most characters between directly adjacent pieces."""
_AROUND = 12
"""Characters before a number in which a word may say that it is a year."""
_MOST_PLACES = 8
"""Most positions in known numbers recorded for a piece."""
_FEW_NUMBERS = 64
"""Up to this many numbers, a quick pre-check searches all of them for each run of digits."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_YEAR_BEFORE = re.compile(
    r"(?<!\w)(?:in|since|until|before|after|year|i|sedan|siden|vuonna|im|seit|jahr|en|desde|año)\s+$",
    re.IGNORECASE,
)
_AMOUNT_BEFORE = re.compile(r"[$€£¥]\s?$|\d[.,]$")
_AMOUNT_BEHIND = re.compile(r"[.,]\d|\s?(?:[%$€£¥]|dollars|euros?|kr\b|percent|years|año|år\b)")
_DATE = re.compile(
    r"(?<!\d)(?<!\d[-/.])(?:(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])"
    r"|(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\2(?:(?:19|20)\d\d))(?!\d)(?![-/.]\d)"
)
"""A date in figures: its parts are no pieces of a number."""
_BETWEEN = re.compile(r"[ \-.()/+]*")


@dataclass(slots=True)
class _Piece:
    """A run of digits as a part of a known number, after earlier parts."""

    run: int
    goes_on: tuple[str, int]
    total: int
    before: "_Piece | None" = None
    kept: bool = field(default=False)


def number_mentions(
    text: str, rest: str, origins: Sequence[int], values: Iterable[Value]
) -> Iterator[tuple[int, int, Form]]:
    """Start, end and form of mentions of known numbers.

    Args:
        text: the cells of one conversation, with a character between them.
        rest: ``text`` with placeholder characters over findings.
        origins: the start of each cell in ``text``.
        values: the values found.
    """
    numbers = _numbers(values)
    if not numbers or not _may_hold(rest, numbers):
        return
    runs = [
        (match.start(), match.end(), "".join(filter(str.isdecimal, match[0])))
        for match in _RUN.finditer(_without_dates(text, numbers))
    ]
    forms = _forms_of_runs(text, rest, runs, origins, numbers)
    last: tuple[int, int, Form] | None = None
    for (start, end, _), form in zip(runs, forms, strict=True):
        if form is None or not rest[start].isdecimal():
            continue
        if last and last[2] is form and _BETWEEN.fullmatch(text, last[1], start):
            last = last[0], end, form
            continue
        if last:
            yield last
        last = start, end, form
    if last:
        yield last


def _without_dates(text: str, numbers: Collection[str]) -> str:
    """The text with letters over its dates, but for those with the digits of a known number."""

    def covered(date: re.Match[str]) -> str:
        is_known = "".join(filter(str.isdecimal, date[0])) in numbers
        return date[0] if is_known else "x" * len(date[0])

    return _DATE.sub(covered, text)


def _may_hold(rest: str, numbers: Collection[str]) -> bool:
    """Quick check whether any run of digits in a text may be a piece of some number."""
    if len(numbers) > _FEW_NUMBERS:
        return True
    known = " ".join(numbers)
    return any("".join(filter(str.isdecimal, run)) in known for run in set(_RUN.findall(rest)))


def _numbers(values: Iterable[Value]) -> dict[str, Form]:
    numbers: dict[str, Form] = {}
    for value in values:
        if kind_of(value.info_type):
            continue
        digits = "".join(filter(str.isdecimal, value.text))
        letters = sum(map(str.isalpha, value.text))
        if _LEAST_WHOLE <= len(digits) <= _MOST_DIGITS and letters <= len(digits):
            numbers.setdefault(digits, Form(value.info_type, value.detector))
    return numbers


def _forms_of_runs(
    text: str,
    rest: str,
    runs: Sequence[tuple[int, int, str]],
    origins: Sequence[int],
    numbers: dict[str, Form],
) -> list[Form | None]:
    forms: list[Form | None] = [None] * len(runs)
    places = _places({len(digits) for _, _, digits in runs}, numbers)
    # Continuations to expect: a number and how far it has been said, to the last piece.
    open_ends: dict[tuple[str, int], _Piece] = {}
    for i, (start, end, digits) in enumerate(runs):
        if _is_told_as_year(text, start, digits):
            continue
        if digits in numbers and _is_number(text, start, end, digits):
            forms[i] = numbers[digits]
        for number, offset in places.get(digits, ()):
            if forms[i] is None and _says_by_itself(text, start, end, digits, number, offset):
                forms[i] = numbers[number]._replace(sure=False)
            before = open_ends.get((number, offset)) if offset else None
            if before is not None and not _follows(runs[before.run], runs[i], origins):
                before = None
            said = offset + len(digits)
            piece = _Piece(i, (number, said), len(digits) + (before.total if before else 0), before)
            if before and (piece.total >= _LEAST_TOGETHER or piece.total == len(number)):
                for one in _not_yet_kept(piece):
                    forms[one.run] = numbers[number]
            if said < len(number):
                open_ends[number, said] = piece
            else:
                # The number is complete: what follows is another one.
                while before is not None:
                    open_ends.pop(before.goes_on, None)
                    before = before.before
    return forms


def _not_yet_kept(piece: _Piece) -> Iterator[_Piece]:
    one: _Piece | None = piece
    while one is not None and not one.kept:
        one.kept = True
        yield one
        one = one.before


def _places(lengths: Iterable[int], numbers: dict[str, Form]) -> dict[str, list[tuple[str, int]]]:
    """Positions of pieces of the given lengths in the known numbers."""
    places: dict[str, list[tuple[str, int]]] = {}
    for number in numbers:
        if len(number) < _LEAST_OF_NUMBER:
            continue
        for length in lengths:
            if _SHORT_PIECE <= length < len(number):
                for offset in range(len(number) - length + 1):
                    several = places.setdefault(number[offset : offset + length], [])
                    if len(several) < _MOST_PLACES:
                        several.append((number, offset))
    return places


def _follows(before: tuple[int, int, str], run: tuple[int, int, str], origins: Sequence[int]) -> bool:
    if run[0] - before[1] <= _BESIDE:
        return True
    cells = bisect_right(origins, run[0]) - bisect_right(origins, before[0])
    return cells < _REACH and min(len(before[2]), len(run[2])) >= _PIECE


def _says_by_itself(text: str, start: int, end: int, digits: str, number: str, offset: int) -> bool:
    is_last = offset + len(digits) == len(number) and len(digits) >= _LAST_DIGITS
    return (is_last or len(digits) >= _LONG_PIECE) and _is_number(text, start, end, digits)


def _is_told_as_year(text: str, start: int, digits: str) -> bool:
    is_year = _YEAR.fullmatch(digits) is not None
    return is_year and _YEAR_BEFORE.search(text[max(start - _AROUND, 0) : start]) is not None


def _is_number(text: str, start: int, end: int, digits: str) -> bool:
    """Whether digits on their own are neither a year nor an amount."""
    if len(digits) == _LAST_DIGITS and _YEAR.fullmatch(digits):
        return False
    before = text[max(start - 2, 0) : start]
    return not (_AMOUNT_BEFORE.search(before) or _AMOUNT_BEHIND.match(text, end))
