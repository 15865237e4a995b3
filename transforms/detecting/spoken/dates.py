"""Days of a month in words: "the sixteenth of march twenty twenty three", "may third"."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tacenda.transforms.detecting.spoken.lexicon import JOINERS, Lexicon, Part, Said
from tacenda.transforms.detecting.spoken.numbers import figures, number_at, number_word
from tacenda.transforms.detecting.spoken.runs import SpokenRun
from tacenda.transforms.detecting.spoken.tokens import Form, Token, glued

_LONGEST_YEAR = 7
"""Most number words of a year."""
_LEAST_SHORT_YEAR = "32"
"""From this number on, two digits after a day are a year, not a day."""
_LAST_DAY = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class _Day(NamedTuple):
    first: int
    last: int
    day: int
    spoken: bool
    ordinal: bool


def dates(found: Sequence[Token], words: Lexicon) -> Iterator[SpokenRun]:
    """Dates whose day or year is spoken in words, in order."""
    end = 0
    for i, token in enumerate(found):
        month = words.months.get(token.folded)
        if month is None or i < end:
            continue
        run = _around(found, i, month, words, end)
        if run is not None:
            yield run[0]
            end = run[1]


def _around(
    found: Sequence[Token], i: int, month: int, words: Lexicon, least: int
) -> tuple[SpokenRun, int] | None:
    """The date whose month is token ``i``, beginning at or after ``least``, and the token after it."""
    linked = i > least and found[i - 1].folded in words.date_links
    before = _day_ending_at(found, i - linked, words, least)
    if before is not None and not linked and _is_weak(found, before, words):
        before = None
    after = _day_starting_at(found, _soft(found, i + 1, words.date_articles), words)
    weak = found[i].folded in words.weak_months and not linked
    for day in (before, after):
        if day is None or day.day > _LAST_DAY[month - 1]:
            continue
        last = max(day.last, i + 1)
        year = _year(found, _soft(found, last, words.date_links), words)
        if (weak or (not day.ordinal and day is after)) and not (day.ordinal or year):
            continue
        if not day.spoken and (year is None or not year[2]):
            continue
        first = min(day.first, i)
        if day is before and first > least and found[first - 1].folded in words.date_articles:
            first -= 1
        if weak and year is None and i and found[i - 1].folded in words.verb_subjects:
            continue
        last = year[1] if year else last
        value = f"{year[0] if year else '-'}-{month:02}-{day.day:02}"
        spoken = sum(token.form is Form.WORD for token in found[first:last])
        return SpokenRun(found[first].start, found[last - 1].end, value, "date", spoken), last
    return None


def _soft(found: Sequence[Token], i: int, also: frozenset[str]) -> int:
    """The index after an optional comma or one of some words."""
    return i + (i < len(found) and (found[i].folded == "," or found[i].folded in also))


def _is_weak(found: Sequence[Token], day: _Day, words: Lexicon) -> bool:
    """A single word that is more likely an article or preposition: "en mars" is French "in March"."""
    return not day.ordinal and day.last == day.first + 1 and found[day.first].folded in words.weak


def _day_ending_at(found: Sequence[Token], end: int, words: Lexicon, least: int) -> _Day | None:
    for length in (4, 3, 2, 1):
        day = _day(found, end - length, words) if end - length >= least else None
        if day is not None and day.last == end:
            return day
    return None


def _day_starting_at(found: Sequence[Token], i: int, words: Lexicon) -> _Day | None:
    return _day(found, i, words) if i < len(found) else None


def _day(found: Sequence[Token], i: int, words: Lexicon) -> _Day | None:
    """The longest day of the month that begins at token ``i``."""
    token = found[i]
    following = found[i + 1] if i + 1 < len(found) else None
    if token.form is Form.FIGURES:
        if len(token.folded) > 2 or not 1 <= int(token.folded) <= 31:
            return None
        ending = (
            following is not None and glued(token, following) and following.folded in words.ordinal_endings
        )
        return _Day(i, i + 1 + ending, int(token.folded), False, ending)
    if token.folded in words.ordinals:
        tens, ones = words.ordinals[token.folded], words.ordinals.get(following.folded, 0) if following else 0
        if tens in (20, 30) and 1 <= ones <= 9 and tens + ones <= _LAST_DAY[0]:
            return _Day(i, i + 2, tens + ones, True, True)
        return _Day(i, i + 1, tens, True, True)
    said, last = number_at(found, i, words) or (None, i)
    if said is None or said.part not in (Part.UNIT, Part.TEEN, Part.TEN, Part.WHOLE) or said.value == "0":
        return None
    ones = i + 1
    if said.part is Part.TEN:
        if ones < len(found) and (found[ones].folded == "-" or _joins_tens(found[ones], words)):
            ones += 1
        unit = number_word(found[ones].folded, words) if ones < len(found) else None
        ordinal = words.ordinals.get(found[ones].folded, 0) if ones < len(found) else 0
        if 1 <= ordinal <= 9 and int(said.value) + ordinal <= 31:
            return _Day(i, ones + 1, int(said.value) + ordinal, True, True)
        if unit is not None and unit.part is Part.UNIT and unit.value != "0":
            day = int(said.value) + int(unit.value)
            return _Day(i, ones + 1, day, True, False) if day <= 31 else None
    return _Day(i, last, int(said.value), True, False) if int(said.value) <= 31 else None


def _joins_tens(token: Token, words: Lexicon) -> bool:
    said = words.numbers.get(token.folded)
    return said is not None and said.part in (Part.TEN_JOINER, Part.ANY_JOINER)


def _year(found: Sequence[Token], i: int, words: Lexicon) -> tuple[str, int, bool] | None:
    """Its four digits, the token after it, and whether it is spoken in words."""
    if i < len(found) and found[i].form is Form.FIGURES:
        return (found[i].folded, i + 1, False) if _is_year(found[i].folded) else None
    said: list[Said] = []
    best = None
    end = i
    while i < len(found) and len(said) < _LONGEST_YEAR:
        if found[i].folded == "-":
            i += 1
            continue
        number = number_at(found, i, words)
        if number is None or number[0].part in (Part.MISHEARD, Part.REPEAT):
            break
        word, end = number
        i = end
        said.append(word)
        if word.part not in JOINERS and _is_year(figures(said)):
            best = figures(said), end, True
    return best or _short_year(said, end)


def _short_year(said: Sequence[Said], end: int) -> tuple[str, int, bool] | None:
    """The last two digits, "july nineteenth ninety", unless another number follows; 1930 to 1999."""
    value = figures(said)
    if len(value) != 2 or value < _LEAST_SHORT_YEAR or said[0].part not in (Part.TEN, Part.WHOLE):
        return None
    return "19" + value, end, True


def _is_year(value: str) -> bool:
    return len(value) == 4 and "1850" <= value <= "2100"
