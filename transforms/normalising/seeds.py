"""Where in a column something may be said: one pass of one regular expression, in linear time.

A seed is a place that every run has many of: two number words beside each other, letters apart, a sign by its
name. Only windows around seeds are read word by word.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import re2

from transforms.normalising.lexicon import Lexicon, Part, address_words, lexicon

_REACH = 120
"""Bytes before and after a seed that are read with it: more than lie between two seeds of one run."""

_SEPARATOR = b"\xff"
"""Stands in no UTF-8, and RE2 matches it with no character class, so no seed leaves its cell."""

_GAP = r"[\s,.\x{2013}\x{2014}\x{2026}-]{1,6}"
_MEMORY = 64 << 20


class Window(NamedTuple):
    """``text`` is a part of cell ``cell`` and begins at its code point ``start``."""

    cell: int
    start: int
    text: str


class JoinedTexts:
    """A column of texts as one piece of UTF-8."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        self._ends = np.cumsum([len(cell) + 1 for cell in self._encoded], dtype=np.int64)
        self._joined = _SEPARATOR.join(self._encoded)

    def windows(self, language: str, bare: bool) -> Iterator[Window]:
        """The parts to be read in a language, in order and without overlap.

        ``bare`` adds those with letters and figures apart, which are the same in all languages.
        """
        spans = [match.span() for match in _pattern(language, bare).finditer(self._joined)]
        cells = np.searchsorted(self._ends, [start for start, _ in spans], side="right").tolist()
        for cell, group in groupby(zip(cells, spans, strict=True), key=itemgetter(0)):
            data = self._encoded[cell]
            origin = int(self._ends[cell]) - len(data) - 1
            yield from _of_cell(cell, data, ((start - origin, end - origin) for _, (start, end) in group))


def _of_cell(cell: int, data: bytes, seeds: Iterable[tuple[int, int]]) -> Iterator[Window]:
    characters = 0
    counted = 0
    for start, end in _merged(data, seeds):
        characters += len(data[counted:start].decode("utf-8", "surrogatepass"))
        text = data[start:end].decode("utf-8", "surrogatepass")
        yield Window(cell, characters, text)
        characters, counted = characters + len(text), end


def _merged(data: bytes, seeds: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The surroundings of seeds, cut where words end, those that touch as one."""
    first, last = 0, -1
    for start, end in seeds:
        before = _cut(data, max(0, start - _REACH), start)
        after = _cut(data, min(len(data), end + _REACH), end)
        if last < 0:
            first, last = before, after
        elif before <= last:
            last = max(last, after)
        else:
            yield first, last
            first, last = before, after
    if last >= 0:
        yield first, last


def _cut(data: bytes, place: int, seed: int) -> int:
    """The place itself at an edge of the text, else the nearest space towards the seed (or the seed)."""
    if place in (0, len(data)):
        return place
    if place < seed:
        space = data.find(b" ", place, seed)
        return seed if space < 0 else space + 1
    space = data.rfind(b" ", seed, place)
    return seed if space < 0 else space


@lru_cache(maxsize=16)
def _pattern(language: str, bare: bool) -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    return re2.compile("(?i)" + "|".join(_alternatives(lexicon(language), bare)), options)


def _alternatives(words: Lexicon, bare: bool) -> Iterator[str]:
    yield from _numbers(words)
    yield from _addresses(words)
    if not bare:
        return
    # Letters and single figures apart; groups of figures that somebody reads off.
    yield r"\b(?:[a-z]|\d)\b(?:[\s,.-]{1,3}(?:[a-z]|\d)\b){2,}"
    yield r"\b\d{1,5}(?:[ ,.-]{1,3}\d{1,5}\b){2,}"
    yield r"\b[a-z]\.?[ ,-]{1,2}(?:[a-z]\.?[ ,-]{1,2}\d{2,}|\d{5,}|\d{3,}[ ,-]{1,2}[a-z])\b"
    hosts = _any_of(sorted(address_words().mail_hosts))
    yield rf"{hosts} ?(?:com|net|org)\b"
    yield r"\w ?@ \w|\w @\w"


def _numbers(words: Lexicon) -> Iterator[str]:
    parts = words.numbers.items()
    silent = (Part.JOINER, Part.TEN_JOINER, Part.MISHEARD)
    said = {word for word, (part, _) in parts if part not in silent}
    joiners = {word for word, (part, _) in parts if part in silent[:2]}
    number, edge = _any_of(said), _edge(words)
    if words.compound is not None:
        number = f"{number}(?:{_any_of(said | joiners)})*"
    gap = rf"{_GAP}(?:{_any_of(joiners | words.fillers)}{_GAP})?"
    start = _start_of(said)
    yield rf"{start}{number}(?:{gap}{number}{edge}|{_GAP}(?:\d|[b-hj-z]\b))"
    yield rf"(?:\d|\b[b-hj-z]\b){_GAP}{number}{edge}"
    yield from _dates(words, f"(?:{_any_of(words.ordinals)}|{number})")
    if words.alphabet:
        alphabet = _any_of(words.alphabet)
        yield rf"{alphabet}{_GAP}{alphabet}{edge}"
    cues = _any_of(" ".join(cue) for cue in words.as_in)
    yield rf"\b[a-z]\b[ ,.-]{{1,2}}{cues} [a-z]"


def _dates(words: Lexicon, day: str) -> Iterator[str]:
    space = r"\s{1,2}"
    months, edge = _any_of(words.months), _edge(words)
    of = f"(?:{_any_of(words.date_links)}{space})?" if words.date_links else ""
    the = f"(?:{_any_of(words.date_articles)}{space})?" if words.date_articles else ""
    yield rf"{day}{space}{of}{months}{edge}|{months},?{space}{the}{day}"
    number = _any_of(
        word for word, said in words.numbers.items() if said.part in (Part.TEEN, Part.TEN, Part.UNIT)
    )
    ending = rf"(?:{_any_of(words.ordinal_endings)})?" if words.ordinal_endings else ""
    yield rf"\d{ending}{space}{of}{months},?{space}{number}"
    yield rf"{months}{space}{the}\d{{1,2}}{ending},?{space}{number}"


def _addresses(words: Lexicon) -> Iterator[str]:
    yield rf"\b{_any_of(words.dots)} {_any_of(address_words().top_level)}\b"
    names = {sign for sign, value in words.signs.items() if value in "_/"}
    long = {" ".join(phrase) for phrases in words.long_signs.values() for phrase, _ in phrases}
    yield rf"\b{_any_of(names | long)}"
    yield rf"{_any_of(sign for sign, value in words.signs.items() if value == '@')} [\w.-]+\.[a-z]{{2,}}\b"
    yield rf"\d {_any_of(words.dots)} \d"


def _edge(words: Lexicon) -> str:
    """The end of a word: RE2 knows word edges of ASCII only, so elsewhere any letter may follow."""
    return r"\b" if all(word.isascii() for word in words.numbers) else ""


def _start_of(alternatives: Iterable[str]) -> str:
    return r"\b" if all(word[0].isascii() for word in alternatives) else ""


def _any_of(alternatives: Iterable[str]) -> str:
    ordered = sorted(set(alternatives), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(re2.escape(word) for word in ordered) + ")"
