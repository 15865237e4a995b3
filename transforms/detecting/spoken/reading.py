"""Read spoken runs word by word: tokens, number words and letters among them, and chains of these.

Each token is told by one character (its tag), so that a chain is a match of one regular expression.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from tacenda.transforms.detecting.spoken.lexicon import (
    JOINERS,
    Lexicon,
    Part,
    Said,
    figures,
    hyphenated_words,
    number_word,
)
from tacenda.transforms.detecting.word_lists import alternatives
from tacenda.transforms.storage.process_cache import built_once

Kind = Literal["digits", "year", "spelled", "code", "email", "url"]
"""Digits; a year alone; letters; letters and digits; addresses."""


class SpokenRun(NamedTuple):
    """``text[start:end]`` (code points, half-open) and its meaning.

    ``value`` is the written form: ``4155550123``, ``MARK``, ``john.smith@gmail.com``, ``example.org``.
    ``quantity`` says that the digits count or measure something, are round, tell the time, or count up: they
    are spoken like an identifier but identify nobody.
    """

    start: int
    end: int
    value: str
    kind: Kind
    quantity: bool = False


class Token(NamedTuple):
    """``text[start:end]``: a word folded to lower case, a number as ASCII digits, or one other character."""

    start: int
    end: int
    folded: str
    form: Literal["word", "figures", "mark"]
    capital: bool = False


@built_once
def _pattern() -> re.Pattern[str]:
    """A listed word with a hyphen, a word with apostrophes, digits, or another character."""
    hyphenated = alternatives(hyphenated_words())
    letter = "[^\\W\\d_][\u0300-\u036f]*"
    return re.compile(
        rf"(?P<word>(?<![^\W_])(?:{hyphenated})(?![^\W_])|(?:{letter})+(?:['’](?:{letter})+)*)|(?P<figures>\d+)|\n|\S",
        re.IGNORECASE,
    )


def tokens(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of ``text[start:end]``, in order, with ends of lines, without other white space."""
    found = []
    for match in _pattern().finditer(text, start, len(text) if end is None else end):
        piece = match[0]
        if match.lastgroup == "word":
            folded = unicodedata.normalize("NFC", piece.lower().replace("’", "'"))
            found.append(Token(*match.span(), folded, "word", piece[0].isupper()))
        elif match.lastgroup == "figures":
            digits = "".join(str(unicodedata.decimal(c)) for c in piece)
            found.append(Token(*match.span(), digits, "figures"))
        else:
            found.append(Token(*match.span(), piece, "mark"))
    return found


class Element(NamedTuple):
    """The tokens ``first:last``: part of a number (``said``), or a letter.

    "double o" is both: zeros among digits, letters among letters. ``word`` is false for digits and bare
    letters. ``strong`` is false for words that usually mean something else. ``pause`` says that more than a
    space separates it from the previous element.
    """

    first: int
    last: int
    said: tuple[Said, ...] = ()
    letter: str = ""
    word: bool = False
    strong: bool = True
    pause: bool = False


_FIGURES, _LETTER, _REPEAT, _SOFT, _FILLER, _OTHER = "flrsu."
_TAGS = {Part.SCALE: "h", Part.HUNDREDS: "h", Part.TEN: "t", Part.REPEAT: _REPEAT, Part.JOINER: "a",
         Part.TEN_JOINER: "b", Part.ANY_JOINER: "c"}  # fmt: skip
_CHAIN = re.compile(
    r"r?[htnfol](?:(?:s{0,3}|(?<=[htnfo])[su]{1,3}(?=r?[htnfo])|(?:(?<=h)[ac]|(?<=t)[bc])(?=r?[htnf]))r?[htnfol])*"
)
"""Numbers and letters with little in between; "uh" between letters is a false start."""
_ELEMENT = re.compile(r"r?[htnfol]|[abc]")

_SOFT_MARKS = frozenset("-–—,.…")
_GLUING = frozenset(".,:/$€£%'’@_+=#&*")
"""Marks that make digits part of something written if they touch on both sides."""
_CURRENCY = frozenset("$€£%")
_TYING = frozenset("'’_@/&")  # marks that make the following word part of something written


def elements_of(found: Sequence[Token], words: Lexicon) -> list[list[Element]]:
    """The chains of tokens that are numbers and letters, each as its elements."""
    tags = "".join(_tag(found, i, words) for i in range(len(found)))
    return [_chain(found, tags, match, words) for match in _CHAIN.finditer(tags)]


def _tag(found: Sequence[Token], i: int, words: Lexicon) -> str:
    token = found[i]
    if token.form == "figures":
        return _OTHER if _is_part_of_a_whole(found, i) else _FIGURES
    if token.form == "mark":
        return _SOFT if token.folded in _SOFT_MARKS else _OTHER
    tag = _tag_of_word(token.folded, words)
    return _OTHER if tag not in (_OTHER, _FILLER) and _touches_figures(found, i) else tag


@lru_cache(maxsize=8192)
def _tag_of_word(word: str, words: Lexicon) -> str:
    said = number_word(word, words)
    if said is not None and (len(word) > 1 or said.part in JOINERS):
        return _TAGS.get(said.part, "n")
    if len(word) == 1 and word.isalpha():
        return "o" if word == "o" else _LETTER
    return _FILLER if word in words.fillers else _OTHER


def _touches_figures(found: Sequence[Token], i: int) -> bool:
    """Whether a word is part of something written."""
    if (
        i
        and found[i - 1].end == found[i].start
        and (found[i - 1].form != "mark" or found[i - 1].folded in _TYING)
    ):
        return True
    return i + 1 < len(found) and found[i + 1].start == found[i].end and found[i + 1].form != "mark"


def _is_part_of_a_whole(found: Sequence[Token], i: int) -> bool:
    """Whether digits are part of something written, as in "3.5", "10:30", "$40", "5g" or "1,000"."""
    for step in (-1, 1):
        near, beyond = (found[k] if 0 <= k < len(found) else None for k in (i + step, i + 2 * step))
        if near is None or not glued(found[i], near):
            continue
        inner = beyond is not None and glued(near, beyond) and beyond.form == "figures"
        if near.form != "mark" or near.folded in _CURRENCY or (inner and near.folded in _GLUING):
            return True
    return False


def glued(one: Token, other: Token) -> bool:
    """Whether nothing separates two tokens, in either order."""
    return one.end == other.start or other.end == one.start


def _chain(found: Sequence[Token], tags: str, match: re.Match[str], words: Lexicon) -> list[Element]:
    chain: list[Element] = []
    for piece in _ELEMENT.finditer(tags, *match.span()):
        element = _element(found, *piece.span(), words)
        between = [token.folded for token in found[chain[-1].last : element.first]] if chain else []
        chain.append(element._replace(pause=bool(between) and between != ["-"]))
    return chain


def _element(found: Sequence[Token], first: int, last: int, words: Lexicon) -> Element:
    token = found[last - 1]
    if token.form == "figures":
        said = Said(Part.FIGURES, token.folded)
        value, letter = said.value, ""
    else:
        letter = token.folded if len(token.folded) == 1 else ""
        said = number_word(token.folded, words) or Said(Part.UNIT, "0")
        value = said.value
    if last - first == 2:  # "double five", "triple a", "double o"
        repeat = number_word(found[first].folded, words)
        assert repeat is not None
        numbers = (repeat, said) if letter in ("", "o") and len(value) == 1 else ()
        return Element(first, last, numbers, letter * int(repeat.value), word=True)
    if letter and said.part not in JOINERS:
        stop = last < len(found) and found[last].folded == "." and glued(token, found[last])
        return Element(first, last + stop, (), letter, strong=letter not in words.word_letters)
    strong = token.folded not in words.weak
    if said.part is Part.SCALE and not strong:
        strong = first > 0 and found[first - 1].folded in words.articles
    return Element(first, last, (said,), "", token.form == "word", strong)


_LEAST_DIGITS, _LEAST_STRONG = 3, 2
"""Digits of a number, and words of it that are always numbers ("seven", not "to")."""
_LEAST_FIGURES_APART = 7  # figures of groups of figures where no number is said as a word …
_LEAST_SINGLE_FIGURES = 4  # … and where each stands alone; one more if something stands between them
_LEAST_LETTERS_APART, _LEAST_LETTERS_TIED = 4, 3
"""Letters of a spelled word; with hyphens between all of them."""
_LEAST_CODE, _LEAST_CODE_WITHOUT_WORDS = 5, 6  # letters and figures of a code
_LONGEST_COUNT = 10
_DATE_LENGTHS = ((2, 2, 4), (1, 2, 4), (2, 1, 4), (1, 1, 4), (4, 2, 2))
_MOST_FIGURES_IN_A_PART = 5
_ZERO = (Said(Part.UNIT, "0"),)  # "o" among digits
_PAUSE = Said(Part.PAUSE, "")
_WRITTEN_CODE = re.compile("^a|a(?:a99|9{5}|9{3,} a)|^(?:a|9 )+$")
"""First a letter, a letter before many digits, or single digits; not "1999 y 2002" or "17 x 12"."""


def run_of(found: Sequence[Token], chain: list[Element], words: Lexicon) -> SpokenRun | None:
    """The digits, letters or code of a chain, if there is enough evidence that somebody reads it out."""
    while chain and _is_word_letter(found, chain, words):
        chain = chain[1:]
    while chain and _is_word_letter(found, chain[::-1], words):
        chain = chain[:-1]
    if not chain or (len(chain) == 1 and (chain[0].letter or len(chain[0].said) <= 1)):
        return None  # a single word is not a run, except "double five"
    start, end = found[chain[0].first].start, found[chain[-1].last - 1].end
    if all(e.letter for e in chain) or any(e.letter not in ("", "o") and not e.said for e in chain):
        lettered = _lettered(found, chain, words)
        return SpokenRun(start, end, *lettered) if lettered is not None else None
    said = _said(chain)
    value = figures(said)
    if not _is_read_off(chain, value):
        return None
    quantity = _is_quantity(found, chain[0].first, chain[-1].last, said, value, words)
    return SpokenRun(start, end, value, "year" if _is_year(said, value) else "digits", quantity)


def _is_word_letter(found: Sequence[Token], chain: Sequence[Element], words: Lexicon) -> bool:
    """Whether the letter that a chain begins with is a word ("a", "I"), going in either direction."""
    element, *others = chain
    if element.word or element.letter not in words.word_letters or element.last - element.first > 1:
        return False
    if not others:
        return True
    neighbour = others[0]
    if _hyphen_between(found, element, neighbour):
        return False
    if neighbour.letter:
        capitals = found[element.first].capital and found[neighbour.first].capital
        return len(chain) < _LEAST_LETTERS_APART and not capitals
    return neighbour.word or len(others) < 2 or not others[1].letter


def _hyphen_between(found: Sequence[Token], one: Element, other: Element) -> bool:
    left, right = sorted((one, other))
    between = found[left.last - 1 : right.first + 1]
    return len(between) == 3 and between[1].folded in "-–" and between[0].end + 1 == between[2].start


def _said(chain: Sequence[Element]) -> list[Said]:
    return [said for e in chain for said in (*([_PAUSE] if e.pause else ()), *(e.said or _ZERO))]


def _is_read_off(chain: Sequence[Element], value: str) -> bool:
    spoken = [element for element in chain if element.word]
    written = [len(element.said[0].value) for element in chain if not element.word and element.said]
    if len(value) < _LEAST_DIGITS:
        return False
    if not spoken:
        longest = max(written, default=0)
        paused = any(element.pause for element in chain)
        least = _LEAST_SINGLE_FIGURES + paused if longest == 1 else _LEAST_FIGURES_APART
        is_date = tuple(written) in _DATE_LENGTHS
        return (
            not is_date and len(written) >= 3 and longest <= _MOST_FIGURES_IN_A_PART and len(value) >= least
        )
    if written and len(value) > _LEAST_FIGURES_APART:
        return True
    strong = sum(len(element.said) for element in chain if element.strong)
    certain = any(e.strong for e in spoken) or len(chain) - len(spoken) >= _LEAST_DIGITS
    stutter = len(chain) == _LEAST_DIGITS and all(e.said == (Said(Part.UNIT, "1"),) for e in chain)
    if not certain or strong < _LEAST_STRONG or stutter:
        return False
    return not written or strong > _LEAST_STRONG or len(value) > _LEAST_DIGITS


def _is_year(said: Sequence[Said], value: str) -> bool:
    """Whether it is just a year from 1900 to 2099, spoken as years are."""
    parts = [part for part, _ in said]
    if len(value) != 4 or value[:2] not in ("19", "20"):
        return False
    if parts[0] in (Part.UNIT, Part.FIGURES):
        return value[:2] == "20" and parts[:2] == [Part.UNIT, Part.SCALE]
    return not {Part.FIGURES, Part.REPEAT, Part.PAUSE} & set(parts)


def _lettered(found: Sequence[Token], chain: Sequence[Element], words: Lexicon) -> tuple[str, Kind] | None:
    """A spelled word, or a code of letters and digits."""
    numbers = [element for element in chain if not element.letter]
    value = "".join(
        "".join(e.letter.upper() if found[e.first].capital else e.letter for e in group)
        if is_letter
        else figures(_said(list(group)))
        for is_letter, group in groupby(chain, key=lambda element: bool(element.letter))
    )
    digits = sum(len(figures(element.said)) for element in numbers)
    letters = len(value) - digits
    if numbers:
        spoken = any(element.word for element in chain)
        if len(value) < (_LEAST_CODE if spoken else _LEAST_CODE_WITHOUT_WORDS):
            return None
        if any(said.part is Part.SCALE for element in numbers for said in element.said):
            return None
        shape = "".join("a" if e.letter else "9" * len(figures(e.said)) + " " for e in chain)
        if not spoken and not _WRITTEN_CODE.search(shape):
            return None
        by_figure = all(e.said[0].part in (Part.UNIT, Part.FIGURES, Part.REPEAT) for e in numbers)
        return (value.upper(), "code") if letters > 1 or digits >= _LEAST_FIGURES_APART or by_figure else None
    tied = all(_hyphen_between(found, a, b) for a, b in pairwise(chain))
    if letters < (_LEAST_LETTERS_TIED if tied else _LEAST_LETTERS_APART) or len(set(value.lower())) < 3:
        return None
    if not tied and (
        value.islower() == value.isupper() or 2 * sum(c in words.word_letters for c in value) >= letters
    ):
        return None
    return value, "spelled"


def _is_quantity(
    found: Sequence[Token], first: int, last: int, said: Sequence[Said], value: str, words: Lexicon
) -> bool:
    """Whether the number in the tokens ``first:last`` counts, measures or tells the time."""
    parts = [part for part, _ in said]
    if len(value) >= _LEAST_FIGURES_APART and parts.count(Part.UNIT) >= _LEAST_FIGURES_APART:
        return _counts_up(said, value)
    last += last < len(found) and found[last].folded == "-"
    after = found[last].folded if last < len(found) else ""
    before = [token.folded for token in found[max(first - 2, 0) : first]]
    if len(before) == 2 and before[-1] in words.articles:
        before.pop()
    if after in words.units_after | words.decimal_points | _CURRENCY:
        return True
    if before and before[-1] in words.units_before | words.decimal_points:
        return True
    if Part.SCALE in parts or Part.HUNDREDS in parts:
        return value.endswith("00")
    is_time = (before and before[-1] in words.time_before) or (len(said) == 2 and value.endswith(("0", "5")))
    return (bool(is_time) and _is_clock(said)) or _counts_up(said, value)


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
    return {(int(b) - int(a)) % 10 for a, b in pairwise(value)} in ({1}, {9}, set())
