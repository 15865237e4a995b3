"""Extend a date by a weekday, the other end of a range, or further years.

The patterns find the core, a day and a month or a year; the parts around it are added one by one, within a
bounded distance, so the cost stays linear.
"""

import re

from tacenda.transforms.detecting.word_lists import alternatives, word_list
from tacenda.transforms.storage.process_cache import built_once

Range = tuple[int, int]

_REACH = 40
"""Code points of context on either side of the current range."""
_MOST_PARTS = 6
_SHORTEST_DAY_AFTER = 4
"""Letters of a weekday behind a date: shorter ones, as "sun" and "mon", are other words as well."""

_TO = r"[-–—]|to|till|til|until|through|thru|al?|à|au|bis|tot|t\.?o\.?m\.?"
_AND = r"and|or|&|y|o|e|et|ou|og|och|eller|oder|und|ja|tai|en"
_JOINED = rf"[ ]?(?:(?:{_TO}|{_AND}|/)[ ](?:(?:the|den|el|le|am|der)[ ])?|[-–—/])"
_DAY_BEFORE = re.compile(
    rf"(?<![^\W_])(?<![$€£#:/.,-])(?:[12]\d|3[01]|0?[1-9])(?:[ ]?(?:st|nd|rd|th)\b|\.|º|er)?{_JOINED}$",
    re.IGNORECASE,
)
_DAY_AFTER = re.compile(
    r"[ ]?(?:(?P<to>[-–—]|to|till|til|until|through|thru|al?|bis)|(?:and|&|or|y|og|och|und|ja))"
    r"[ ]?(?:the[ ])?(?P<day>[12]\d|3[01]|0?[1-9])(?P<ordinal>[ ]?(?:st|nd|rd|th)\b|\.?[ ]päivä\w{0,3})?"
    r"(?P<year>[ ]?,?[ ](?:19|20)\d\d\b)?(?![.,:]?\d|[ ]?[%°$€£:]|[ ]?[ap]\.?m\b)",
    re.IGNORECASE,
)
_LAST_DAY = re.compile(r"(?<!\d)([12]\d|3[01]|0?[1-9])[ ]?(?:st|nd|rd|th|\.)?$", re.IGNORECASE)
_CLOSES = re.compile(r"\s{0,2}(?:$|[\n,.;:?!)'\"])")
_YEAR_AFTER = re.compile(
    r"[ ]?(?:,|,?[ ](?:and|y|og|och|und|ja|tai|et|or))[ ](?:1[5-9]|20)\d\d(?![\d.,:/-]\d)\b"
)
_END_YEAR_AFTER = re.compile(r"[ ]?[-–—/][ ]?(?:(?:1[5-9]|20)\d\d|\d\d)\b(?![.,:/-]\d)")
_ERA_AFTER = re.compile(
    r"[ ](?:(?:eaa|jaa|eKr|jKr|f\.?Kr|e\.?Kr|v\.[ ]?Chr|n\.[ ]?Chr|a\.[ ]?C|d\.[ ]?C)\.?|BCE?\b|AD\b|CE\b"
    r"|ennen ajanlaskun alkua|jälkeen ajanlaskun alun)"
)
_DIGITS_LAST = re.compile(r"(?<!\d)\d{1,4}$")
_FULL_YEAR_LAST = re.compile(r"(?<![\d.,/-])(?:1[5-9]|20)\d\d$")
_FINNISH_MONTH = "tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu"
_FINNISH_BEFORE = re.compile(
    rf"\b(?:{_FINNISH_MONTH})[ ]?(?:[-–]?[ ]?/[ ]?|[-–][ ]?(?:(?:ja|tai)[ ])?)$", re.IGNORECASE
)


def with_range(text: str, start: int, end: int) -> Range:
    """The core ``start:end`` with an adjacent weekday, other days or years of a range, and era."""
    for _ in range(_MOST_PARTS):
        before = text[max(0, start - _REACH) : start]
        found = _before(before, text[start : start + 1].isdigit())
        if found is None:
            break
        start -= len(before) - found
    for _ in range(_MOST_PARTS):
        taken = _after(text, start, end)
        if taken == end:
            break
        end = taken
    return start, end


def _before(text: str, is_day: bool) -> int | None:
    """The start of the part at the end of ``text``; ``is_day``: a number follows."""
    patterns = (_named_before(), _DAY_BEFORE if is_day else _month_before(), _FINNISH_BEFORE)
    return next((found.start() for pattern in patterns if (found := pattern.search(text))), None)


def _after(text: str, start: int, end: int) -> int:
    """The end of the part that starts at ``end``, or ``end`` itself."""
    core, rest = text[max(start, end - _REACH) : end], text[end : end + _REACH]
    if (day := _DAY_AFTER.match(rest)) and (last := _LAST_DAY.search(core)) and core != last[0]:
        certain = day["to"] or day["ordinal"] or day["year"] or _CLOSES.match(rest, day.end())
        if (
            certain
            and (int(day["day"]) > int(last[1]) or day["ordinal"])
            and not _month_follows(rest, day.end())
        ):
            return end + day.end()
    if weekday := _named_after().match(rest):
        return end + weekday.end()
    if _DIGITS_LAST.search(core):
        if era := _ERA_AFTER.match(rest):
            return end + era.end()
        if _FULL_YEAR_LAST.search(core) and (years := _END_YEAR_AFTER.match(rest) or _YEAR_AFTER.match(rest)):
            return end + years.end()
    return end


def _month_follows(text: str, at: int) -> bool:
    """Whether the day taken for the end of a range begins another date."""
    return _month_after().match(text, at) is not None


@built_once
def _named_before() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:{alternatives(word_list('weekdays'))})\b\.?(?:,|[ ]on)?[ ]{{1,2}}(?:(?:the|den|on)[ ])?$",
        re.IGNORECASE,
    )


@built_once
def _named_after() -> re.Pattern[str]:
    in_full = (day for day in word_list("weekdays") if len(day) >= _SHORTEST_DAY_AFTER)
    return re.compile(rf"[ ]?,?[ ](?:on[ ])?(?:{alternatives(in_full)})\b", re.IGNORECASE)


@built_once
def _month_before() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives(word_list('months'))})\b\.?{_JOINED}$", re.IGNORECASE)


@built_once
def _month_after() -> re.Pattern[str]:
    return re.compile(rf"\.?[ ](?:(?:of|de)[ ])?(?:{alternatives(word_list('months'))})\b", re.IGNORECASE)
