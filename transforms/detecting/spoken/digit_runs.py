"""Parse chains of number words and letters into digits, years, codes and spelled words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from tacenda.transforms.detecting.spoken.lexicon import Lexicon, Part, Said
from tacenda.transforms.detecting.spoken.numbers import figures
from tacenda.transforms.detecting.spoken.runs import Kind, SpokenRun
from tacenda.transforms.detecting.spoken.sequences import Element
from tacenda.transforms.detecting.spoken.tokens import Token, glued

_LEAST_DIGITS = 3
_LEAST_STRONG = 2
"""Words that are always numbers ("seven", not "to")."""
_LEAST_WRITTEN_PARTS = 3
"""Groups of figures, where no number is said as a word."""
_LEAST_FIGURES_APART = 7
"""Figures of such groups together …"""
_LEAST_SINGLE_FIGURES = 5
"""… and where each figure stands alone."""
_LEAST_SINGLE_FIGURES_WITHOUT_PAUSE = _LEAST_SINGLE_FIGURES - 1

_LEAST_LETTERS_APART = 4
_LEAST_LETTERS_TIED = 3
"""Letters of a spelled word with hyphens between all of them."""
_LEAST_CODE = 5
"""Letters and figures of a code."""
_LEAST_CODE_WITHOUT_WORDS = 6
_LONGEST_COUNT = 10
_UNIT_MARKS = frozenset("%$€£")

_ONCE = (Said(Part.UNIT, "1"),)  # "one one one thing" is a stutter
_PAUSE = Said(Part.PAUSE, "")
_ZERO = (Said(Part.UNIT, "0"),)  # "o" among digits
_NO_LETTER = {"", "o"}
_SINGLE = (Part.UNIT, Part.FIGURES, Part.REPEAT)

_LEAST_FIGURES_AROUND_WEAK = 3
_DATE_LENGTHS = ((2, 2, 4), (1, 2, 4), (2, 1, 4), (1, 1, 4), (4, 2, 2))
_MOST_FIGURES_IN_A_PART = 5

_WRITTEN_CODE = re.compile("^a|a(?:a99|9{5}|9{3,} a)|^(?:a|9 )+$")
"""First a letter, a letter before many digits, or single digits; not "1999 y 2002" or "17 x 12"."""


def parse_digit_runs(found: Sequence[Token], chain: Sequence[Element], words: Lexicon) -> Iterator[SpokenRun]:
    """The runs of one chain, in order."""
    if len(chain) == 1 and (chain[0].letter or len(chain[0].said) <= 1):
        return  # a single word is not a run, except "double five"
    trimmed = _trimmed(found, chain, words)
    run = _run(found, trimmed, words) if trimmed else None
    if run is not None:
        yield run


def _digits_in(element: Element) -> int:
    return len(figures(element.said))


def _trimmed(found: Sequence[Token], part: Sequence[Element], words: Lexicon) -> Sequence[Element]:
    """Drop letters at the edges that are words ("a", "I")."""
    first, last = 0, len(part)
    while first < last and _is_word_letter(found, part, first, +1, last, words):
        first += 1
    while last > first and _is_word_letter(found, part, last - 1, -1, first - 1, words):
        last -= 1
    return part[first:last]


def _is_word_letter(
    found: Sequence[Token], part: Sequence[Element], i: int, step: int, end: int, words: Lexicon
) -> bool:
    """Whether a letter at an edge is a word: not if marked as a letter or beside letters."""
    element = part[i]
    if not element.letter or element.word or element.letter not in words.word_letters:
        return False
    if element.last - element.first > 1 or _tied(found, part, i):
        return False
    if i + step == end:
        return True
    neighbour = part[i + step]
    if neighbour.letter:
        capitals = found[element.first].capital and found[neighbour.first].capital
        return len(part) < _LEAST_LETTERS_APART and not capitals
    beyond = part[i + 2 * step] if i + 2 * step != end else None
    return neighbour.word or beyond is None or not beyond.letter


def _tied(found: Sequence[Token], part: Sequence[Element], i: int) -> bool:
    """Whether a hyphen joins it to a neighbour."""
    before = i > 0 and _hyphen_between(found, part[i - 1], part[i])
    return before or (i + 1 < len(part) and _hyphen_between(found, part[i], part[i + 1]))


def _hyphen_between(found: Sequence[Token], left: Element, right: Element) -> bool:
    between = found[left.last - 1 : right.first + 1]
    return len(between) == 3 and between[1].folded in "-–" and glued(*between[:2]) and glued(*between[1:])


def _run(found: Sequence[Token], part: Sequence[Element], words: Lexicon) -> SpokenRun | None:
    start, end = found[part[0].first].start, found[part[-1].last - 1].end
    if _has_letters(part):
        lettered = _lettered(found, part, words)
        if lettered is None:
            return None
        value, kind, spoken = lettered
        return SpokenRun(start, end, value, kind, spoken)
    said = _said(part)
    value = figures(said)
    if not _is_read_off(part, value):
        return None
    spoken = _words(part)
    quantity = _is_quantity(found, part[0].first, part[-1].last, said, value, words)
    return SpokenRun(start, end, value, "year" if _is_year(said, value) else "digits", spoken, quantity)


def _has_letters(part: Sequence[Element]) -> bool:
    """Whether there is a letter other than a zero ("o" and "double o" among digits)."""
    among_figures = any(not element.letter for element in part)
    return not among_figures or any(e.letter not in _NO_LETTER and not e.said for e in part)


def _said(part: Iterable[Element]) -> list[Said]:
    every: list[Said] = []
    for element in part:
        if element.pause:
            every.append(_PAUSE)
        every += element.said or _ZERO
    return every


def _words(part: Sequence[Element]) -> int:
    """The number of spoken number words."""
    return sum(element.last - element.first for element in part if element.word)


def _is_read_off(part: Sequence[Element], value: str) -> bool:
    """Whether there is enough evidence that somebody reads out a number."""
    if len(value) < _LEAST_DIGITS:
        return False
    spoken = [element for element in part if element.word]
    written = [element.said[0].value for element in part if not element.word and element.said]
    if not spoken:
        longest = max(map(len, written), default=0)
        least = _LEAST_FIGURES_APART
        if longest == 1:
            paused = any(element.pause for element in part)
            least = _LEAST_SINGLE_FIGURES if paused else _LEAST_SINGLE_FIGURES_WITHOUT_PAUSE
        if tuple(map(len, written)) in _DATE_LENGTHS:
            return False
        return (
            len(written) >= _LEAST_WRITTEN_PARTS
            and longest <= _MOST_FIGURES_IN_A_PART
            and len(value) >= least
        )
    strong = sum([len(element.said) for element in part if element.strong])
    if len(value) > _LEAST_FIGURES_APART and written:
        return True
    if (
        not [element for element in spoken if element.strong]
        and len(part) - len(spoken) < _LEAST_FIGURES_AROUND_WEAK
    ):
        return False
    if strong < _LEAST_STRONG or (len(part) == _LEAST_DIGITS and all(e.said == _ONCE for e in part)):
        return False
    return not written or strong >= 3 or len(value) > _LEAST_DIGITS


def _is_year(said: Sequence[Said], value: str) -> bool:
    """Whether it is just a year from 1900 to 2099, spoken as years are."""
    if len(value) != 4 or value[:2] not in ("19", "20") or said[0].part in (Part.UNIT, Part.FIGURES):
        return len(value) == 4 and value[:2] == "20" and [s.part for s in said[:2]] == [Part.UNIT, Part.SCALE]
    return all(s.part not in (Part.FIGURES, Part.REPEAT, Part.PAUSE) for s in said)


def _lettered(
    found: Sequence[Token], part: Sequence[Element], words: Lexicon
) -> tuple[str, Kind, int] | None:
    """A spelled word, or a code of letters and digits."""
    digits = sum(_digits_in(element) for element in part if not element.letter)
    value = "".join(_lettered_pieces(found, part))
    letters = len(value) - digits
    spoken = _words(part)
    if digits:
        least = _LEAST_CODE if spoken else _LEAST_CODE_WITHOUT_WORDS
        if len(value) < least or any(_is_large(element) for element in part):
            return None
        if not spoken and not _is_written_code(part):
            return None
        if (
            letters < 2
            and digits < _LEAST_FIGURES_APART
            and not all(_is_read_by_figure(element) for element in part if not element.letter)
        ):
            return None
        return value.upper(), "code", spoken
    tied = all(_hyphen_between(found, a, b) for a, b in pairwise(part))
    if letters < (_LEAST_LETTERS_TIED if tied else _LEAST_LETTERS_APART):
        return None
    if len(set(value.lower())) < min(3, letters) or not (value.islower() or value.isupper() or tied):
        return None
    if not tied and value.islower() and 2 * sum(c in words.word_letters for c in value) >= letters:
        return None
    return value, "spelled", spoken


def _is_written_code(part: Sequence[Element]) -> bool:
    """Separate letters and digits, none spoken as words, in a shape unlike dates, ranges and sizes."""
    shape = "".join("a" if element.letter else "9" * _digits_in(element) + " " for element in part)
    return _WRITTEN_CODE.search(shape) is not None


def _lettered_pieces(found: Sequence[Token], part: Sequence[Element]) -> Iterator[str]:
    """The letters as written, and the digits between them."""
    for is_letter, group in groupby(part, key=lambda element: bool(element.letter)):
        if is_letter:
            yield from (e.letter.upper() if found[e.first].capital else e.letter for e in group)
        else:
            yield figures(_said(group))


def _is_large(element: Element) -> bool:
    return any(said.part is Part.SCALE for said in element.said)


def _is_read_by_figure(element: Element) -> bool:
    return bool(element.said) and element.said[0].part in _SINGLE


def _is_quantity(
    found: Sequence[Token], first: int, last: int, said: Sequence[Said], value: str, words: Lexicon
) -> bool:
    """Whether the number in the tokens ``first:last`` counts, measures or tells the time."""
    parts = [part for part, _ in said]
    if len(value) >= _LEAST_FIGURES_APART and parts.count(Part.UNIT) >= _LEAST_FIGURES_APART:
        return _counts_up(said, value)
    last += last < len(found) and found[last].folded == "-"
    after = found[last].folded if last < len(found) else ""
    before = found[first - 1].folded if first else ""
    if before in words.articles and first > 1:
        before = found[first - 2].folded
    if after in words.units_after | words.decimal_points | _UNIT_MARKS:
        return True
    if before in words.units_before | words.decimal_points:
        return True
    if Part.SCALE in parts or Part.HUNDREDS in parts:
        return value.endswith("00")
    is_time = before in words.time_before or (len(said) == 2 and value.endswith(("0", "5")))
    return (is_time and _is_clock(said)) or _counts_up(said, value)


def _is_clock(said: Sequence[Said]) -> bool:
    """Whether it is an hour and minutes: "nine thirty", "twelve oh five", "six fifty five"."""
    if not 2 <= len(said) <= 3 or said[0].part not in (Part.UNIT, Part.TEEN):
        return False
    tens = said[1].part in (Part.TEEN, Part.TEN, Part.WHOLE) or said[1].value == "0"
    return int(said[0].value) <= 12 and tens and int(said[1].value) < 60


def _counts_up(said: Sequence[Said], value: str) -> bool:
    """Whether somebody is counting: "one two three", "five four three"."""
    if len(value) > _LONGEST_COUNT or len(value) != sum(part is Part.UNIT for part, _ in said):
        return False
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(value)}
    return steps <= {1} or steps <= {9}
