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

Kind = Literal["digits", "spelled", "code", "email", "url"]
"""Digits; letters; letters and digits; addresses."""


class SpokenRun(NamedTuple):
    """``text[start:end]`` (code points, half-open) and its meaning.

    ``value`` is the written form: ``4155550123``, ``MARK``, ``john.smith@gmail.com``, ``example.org``.
    """

    start: int
    end: int
    value: str
    kind: Kind


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
    letters. ``pause`` says that more than a space separates it from the previous element.
    """

    first: int
    last: int
    said: tuple[Said, ...] = ()
    letter: str = ""
    word: bool = False
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


def elements_of(found: Sequence[Token], words: Lexicon) -> list[list[Element]]:
    """The chains of tokens that are numbers and letters, each as its elements."""
    tags = "".join(_tag(token, words) for token in found)
    return [_chain(found, tags, match, words) for match in _CHAIN.finditer(tags)]


def _tag(token: Token, words: Lexicon) -> str:
    if token.form == "figures":
        return _FIGURES
    if token.form == "mark":
        return _SOFT if token.folded in _SOFT_MARKS else _OTHER
    return _tag_of_word(token.folded, words)


@lru_cache(maxsize=8192)
def _tag_of_word(word: str, words: Lexicon) -> str:
    said = number_word(word, words)
    if said is not None and (len(word) > 1 or said.part in JOINERS):
        return _TAGS.get(said.part, "n")
    if len(word) == 1 and word.isalpha():
        return "o" if word == "o" else _LETTER
    return _FILLER if word in words.fillers else _OTHER


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
        return Element(first, last + stop, (), letter)
    return Element(first, last, (said,), "", token.form == "word")


_LEAST_DIGITS = 3
_LEAST_FIGURES_APART = 7  # figures of groups of figures where no number is said as a word …
_LEAST_SINGLE_FIGURES = 4  # … and where each stands alone; one more if something stands between them
_LEAST_LETTERS_APART, _LEAST_LETTERS_TIED = 4, 3
"""Letters of a spelled word; with hyphens between all of them."""
_LEAST_CODE, _LEAST_CODE_WITHOUT_WORDS = 5, 6  # letters and figures of a code
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
    value = figures(_said(chain))
    if not _is_read_off(chain, value):
        return None
    return SpokenRun(start, end, value, "digits")


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
    if any(element.word for element in chain):
        return len(value) >= _LEAST_DIGITS
    lengths = [len(element.said[0].value) for element in chain if element.said]
    paused = any(element.pause for element in chain)
    least = _LEAST_SINGLE_FIGURES + paused if max(lengths, default=0) == 1 else _LEAST_FIGURES_APART
    return len(lengths) >= 3 and max(lengths) <= _MOST_FIGURES_IN_A_PART and len(value) >= least


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
