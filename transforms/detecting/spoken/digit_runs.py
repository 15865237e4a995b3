"""Parse chains of number words and letters into digits, years, codes and spelled words."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, pairwise

from tacenda.transforms.detecting.spoken.lexicon import Lexicon, Part, Said
from tacenda.transforms.detecting.spoken.numbers import figures
from tacenda.transforms.detecting.spoken.quantities import is_quantity
from tacenda.transforms.detecting.spoken.runs import Kind, SpokenRun
from tacenda.transforms.detecting.spoken.sequences import Element
from tacenda.transforms.detecting.spoken.tokens import Form, Token, glued

_LEAST_DIGITS = 3
_LEAST_STRONG = 2
"""Words that are always numbers ("seven", not "to")."""
_LEAST_AROUND_MISHEARD = 3
"""Sure numbers around a word that only sounds like a digit."""
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
_LEAST_SPELLING_WORDS = 2
"""Words of a spelling alphabet ("hotel", "Mike") that are a spelled word by themselves."""
_LEAST_CODE = 5
"""Letters and figures of a code."""
_LEAST_CODE_WITHOUT_WORDS = 6

_PAUSE = Said(Part.PAUSE, "")
_ONCE = (Said(Part.UNIT, "1"),)  # "one one one thing" is a stutter
_ZERO = (Said(Part.UNIT, "0"),)  # "o" among digits
_NO_LETTER = {"", "o"}
_SINGLE = (Part.UNIT, Part.FIGURES, Part.REPEAT, Part.MISHEARD)

_LEAST_FIGURES_AROUND_WEAK = 3
_DATE_LENGTHS = ((2, 2, 4), (1, 2, 4), (2, 1, 4), (1, 1, 4), (4, 2, 2))
_MOST_FIGURES_IN_A_PART = 5
_TELEPHONE = 10
_WHOLE_LENGTHS = frozenset({9, _TELEPHONE, 15, 16})
"""Lengths of dictated numbers: social security, telephone and payment card numbers."""
_ENOUGH = frozenset({4, 7, 11}) | _WHOLE_LENGTHS

_WRITTEN_CODE = re.compile("^a|a(?:a99|9{5}|9{3,} a)|^(?:a|9 )+$")
"""First a letter, a letter before many digits, or single digits; not "1999 y 2002" or "17 x 12"."""


def parse_digit_runs(found: Sequence[Token], chain: Sequence[Element], words: Lexicon) -> Iterator[SpokenRun]:
    """The runs of one chain, in order."""
    if len(chain) == 1 and (chain[0].letter or len(chain[0].said) <= 1):
        return  # a single word is not a run, except "double five"
    for part in _without_lone_words(found, chain):
        for sure in _without_misheard(part, words, found):
            trimmed = _trimmed(found, sure, words)
            run = _run(found, trimmed, words) if trimmed else None
            if run is not None:
                yield run


def _without_lone_words(found: Sequence[Token], chain: Sequence[Element]) -> Iterable[Sequence[Element]]:
    """Split at spelling words ("hotel", "Mike") that mean themselves, having no letters beside them."""
    if not [element for element in chain if element.letter and element.word]:
        return (chain,)
    return _between(
        chain,
        [
            _is_spelling_word(found, element) and not _beside_a_letter(chain, i)
            for i, element in enumerate(chain)
        ],
    )


def _between(chain: Sequence[Element], dropped: Sequence[bool]) -> Iterator[list[Element]]:
    """The parts of a chain between dropped elements."""
    for drop, group in groupby(zip(dropped, chain, strict=True), key=lambda pair: pair[0]):
        if not drop:
            yield [element for _, element in group]


def _is_spelling_word(found: Sequence[Token], element: Element) -> bool:
    alone = element.last - element.first == 1
    return bool(element.letter) and alone and len(found[element.first].folded) > 1


def _beside_a_letter(chain: Sequence[Element], i: int) -> bool:
    return any(element.letter for element in (*chain[max(0, i - 1) : i], *chain[i + 1 : i + 2]))


def _without_misheard(
    part: Sequence[Element], words: Lexicon, found: Sequence[Token]
) -> Iterator[Sequence[Element]]:
    """The parts in which every word that merely sounds like a digit is taken for one."""
    if not [element for element in part if element.misheard]:
        yield part
        return
    inside = [element.misheard and not _among_digits(part, i) for i, element in enumerate(part)]
    for piece in _between(part, inside):
        for sure in _between(piece, _too_few_around(piece)):
            yield _with_sure_edges(sure, words, found)


def _too_few_around(part: Sequence[Element]) -> list[bool]:
    """Which misheard words have fewer than three certain numbers around them, up to a pause."""
    stretches = list(accumulate(element.pause for element in part))
    sure = [e.strong or (i > 0 and not e.pause and not e.misheard) for i, e in enumerate(part)]
    strong = Counter(s for s, e, yes in zip(stretches, part, sure, strict=True) if e.said and yes)
    return [
        element.misheard and strong[stretch] < _LEAST_AROUND_MISHEARD
        for stretch, element in zip(stretches, part, strict=True)
    ]


def _among_digits(part: Sequence[Element], i: int) -> bool:
    """Whether the neighbours are single digits or code letters, unlike "twenty to thirty"."""
    around = (*part[max(0, i - 1) : i], *part[i + 1 : i + 2])
    large = any(said.part in (Part.HUNDREDS, Part.SCALE) for e in part[i + 1 : i + 3] for said in e.said)
    return not large and all(e.letter or e.said[0].part in _SINGLE for e in around)


def _with_sure_edges(part: Sequence[Element], words: Lexicon, found: Sequence[Token]) -> Sequence[Element]:
    """Keep common words ("to", "for") at an edge only if they complete a number of a usual length."""
    first, last = 0, len(part)
    while first < last and _is_common(found, part[first], words):
        first += 1
    while last > first and _is_common(found, part[last - 1], words):
        last -= 1
    core = sum(map(_digits_in, part[first:last]))
    if first and core + 1 == _TELEPHONE:  # "to" before nine digits: ten-digit numbers are far more common
        return part[first - 1 : last]
    if core in _ENOUGH:
        return part[first:last]
    if first and core + 1 in _WHOLE_LENGTHS:
        return part[first - 1 : last]
    if last < len(part) and core + 1 in _WHOLE_LENGTHS:
        return part[first : last + 1]
    if first and last < len(part) and core + 2 in _WHOLE_LENGTHS:
        return part[first - 1 : last + 1]
    return part[first:last]


def _is_common(found: Sequence[Token], element: Element, words: Lexicon) -> bool:
    return element.misheard and found[element.first].folded in words.misheard_common


def _digits_in(element: Element) -> int:
    return len(figures(element.said))


def _trimmed(found: Sequence[Token], part: Sequence[Element], words: Lexicon) -> Sequence[Element]:
    """Drop letters at the edges that are words ("a", "I"), and "p m"."""
    first, last = 0, len(part)
    if last - first > 2 and _is_half_of_day(part[last - 2 : last], words) and part[last - 3].said:
        last -= 2
    while first < last and _is_word_letter(found, part, first, +1, last, words):
        first += 1
    while last > first and _is_word_letter(found, part, last - 1, -1, first - 1, words):
        last -= 1
    return part[first:last]


def _is_half_of_day(pair: Sequence[Element], words: Lexicon) -> bool:
    return pair[0].letter in words.halves_of_day and pair[1].letter == words.day_half


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
    spoken = _words(found, part)
    quantity = is_quantity(found, part[0].first, part[-1].last, said, value, words)
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


def _words(found: Sequence[Token], part: Sequence[Element]) -> int:
    """The number of spoken number words, letter names and spelling words."""
    several = [element for element in part if element.word]
    return sum(
        1
        if element.last - element.first == 1
        else sum(token.form is Form.WORD for token in found[element.first : element.last])
        for element in several
    )


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
    return all(s.part not in (Part.FIGURES, Part.REPEAT, Part.MISHEARD, Part.PAUSE) for s in said)


def _lettered(
    found: Sequence[Token], part: Sequence[Element], words: Lexicon
) -> tuple[str, Kind, int] | None:
    """A spelled word, or a code of letters and digits."""
    digits = sum(_digits_in(element) for element in part if not element.letter)
    value = "".join(_lettered_pieces(found, part))
    letters = len(value) - digits
    spoken = _words(found, part)
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
    clear = [e for e in part if e.word and e.last - e.first > 1]
    if len(clear) >= 2:
        return value, "spelled", spoken
    if any(_is_spelling_word(found, element) for element in part):
        strong = sum(e.strong and _is_spelling_word(found, e) for e in part)
        enough = strong and (len(part) >= _LEAST_LETTERS_TIED or strong == len(part) >= _LEAST_SPELLING_WORDS)
        return (value, "spelled", spoken) if enough else None
    tied = all(_hyphen_between(found, a, b) for a, b in pairwise(part))
    if letters < (_LEAST_LETTERS_TIED if tied else _LEAST_LETTERS_APART):
        return None
    if len(set(value.lower())) < min(3, letters) or not (value.islower() or value.isupper() or clear or tied):
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
