"""Lexicon: what the lists know about each word, as small tables indexed by kind of word.

The lists have a million words but only some thousand distinct combinations of levels and classes, called
kinds. Only the hash and the kind of each word are stored. Kind 0 is for words in no list. While the lists are
united, what they know about a word is packed into 64 bits.
"""

import platform
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.word_lists import version
from tacenda.transforms.gazetteers.word_list import NAMES, ORGANIZATIONS, PLACES, WORDS, read
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.text.words import Hashes, HashIndex, Offsets, hashes_of, joined, word_hashes

Levels = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Kinds = npt.NDArray[np.uint16]
Packed = npt.NDArray[np.uint64]

_FLAGS = ("organization", "opens", "goes_on")
_BITS = {"given": 2, "family": 2, "place": 2, "listed": 1, **dict.fromkeys(_FLAGS, 1), "word": 42}
_FIRST_BIT = dict(zip(_BITS, accumulate(_BITS.values(), initial=0), strict=False))
_BITS_OF_A_WORD = 3  # bits of a word's level in one language

_EVERYDAY = 3  # lowest level of words that occur in nearly every text of their language
_SAME_LANGUAGE = 0.75
"""A language with this share of the likeliest language's everyday words counts as possible too."""
_ENOUGH_WORDS = 3  # fewest everyday words that identify the language; below, English is one of the guesses
_CHUNK = 1 << 20
"""Bytes of a list decoded at once, so that a whole list is never in memory at four bytes per character."""


_LONGEST_PHRASE = 7  # most words of a place or an organisation
Cells = npt.NDArray[np.integer]

Matches = dict[int, list[tuple[int, int]]]
"""The position of a phrase's first word to its possible numbers of words, longest first, with levels."""


class Phrases:
    """The level of each phrase: 1 to 3 for a place, 0 for an organisation.

    Args:
        lists: words of terms, and for each term its first word, number of words, and levels; the last of equal
            phrases counts.
    """

    def __init__(self, lists: Iterable[tuple[Hashes, Offsets, Offsets, Levels]]) -> None:
        found: list[tuple[Hashes, Levels]] = []
        pairs: list[Hashes] = []
        for words, first, counts, levels in lists:
            several = counts > 1
            first, counts = first[several], counts[several]
            hashes = words[first]
            for k in range(1, _LONGEST_PHRASE):
                longer = counts > k
                hashes[longer] = joined(hashes[longer], words[first[longer] + k])
                if k == 1:
                    pairs.append(hashes.copy())
            found.append((hashes, levels[several, 0] if levels.shape[1] else np.zeros(len(first), np.uint8)))
        hashes, place = np.unique(np.concatenate([h for h, _ in found])[::-1], return_index=True)
        self._index = HashIndex(hashes)
        self._pairs = HashIndex(np.unique(np.concatenate(pairs)))
        self._level = np.append(np.uint8(0), np.concatenate([level for _, level in found])[::-1][place])

    def __len__(self) -> int:
        return len(self._index)

    def find(self, hashes: Hashes, cells: Cells, places: npt.NDArray[np.int64]) -> Matches:
        """The phrases that begin at some of the words (``places``), within their cell."""
        matches: Matches = {}
        begun = places[places + 1 < len(hashes)]
        begun = begun[cells[begun + 1] == cells[begun]]
        phrases = joined(hashes[begun], hashes[begun + 1])
        going = self._pairs.find(phrases) > 0
        for count in range(2, _LONGEST_PHRASE + 1):
            begun, phrases = begun[going], phrases[going]
            if not len(begun):
                break
            numbers = self._index.find(phrases)
            hit = numbers > 0
            for i, level in zip(begun[hit].tolist(), self._level[numbers[hit]].tolist(), strict=True):
                matches.setdefault(i, []).insert(0, (count, level))
            going = begun + count < len(hashes)
            going[going] = cells[begun[going] + count] == cells[begun[going]]
            phrases = phrases.copy()
            phrases[going] = joined(phrases[going], hashes[begun[going] + count])
        return matches


class Lexicon:
    """Tables indexed by a word's kind; ``given``, ``family`` and ``place`` are levels from 0 to 3.

    ``word`` has one column per language, with levels from 0 to 4. ``is_in`` tells whether a word is an
    organisation, or the first or second word of a phrase.
    """

    def __init__(self) -> None:
        words = read(WORDS)
        self.languages = tuple(words.split(b"\n", 1)[0].decode().split())
        places = list(_listed(read(PLACES), 1))
        organizations = list(_listed(read(ORGANIZATIONS)))
        self.phrases = Phrases(
            (one.words, one.first, one.counts, one.levels) for one in (*organizations, *places)
        )
        hashes, packed = _united(
            (
                *((one.words, _put("given", one.levels[:, 0]) | _put("family", one.levels[:, 1]))
                  for one in _listed(read(NAMES), 2)),
                *map(_words, _listed(words, len(self.languages))),
                *(_terms(one, _put("place", one.levels[:, 0])) for one in places),
                *(_terms(one, _put("organization", one.counts > 0)) for one in organizations),
            )
        )  # fmt: skip
        rows = np.unique(np.append(packed, np.uint64(0)))
        kinds = np.searchsorted(rows, packed).astype(np.uint16)
        self.given, self.family, self.place = (_get(rows, name) for name in ("given", "family", "place"))
        shifts = range(0, _BITS_OF_A_WORD * len(self.languages), _BITS_OF_A_WORD)
        levels = [_get(rows, "word", shift, _BITS_OF_A_WORD) for shift in shifts]
        self.word: Levels = np.stack(levels, axis=1)
        self.is_in: dict[str, Flags] = {name: _get(rows, name) > 0 for name in _FLAGS}
        self._index, self._kind_of = HashIndex(hashes), np.append(np.uint16(0), kinds)
        self._word_in: dict[int, Levels] = {}
        patterns, pattern = np.unique(self.word >= _EVERYDAY, axis=0, return_inverse=True)
        self.everyday = patterns, pattern.ravel().astype(np.uint16)
        """Sets of languages (one column each), and for each kind the set in which it is an everyday word."""

    def __len__(self) -> int:
        return len(self._index)

    def word_in(self, languages: int) -> Levels:
        """The highest level of each kind in some languages (bit ``i``: column ``i`` of ``word``)."""
        if languages not in self._word_in:
            columns = [i for i in range(len(self.languages)) if languages >> i & 1]
            self._word_in[languages] = self.word[:, columns].max(axis=1, initial=0)
        return self._word_in[languages]

    def plausible(self, counts: Offsets) -> Flags:
        """The languages that conversations (rows) may be in, by their numbers of everyday words of each."""
        best = counts.max(axis=1, keepdims=True)
        plausible: Flags = (counts >= _SAME_LANGUAGE * best) & (counts > 0)
        plausible[best[:, 0] < _ENOUGH_WORDS, self.languages.index("en")] = True
        return plausible

    def kinds(self, hashes: Hashes) -> Kinds:
        """The kind of each word, or 0."""
        return self._kind_of[self._index.find(hashes)]

    def kinds_of(self, words: Sequence[str]) -> Kinds:
        """The kind of each word, else of its form without accents, else 0."""
        found = self.kinds(hashes_of(words))
        accented = [i for i in np.flatnonzero(found == 0).tolist() if not words[i].isascii()]
        if accented:
            found[accented] = self.kinds(hashes_of([plain(words[i]) for i in accented]))
        return found


def plain(word: str) -> str:
    """A word without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c)[0] != "M")


@built_once
def lexicon() -> Lexicon:
    """The shipped lists, read once per machine."""
    # All that determines it: the lists, the code that reads them, and its libraries.
    lists = ("tacenda.transforms.gazetteers.data", "tacenda.transforms.gazetteers")
    packages = (*lists, __package__, "tacenda.transforms.detecting", "tacenda.transforms.text")
    made_with = (version(), unicodedata.unidata_version, np.__version__, platform.python_version())
    return get_or_build(f"lexicon-{fingerprint(*map(contents, packages), *made_with)}", Lexicon)


@remembered
def kind_of(word: str) -> int:
    """The kind of one word, as :meth:`Lexicon.kinds_of` has it."""
    return int(lexicon().kinds_of([word])[0])


@dataclass(frozen=True, slots=True)
class _Listed:
    """Terms: term ``i`` is ``counts[i]`` words from ``words[first[i]]`` on, with levels ``levels[i]``."""

    words: Hashes
    first: Offsets
    counts: Offsets
    levels: Levels


def _listed(text: bytes, levels: int = 0) -> Iterator[_Listed]:
    """The terms of a list, in chunks; a first line without a term is a header.

    A line is a term (words joined by single spaces); if the list has levels, a tab and one digit per level.
    """
    start = text.index(b"\n") + 1 if text.startswith(b"\t") else 0
    while start < len(text):
        stop = text.find(b"\n", start + _CHUNK) + 1 or len(text)
        codes = np.frombuffer(text[start:stop].decode().encode("utf-32-le"), dtype="<u4")
        line_ends = np.flatnonzero(codes == ord("\n"))
        line_starts = np.append(0, line_ends[:-1] + 1)
        term_ends = line_ends - (levels + 1 if levels else 0)
        spaces = np.flatnonzero(codes == ord(" "))
        starts = np.sort(np.append(line_starts, spaces + 1))
        first = np.searchsorted(starts, line_starts)
        yield _Listed(
            word_hashes(codes, starts, np.sort(np.append(term_ends, spaces))),
            first,
            np.diff(np.append(first, len(starts))),
            (codes[term_ends[:, None] + 1 + np.arange(levels)] - ord("0")).astype(np.uint8),
        )
        start = stop


def _put(name: str, values: npt.NDArray[np.generic], shift: int = 0) -> Packed:
    packed: Packed = values.astype(np.uint64) << np.uint64(_FIRST_BIT[name] + shift)
    return packed


def _get(packed: Packed, name: str, shift: int = 0, bits: int = 0) -> Levels:
    mask = np.uint64((1 << (bits or _BITS[name])) - 1)
    values: Levels = ((packed >> np.uint64(_FIRST_BIT[name] + shift)) & mask).astype(np.uint8)
    return values


def _words(terms: _Listed) -> tuple[Hashes, Packed]:
    """Words with their level in each language."""
    assert terms.levels.shape[1] * _BITS_OF_A_WORD <= _BITS["word"], "a language more needs more bits"
    levels = (_put("word", column, _BITS_OF_A_WORD * i) for i, column in enumerate(terms.levels.T))
    return terms.words, np.bitwise_or.reduce(list(levels))


def _terms(terms: _Listed, alone: Packed) -> tuple[Hashes, Packed]:
    """What a term of one word is; of longer ones, that their first two words may open them."""
    packed = np.zeros(len(terms.words), dtype=np.uint64)
    one = terms.counts == 1
    packed[terms.first[one]] |= alone[one]
    opening = terms.first[~one]
    packed[opening] |= _put("opens", np.ones(len(opening)))
    packed[opening + 1] |= _put("goes_on", np.ones(len(opening)))
    return terms.words, packed


def _united(entries: Iterable[tuple[Hashes, Packed]]) -> tuple[Hashes, Packed]:
    """Each hash once, ascending, with all that the lists say of it."""
    several = list(entries)
    hashes = np.concatenate([h for h, _ in several])
    packed = np.concatenate([p for _, p in several]) | _put("listed", np.ones(1))
    order = np.argsort(hashes)
    hashes = hashes[order]
    first = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1]))
    return hashes[first], np.bitwise_or.reduceat(packed[order], first)


@remembered
def is_known_place(text: str) -> bool:
    """Whether each part of a text between commas is a listed place, ignoring case.

    >>> is_known_place("Boston, Massachusetts"), is_known_place("new york"), is_known_place("Dunder Mifflin")
    (True, True, False)
    """
    parts = [words for part in text.casefold().split(",") if (words := re.findall(r"\w+", part))]
    return bool(parts) and all(map(_is_listed_place, parts))


def _is_listed_place(words: list[str]) -> bool:
    if len(words) == 1:
        return bool(lexicon().place[kind_of(words[0])])
    one_cell = np.zeros(len(words), np.int64)
    found = lexicon().phrases.find(hashes_of(words), one_cell, one_cell[:1]).get(0, [])
    return any(count == len(words) and level for count, level in found)
