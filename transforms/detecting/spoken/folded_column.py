"""FoldedColumn: a column folded to one byte a character, with the places of words, digits and marks.

Letters are folded to their lower case in Latin-1, which has all letters of the number words we know. Digits of
every script are those of ASCII, and dashes, apostrophes and spaces are one each. The words of a ``TextColumn``
will not do: what is said is told by the signs between words too, and by where letters meet digits.
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
    """The text of a column: ``data[i]`` is character ``i``, folded.

    Token ``t`` is ``text[starts[t]:ends[t]]`` and of ``kinds[t]``: LETTER, DIGIT or MARK, which is a single
    character. Every newline is a mark, so that a token stands between two cells. Words with a hyphen that a
    lexicon has are one token.
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
    """Where the hyphens of words such as "x-ray" are, in a text and its folded bytes with their padding."""
    hyphens = np.flatnonzero(data == ord("-"))
    between = _around_hyphens()[data[hyphens - 1], data[hyphens + 1]]
    return [hyphen for hyphen in hyphens[between].tolist() if _joins_a_word(text, hyphen)]


def _joins_a_word(text: str, hyphen: int) -> bool:
    """Does a word with a hyphen stand around it, and no part of another?"""
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
    """Of two bytes: whether a word with a hyphen has one before it and the other behind it."""
    around = np.zeros((256, 256), dtype=np.bool_)
    for word in hyphenated_words():
        hyphen = word.index("-")
        around[folded(word[hyphen - 1])[0], folded(word[hyphen + 1])[0]] = True
    return around


@built_once
def _folding() -> Bytes:
    """The byte of each character of the Basic Multilingual Plane; its last stands for all beyond."""
    characters = np.arange(1 << 16, dtype=np.uint32).view("U1")
    letters = np.strings.isalnum(characters)
    table: Bytes = np.where(letters, np.uint8(OTHER_LETTER), np.uint8(_OTHER_MARK))
    # Few characters may have another byte than these two.
    own = np.strings.isupper(characters) | np.strings.isspace(characters) | np.strings.isdecimal(characters)
    own[:256] = own[[*_COMBINING, *map(ord, _SAME_MARKS)]] = True
    for code in np.flatnonzero(own).tolist():
        table[code] = byte_of(chr(code))
    return table


@built_once
def _folding_of_latin() -> bytes:
    """The same for Latin-1 alone: most texts never ask for the others."""
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
