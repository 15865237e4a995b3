"""FoldedColumn: a column folded to one byte per character, with the positions of words, digits and marks.

Letters are folded to lower case in Latin-1, which has all letters of the supported number words. Digits of
all scripts become ASCII digits; dashes, apostrophes and spaces become one character each. The words of a
``TextColumn`` are not enough: spoken values also depend on marks between words, and on transitions between
letters and digits.
"""

import unicodedata

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.spoken.lexicon import hyphenated_words
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import ByteTable, Characters
from tacenda.transforms.text.column import TextColumn

SPACE, LETTER, DIGIT, MARK = range(4)
_APOSTROPHE = 4

NEWLINE = ord("\n")

OTHER_LETTER = 0xD7
"""A letter outside Latin-1 (at the code of the multiplication sign, which is a mark)."""
_OTHER_MARK = 0x01
_SOFT_MARK = "\x02"
_SAME_MARKS = {"–": _SOFT_MARK, "—": _SOFT_MARK, "…": _SOFT_MARK, "’": "'", "£": "$", "€": "$"}
_COMBINING = range(0x300, 0x370)

PADDING = 16
"""Zero bytes after the text, so that several bytes can be read from any position."""

Bytes = npt.NDArray[np.uint8]
Offsets = npt.NDArray[np.int64]


class FoldedColumn:
    """The text of a column: ``data[i]`` is character ``i``, folded.

    Token ``t`` is ``text[starts[t]:ends[t]]`` and of ``kinds[t]``: LETTER, DIGIT or MARK, which is a single
    character. Every newline is a mark, so there is a token between any two cells. Hyphenated words in a
    lexicon are one token.
    """

    def __init__(self, column: TextColumn) -> None:
        self.column = column
        data = column.characters.through(_FOLDING).tobytes()
        self.data = np.frombuffer(data + bytes(PADDING), dtype=np.uint8)
        classes = _classes(data)
        classes[_hyphens_of_words(column.text, self.data)] = LETTER
        changes = np.empty(len(classes) + 1, dtype=np.bool_)
        changes[:1] = changes[-1:] = True
        np.not_equal(classes[1:], classes[:-1], out=changes[1:-1])
        marks = classes == MARK
        written = classes != SPACE
        self.starts = np.flatnonzero((changes[:-1] | marks) & written)
        self.ends = np.flatnonzero((changes[1:] | marks) & written) + 1
        self.kinds = classes[self.starts]


def folded(text: str) -> bytes:
    """One byte for each character."""
    try:
        return text.encode("latin-1").translate(_folding_of_latin())
    except UnicodeEncodeError:
        return Characters(text).through(_FOLDING).tobytes()


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


def _hyphens_of_words(text: str, data: Bytes) -> list[int]:
    """Positions of hyphens in words such as "x-ray", in a text and its folded, padded bytes."""
    hyphens = np.flatnonzero(data == ord("-"))
    between = _around_hyphens()[data[hyphens - 1], data[hyphens + 1]]
    return [hyphen for hyphen in hyphens[between].tolist() if _joins_a_word(text, hyphen)]


def _joins_a_word(text: str, hyphen: int) -> bool:
    """Whether the hyphen is within a listed word that is not part of a longer one."""
    starts = ((word, hyphen - word.index("-")) for word in hyphenated_words())
    return any(
        start >= 0
        and text[start : start + len(word)].lower() == word
        and not text[max(start - 1, 0) : start].isalnum()
        and not text[start + len(word) : start + len(word) + 1].isalnum()
        for word, start in starts
    )


@built_once
def _around_hyphens() -> npt.NDArray[np.bool_]:
    """Of two bytes: whether a hyphenated word has them before and after its hyphen."""
    around = np.zeros((256, 256), dtype=np.bool_)
    for word in hyphenated_words():
        hyphen = word.index("-")
        around[folded(word[hyphen - 1])[0], folded(word[hyphen + 1])[0]] = True
    return around


@built_once
def _folding() -> Bytes:
    """The byte of each character of the Basic Multilingual Plane; the last entry is for all others."""
    characters = np.arange(1 << 16, dtype=np.uint32).view("U1")
    letters = np.strings.isalnum(characters)
    table: Bytes = np.where(letters, np.uint8(OTHER_LETTER), np.uint8(_OTHER_MARK))
    # Only these characters may have a byte other than the two defaults.
    own = np.strings.isupper(characters) | np.strings.isspace(characters) | np.strings.isdecimal(characters)
    own[:256] = own[[*_COMBINING, *map(ord, _SAME_MARKS)]] = True
    for code in np.flatnonzero(own).tolist():
        table[code] = byte_of(chr(code))
    return table


@built_once
def _folding_of_latin() -> bytes:
    """The same for Latin-1 alone, which is enough for most texts."""
    return bytes(map(byte_of, map(chr, range(256))))


_FOLDING = ByteTable(_folding, _folding_of_latin)


def byte_of(character: str) -> int:
    """The byte of a character of the Basic Multilingual Plane."""
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


@built_once
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
