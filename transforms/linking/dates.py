"""Dates: one day is one thing, in whatever form it is written.

``25/06/1984``, ``1984-06-25`` and ``June 25, 1984`` are one date. ``05/06/1984`` may be two: dates of the same
conversation whose order is certain say which comes first, day or month, or else its language does; in English,
and where they contradict each other, it is what is written. A date without a year is compared as text, too.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tacenda.transforms.linking.mention import Mention
from tacenda.transforms.linking.normalising import day_first_languages, is_date
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.storage.process_cache import remembered
from tacenda.transforms.text.written_date import WrittenDate

_IN_FIGURES = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d))"
_JOINED = re.compile(rf"{_IN_FIGURES}(?:(?:[\s,;]+(?:[-–]\s+)?){_IN_FIGURES})+")
_LEAST_JOINED = 13
"""Characters of two dates."""
_DATE = re.compile(_IN_FIGURES)
_MONTHS = 12


class _Day(NamedTuple):
    """A day as year, month, day. ``day_first``: the order of its figures, None if they do not show it."""

    day: str
    day_first: bool | None = None
    is_sure: bool = True


def date_identities(
    mentions: Sequence[Mention], identities: Sequence[tuple[str, str]], language: str | None
) -> list[tuple[str, str]]:
    """The identities of the mentions of a conversation, those of dates by their day.

    Args:
        mentions: all of the conversation.
        identities: theirs, as they are written.
        language: that of the conversation; None or empty if it is not known.
    """
    days = {i: day for i, m in enumerate(mentions) if is_date(m.info_type) and (day := _day(m.text))}
    orders = {day.day_first for day in days.values() if day.is_sure} - {None}
    if not orders and language in day_first_languages():
        orders = {True}
    found = list(identities)
    for i, day in days.items():
        if day.is_sure:
            found[i] = mentions[i].info_type, day.day
        elif len(orders) == 1:
            found[i] = mentions[i].info_type, day.day if True in orders else _turned(day.day)
    return found


def without_joined_dates(mentions: Sequence[Mention]) -> Sequence[Mention]:
    """The mentions with dates apart that were found as one, such as a telephone number; each date is a mention.

    A date that is mentioned elsewhere gets the infoType that it has there.
    """
    if not any(map(_is_joined, mentions)):
        return mentions
    known = {day.day: m.info_type for m in mentions if is_date(m.info_type) and (day := _day(m.text))}
    apart: list[Mention] = []
    for mention in mentions:
        apart += _parts(mention, known) if _is_joined(mention) else (mention,)
    return apart


def _is_joined(mention: Mention) -> bool:
    return (
        len(mention.text) >= _LEAST_JOINED
        and mention.finding is not None
        and _JOINED.fullmatch(mention.text) is not None
        and all(_day(date[0]) for date in _DATE.finditer(mention.text))
    )


def _parts(mention: Mention, known: dict[str, str]) -> Iterator[Mention]:
    finding = mention.finding
    assert finding is not None
    for date in _DATE.finditer(mention.text):
        day = _day(date[0])
        info_type = known.get(day.day, mention.info_type) if day else mention.info_type
        start, end = finding.start + date.start(), finding.start + date.end()
        found = finding._replace(start=start, end=end, info_type=info_type)
        yield Mention(mention.cell, info_type, date[0], found)


@remembered
def _day(text: str) -> _Day | None:
    """The day of a whole date; None for other text. If day and month may be either, the day is read first."""
    try:
        read = WrittenDate.read(text)
    except RecordError:
        return None
    if not (read.has_day and read.has_year) or read.hour is not None:
        return None
    places = {piece.kind: piece.start for piece in read.pieces}
    figures = [piece for piece in read.pieces if piece.kind in "dm" and piece.word is None]
    day = read.day.isoformat()
    if len(figures) < 2 or places["y"] < places["d"]:
        return _Day(day)
    last = figures[0].end
    if text[last] == "." or read.day.day == read.day.month:
        return _Day(day)
    if max(read.day.day, read.day.month) > _MONTHS:
        return _Day(day, places["d"] < places["m"])
    return _Day(day if places["d"] < places["m"] else _turned(day), is_sure=False)


def _turned(day: str) -> str:
    year, month, number = day.split("-")
    return f"{year}-{number}-{month}"
