"""A column of texts as one byte a character, and the places of its words, figures and marks: no loop in Python.

Letters are folded to their lower case in Latin-1, which has all letters of the number words we know. Digits of
every script are those of ASCII, and dashes, apostrophes and spaces are one each.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from transforms.normalising.lexicon import hyphenated_words

SPACE, LETTER, DIGIT, MARK = range(4)
_APOSTROPHE = 4

NEWLINE = ord("\n")

OTHER_LETTER = 0xD7
"""A letter outside Latin-1 (the place of the multiplication sign, which is a mark)."""
_OTHER_MARK = 0x01
_SOFT_MARK = "\x02"
_SAME_MARKS = {"–": _SOFT_MARK, "—": _SOFT_MARK, "…": _SOFT_MARK, "’": "'", "£": "$", "€": "$"}
_COMBINING = range(0x300, 0x370)

PADDING = 16
"""Zero bytes behind the text, so that some bytes can be read from any place on."""

Bytes = npt.NDArray[np.uint8]
Offsets = npt.NDArray[np.int64]


class FoldedColumn:
    """Texts joined with newlines: ``data[i]`` is character ``i`` of ``text``, folded, and cell ``k`` begins at
    ``first[k]``.

    Token ``t`` is ``text[starts[t]:ends[t]]`` and of ``kinds[t]``: LETTER, DIGIT or MARK, which is a single
    character. Every newline is a mark, so that a token stands between two cells. Words with a hyphen that a
    lexicon has are one token.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.text = "\n".join(texts)
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        self.first = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum(lengths + 1, out=self.first[1:])
        data = folded(self.text)
        self.data = np.frombuffer(data + bytes(PADDING), dtype=np.uint8)
        classes = _classes(data)
        changes = np.empty(len(classes) + 1, dtype=np.bool_)
        changes[:1] = changes[-1:] = True
        np.not_equal(classes[1:], classes[:-1], out=changes[1:-1])
        marks = classes == MARK
        written = classes != SPACE
        self.starts = np.flatnonzero((changes[:-1] | marks) & written)
        self.ends = np.flatnonzero((changes[1:] | marks) & written) + 1
        self.kinds = classes[self.starts]
        self._join(self._hyphens_of_words())

    def _hyphens_of_words(self) -> list[int]:
        """The tokens that are hyphens of words such as "x-ray"."""
        hyphens = np.flatnonzero(self.data[self.starts[1:-1]] == ord("-")) + 1
        before, after = self.starts[hyphens - 1], self.ends[hyphens]
        hyphens = hyphens[_hyphenated_edges()[self.data[before], self.data[after]]]
        words = hyphenated_words()
        return [
            hyphen
            for hyphen, start, end in zip(
                hyphens.tolist(),
                self.starts[hyphens - 1].tolist(),
                self.ends[hyphens + 1].tolist(),
                strict=True,
            )
            if self.text[start:end].lower() in words
            and not any(map(str.isalnum, (self.text[max(start - 1, 0) : start] + self.text[end : end + 1])))
        ]

    def _join(self, hyphens: list[int]) -> None:
        """Make one token of each of these and its neighbours."""
        if hyphens:
            middle = np.array(hyphens, dtype=np.int64)
            self.ends[middle - 1] = self.ends[middle + 1]
            inner = np.append(middle, middle + 1)
            self.starts = np.delete(self.starts, inner)
            self.ends = np.delete(self.ends, inner)
            self.kinds = np.delete(self.kinds, inner)

    def cells(self, places: Offsets) -> Offsets:
        """The cells that characters are in."""
        return np.searchsorted(self.first, places, side="right") - 1


def folded(text: str) -> bytes:
    """One byte for each character."""
    table = _folding()
    try:
        return text.encode("latin-1").translate(table[:256].tobytes())
    except UnicodeEncodeError:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        some: Bytes = table[np.minimum(codes, len(table) - 1)]
        return some.tobytes()


def _classes(folded: bytes) -> Bytes:
    classes = np.array(np.frombuffer(folded.translate(_class_table()), dtype=np.uint8))
    places = np.flatnonzero(classes == _APOSTROPHE)
    if len(places):
        last = len(classes) - 1
        inner = (classes[np.maximum(places - 1, 0)] == LETTER) & (
            classes[np.minimum(places + 1, last)] == LETTER
        )
        classes[places] = np.where(inner, LETTER, MARK)
    return classes


@lru_cache(maxsize=1)
def _hyphenated_edges() -> npt.NDArray[np.bool_]:
    """Of two characters: whether words with a hyphen begin with one and go on with the other behind it."""
    edges = np.zeros((256, 256), dtype=np.bool_)
    for word in hyphenated_words():
        first, _, rest = word.partition("-")
        edges[folded(first)[0], folded(rest)[0]] = True
    return edges


@lru_cache(maxsize=1)
def _folding() -> Bytes:
    """The byte of each character of the Basic Multilingual Plane; its last stands for all beyond."""
    return np.fromiter(map(_byte, map(chr, range(1 << 16))), np.uint8, 1 << 16)


def _byte(character: str) -> int:
    if character == "\n":
        return NEWLINE
    if character.isspace():
        return ord(" ")
    if character.isdecimal():
        return ord("0") + unicodedata.decimal(character)
    if character.isalnum() or ord(character) in _COMBINING:
        lower = character.lower()
        return ord(lower) if len(lower) == 1 and ord(lower) < 256 else OTHER_LETTER
    if character in _SAME_MARKS:
        return ord(_SAME_MARKS[character])
    return ord(character) if character.isascii() and character.isprintable() else _OTHER_MARK


@lru_cache(maxsize=1)
def _class_table() -> bytes:
    return bytes(map(_class, range(256)))


def _class(byte: int) -> int:
    character = chr(byte)
    if byte == ord("'"):
        return _APOSTROPHE
    if byte == OTHER_LETTER or (character.isalnum() and not character.isdecimal()):
        return LETTER
    if character.isdecimal():
        return DIGIT
    return SPACE if character == " " else MARK
