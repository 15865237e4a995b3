"""Find where values may be said aloud, by RE2 patterns of the words of all languages.

Only windows around matches are read word by word. The patterns are looser than the reading: a window may have
no value.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.patterns.scanning import scan
from tacenda.transforms.detecting.spoken.lexicon import JOINERS, Lexicon, Part, address_words, lexicon
from tacenda.transforms.detecting.spoken.reading import Token, tokens
from tacenda.transforms.detecting.word_lists import alternatives
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.utf8 import SEPARATOR, Buffer

Offsets = npt.NDArray[np.int64]

_REACH = 70  # code points read on either side of a match …
_SNAP = 24  # … and those in which a window is widened to the next space
_NEAR = 14  # most bytes between two words that are said in one go
_SHORT = 3  # bytes of words that are mostly other words
_NO_NUMBERS = frozenset({Part.REPEAT, *JOINERS})
_GAP = r"[ \t.,…–—-]{1,4}"
_DIGITS = np.asarray([byte in b"0123456789" for byte in range(256)])
_BETWEEN = np.asarray([not chr(byte).isalpha() or byte > 127 for byte in range(256)])
_BETWEEN[SEPARATOR[0]] = False
"""Bytes that may stand between a word and a digit of its cell."""


class Window(NamedTuple):
    """A part of cell ``cell``, as tokens with their places in the cell."""

    cell: int
    tokens: Sequence[Token]


def windows_of(column: TextColumn, languages: tuple[str, ...]) -> list[Window]:
    """The windows to read."""
    matched: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    buffer = column.utf8.everything
    words, seeds = _patterns(languages)
    for ranges in (_near_another(buffer, *scan(buffer, words)), *(scan(buffer, seed) for seed in seeds)):
        for cell, start, end in zip(*(p.tolist() for p in buffer.locate(*ranges)), strict=True):
            matched[cell].append((start, end))
    return [
        Window(cell, tokens(column.texts[cell], *reach))
        for cell, places in sorted(matched.items())
        for reach in _merged(column.texts[cell], places)
    ]


def _near_another(buffer: Buffer, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    """Those words, as ranges of bytes, that stand near another or beside a digit."""
    data, last = buffer.bytes, len(buffer.bytes) - 1
    near = np.zeros(len(starts), dtype=np.bool_)
    if len(starts):
        follows = (starts[1:] > ends[:-1]) & (starts[1:] - ends[:-1] <= _NEAR)
        follows &= np.diff(buffer.cell_index(starts)) == 0
        near[1:] |= follows
        near[:-1] |= follows
        beside = _DIGITS[data[np.minimum(ends + 1, last)]] & _BETWEEN[data[np.minimum(ends, last)]]
        beside |= _DIGITS[data[np.maximum(starts - 2, 0)]] & _BETWEEN[data[np.maximum(starts - 1, 0)]]
        near |= beside & (ends - starts >= _SHORT)
    return starts[near], ends[near]


def _merged(text: str, places: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The reaches of some matches, joined where they overlap."""
    begin = stop = -1
    for start, end in sorted(places):
        first, last = _snapped(text, start - _REACH, -1), _snapped(text, end + _REACH, 1)
        if first > stop:
            if stop >= 0:
                yield begin, stop
            begin = first
        stop = max(stop, last)
    yield begin, stop


def _snapped(text: str, place: int, step: int) -> int:
    """A place at a space, at most some code points farther out."""
    for near in range(place, place + step * _SNAP, step):
        if not 0 < near < len(text):
            return 0 if step < 0 else len(text)
        if text[near].isspace():
            return near
    return place


def _numbers(words: Lexicon) -> set[str]:
    """The words that are hardly ever anything but numbers."""
    return {word for word, said in words.numbers.items() if said.part not in _NO_NUMBERS} - words.weak


@built_once
def _patterns(languages: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Of number words, which count near each other, and of other seeds."""
    lexicons = list(map(lexicon, languages))

    def of_all(some: Iterable[Iterable[str]]) -> str:
        return alternatives({word for words in some for word in words})

    def naming(signs: str) -> str:
        return of_all([word for word, sign in words.signs.items() if sign in signs] for words in lexicons)

    repeats = {w for words in lexicons for w, said in words.numbers.items() if said.part is Part.REPEAT}
    near = repeats.union(*map(_numbers, lexicons))
    parts = of_all(words.compound or () for words in lexicons)
    # RE2 knows the boundaries of ASCII words alone.
    plain = {w for w in near if w[0].isascii() and w[-1].isascii()}
    open_ended = {w for w in near if w[0].isascii()} - plain
    together = (
        rf"\b(?:{parts})*(?:(?:{alternatives(plain)})\b|{alternatives(open_ended)})"
        rf"|{alternatives(near - plain - open_ended)}"
    )
    tops = alternatives(address_words().top_level)
    dots = of_all(words.dots for words in lexicons)
    ats, signs = naming("@"), naming("@_-+")
    long = of_all([" ".join(p) for some in words.long_signs.values() for p, _ in some] for words in lexicons)
    alone = [
        r"\b\pL[ .,–-]{1,3}\pL[ .,–-]{1,3}\pL\b",
        rf"\b(?:{alternatives(repeats)}) \pL\b",
        rf"\b[a-z]{_GAP}[0-9]{{1,5}}{_GAP}(?:[0-9]|[a-z]\b)|\b[0-9]{{1,5}}{_GAP}[a-z]{_GAP}(?:[0-9]|[a-z]\b)",
        rf"\b[0-9](?:{_GAP}[0-9]{{1,4}}){{2}}|\b[0-9]{{1,5}}(?:[ ,-]{{1,2}}[0-9]{{1,5}}){{3}}",
        rf"\b(?:{dots})[ ,]{{1,2}}(?:{tops})\b",
        rf"(?:{long}) ",
        rf"\b(?:{ats}|{signs}) [\pL\pN_.-]+\.(?:{tops})\b|(?: @|@ )[\pL\pN_-]+\.(?:{tops})\b",
        rf"\.(?:{tops}) (?:{signs}) ",
    ]
    return f"(?i){together}", tuple(f"(?i){pattern}" for pattern in alone)
