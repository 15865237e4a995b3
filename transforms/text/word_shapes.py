"""WordShapes: the words of a text by their capitals, digits and adjoining punctuation."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import Bytes
from tacenda.transforms.text.folding import SPACE
from tacenda.transforms.text.words import Words

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_INNER_CAPITAL = ("mc", "mac", "fitz", "de", "di", "van", "le", "la")
"""Prefixes of names with a second capital (McKenzie, DeLuca)."""

_LATIN_END = 0x250
_SPACE, _HYPHEN, _DOT, _COMMA, _APOSTROPHE, _QUOTE = map(ord, " -.,'’")

_UPPER, _ODD, _STOP = 1, 2, 4


@dataclass(frozen=True, slots=True)
class WordShapes:
    """Arrays with one entry per word."""

    length: npt.NDArray[np.uint8]
    """Code points, 255 for more."""
    latin: Flags
    odd: Flags
    """Whether it has a digit."""
    accented: Flags
    """Whether its folded form has more than plain letters and digits."""
    capital: Flags
    shouted: Flags
    camel: Flags
    """Whether it has a second capital, unlike McKenzie."""
    opens_sentence: Flags
    """Whether a full stop, a line break or nothing precedes it."""
    space: Flags
    """This and the following: what separates the word from the next, this character and nothing else,"""
    hyphen: Flags
    apostrophe: Flags
    dot: Flags
    """or this character and a space."""
    comma: Flags


def word_shapes(words: Words) -> WordShapes:
    """The shapes of the words of a text."""
    characters, starts, ends = words.characters, words.starts, words.ends
    codes = characters.coded
    marks = characters.through(_marks())
    places = np.flatnonzero(marks != 0)
    mark = marks[places]
    sizes = ends - starts

    opens_sentence = np.zeros(len(starts) + 1, dtype=np.bool_)
    opens_sentence[np.searchsorted(starts, places[mark == _STOP])] = True
    opens_sentence[0] = True

    odd = np.zeros(len(starts), dtype=np.bool_)
    digits = places[mark == _ODD]
    # Consecutive digits are in one word.
    digits = digits[np.append(True, np.diff(digits) > 1)[: len(digits)]]
    odd[np.searchsorted(starts, digits, side="right") - 1] = True

    begins_upper = marks[starts] == _UPPER
    shouted = np.zeros(len(starts), dtype=np.bool_)
    camel = np.zeros(len(starts), dtype=np.bool_)
    several, uppers = _inner_capitals(words, places[mark == _UPPER])
    uppers = uppers + begins_upper[several]
    shouted[several] = uppers == sizes[several]
    several = several[uppers > 1]
    for beginning in _INNER_CAPITAL:
        several = several[~_begin_with(words, several, beginning)]
    camel[several] = True

    gap = np.zeros(len(starts), dtype=np.int64)
    np.subtract(starts[1:], ends[:-1], out=gap[:-1])
    gap[-1:] = len(codes) - ends[-1:]
    one, two = gap == 1, gap == 2
    after = codes.take(ends, mode="clip")  # there is nothing after the last word of all
    space, hyphen, dot, comma = (after == sign for sign in (_SPACE, _HYPHEN, _DOT, _COMMA))
    apostrophe = (after == _APOSTROPHE) | (after == _QUOTE)
    dot &= two
    dots = np.flatnonzero(dot)
    dot[dots] = codes[ends[dots] + 1] == _SPACE
    return WordShapes(
        length=np.minimum(sizes, 255).astype(np.uint8),
        latin=codes[starts] < _LATIN_END,
        odd=odd,
        accented=_accented(words),
        capital=begins_upper & ~odd,
        shouted=shouted,
        camel=camel,
        opens_sentence=opens_sentence[:-1],
        space=one & space,
        hyphen=one & hyphen,
        apostrophe=one & apostrophe,
        dot=dot,
        comma=two & comma,
    )


def _inner_capitals(words: Words, uppers: Numbers) -> tuple[Numbers, Numbers]:
    """Words with capitals after their first letter, and the number of these."""
    inner = uppers[(words.folded[uppers - 1] != SPACE) & (uppers > 0)]
    of = np.searchsorted(words.starts, inner, side="right") - 1
    of = of[words.starts[of] != inner]
    first = np.flatnonzero(np.append(True, of[1:] != of[:-1])[: len(of)])
    return of[first], np.diff(np.append(first, len(of)))


def _begin_with(words: Words, several: Numbers, beginning: str) -> Flags:
    begin: Flags = (words.ends - words.starts)[several] >= len(beginning)
    for k, letter in enumerate(beginning):
        begin[begin] = words.folded[words.starts[several[begin]] + k] == ord(letter)
    return begin


def _accented(words: Words) -> Flags:
    accented = np.zeros(len(words), dtype=np.bool_)
    beyond_ascii = words.folded >= 0x80
    accented[np.searchsorted(words.starts, np.flatnonzero(beyond_ascii), side="right") - 1] = True
    return accented


@built_once
def _marks() -> Bytes:
    """Code point to its role: a capital, a digit, the end of a sentence; none beyond the basic plane."""
    table = np.zeros(0x10001, dtype=np.uint8)
    characters = np.arange(0x10000, dtype=np.uint32).view("U1")
    table[:-1][np.strings.isupper(characters) & np.strings.isalnum(characters)] = _UPPER
    table[[ord(c) for c in "0123456789ºª²³"]] = _ODD
    table[[ord(c) for c in '.!?:;\n"“”»«•|()[]{}…–—*>/\\=#~']] = _STOP
    return table
