"""Lexicon: what the lists know about each word, as small tables indexed by kind of word.

The lists have a million words but only some thousand distinct combinations of levels and classes, called
kinds. Only the hash and the kind of each word are stored. Kind 0 is for words in no list.
"""

import platform
import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

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

_LISTED, _GIVEN, _FAMILY, _PLACE, _ORGANIZATION, _OPENS, _GOES_ON, _WORD = range(8)
"""Columns of what is known of words; from the last on, one for each language."""

_EVERYDAY = 3  # lowest level of words that occur in nearly every text of their language
_SAME_LANGUAGE = 0.75
"""A language with this share of the likeliest language's everyday words counts as possible too."""
_ENOUGH_WORDS = 3  # fewest everyday words that identify the language; below, English is one of the guesses

_LONGEST_PHRASE = 7  # most words of a place or an organisation
Cells = npt.NDArray[np.integer]

Matches = dict[int, tuple[int, int]]
"""The position of a phrase's first word to its number of words and its level."""


class _Listed(NamedTuple):
    """Terms: term ``i`` is ``counts[i]`` words from ``words[first[i]]`` on, with levels ``levels[i]``."""

    words: Hashes
    first: Offsets
    counts: Offsets
    levels: Levels


class Phrases:
    """The level of each phrase: 1 to 3 for a place, 0 for an organisation; the last of equal ones counts."""

    def __init__(self, lists: Sequence[_Listed]) -> None:
        hashes, levels = np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.uint8)
        for words, first, counts, of_terms in lists:
            several = counts > 1
            first, counts = first[several], counts[several]
            phrases = words[first]
            for k in range(1, _LONGEST_PHRASE):
                longer = counts > k
                phrases[longer] = joined(phrases[longer], words[first[longer] + k])
            hashes = np.append(phrases, hashes)
            levels = np.append(of_terms[several].max(axis=1, initial=0), levels)
        hashes, place = np.unique(hashes, return_index=True)
        self._index = HashIndex(hashes)
        self._level = np.append(np.uint8(0), levels[place])

    def find(self, hashes: Hashes, cells: Cells, begun: npt.NDArray[np.int64]) -> Matches:
        """The longest phrases that begin at some of the words, within their cell."""
        matches: Matches = {}
        phrases = hashes[begun]
        for count in range(2, _LONGEST_PHRASE + 1):
            going = begun + count <= len(hashes)
            going[going] = cells[begun[going] + count - 1] == cells[begun[going]]
            begun = begun[going]
            phrases = joined(phrases[going], hashes[begun + count - 1])
            numbers = self._index.find(phrases)
            hit = numbers > 0
            levels = self._level[numbers[hit]].tolist()
            matches.update((i, (count, level)) for i, level in zip(begun[hit].tolist(), levels, strict=True))
        return matches


class Lexicon:
    """Tables indexed by a word's kind; ``given``, ``family`` and ``place`` are levels from 0 to 3.

    ``word`` has one column per language, with levels from 0 to 4. ``organization``, ``opens`` and ``goes_on``
    tell whether a word is an organisation, or the first or second word of a phrase.
    """

    def __init__(self) -> None:
        texts = [read(name) for name in (NAMES, WORDS, PLACES, ORGANIZATIONS)]
        self.languages = tuple(texts[1].split(b"\n", 1)[0].decode().split())
        lists = list(map(_listed, texts, (2, len(self.languages), 1, 0)))
        names, words, places, organizations = lists
        self.phrases = Phrases((organizations, places))
        hashes, numbers = np.unique(np.concatenate([one.words for one in lists]), return_inverse=True)
        # Row 0 is of words in no list.
        rows = np.zeros((len(hashes) + 1, _WORD + len(self.languages)), dtype=np.uint8)
        rows[1:, _LISTED] = 1
        row_of = np.split(numbers + 1, np.cumsum([len(one.words) for one in lists[:-1]]))
        rows[row_of[0], _GIVEN : _FAMILY + 1] = names.levels
        rows[row_of[1], _WORD:] = words.levels
        for terms, row, kind in ((places, row_of[2], _PLACE), (organizations, row_of[3], _ORGANIZATION)):
            alone = terms.counts == 1
            rows[row[terms.first[alone]], kind] = terms.levels[alone, 0] if kind == _PLACE else 1
            rows[row[terms.first[~alone]], _OPENS] = 1
            rows[row[terms.first[~alone] + 1], _GOES_ON] = 1
        keys = np.zeros(len(rows), dtype=np.uint64)
        for column in rows.T:
            keys = 5 * keys + column  # there are levels from 0 to 4
        _, found, kinds = np.unique(keys, return_index=True, return_inverse=True)
        table = rows[found]
        self.given, self.family, self.place = (table[:, i] for i in (_GIVEN, _FAMILY, _PLACE))
        self.word: Levels = table[:, _WORD:]
        self.organization, self.opens, self.goes_on = (
            table[:, i] > 0 for i in (_ORGANIZATION, _OPENS, _GOES_ON)
        )
        self._index, self._kind_of = HashIndex(hashes), kinds.astype(np.uint16)
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


def _listed(text: bytes, levels: int) -> _Listed:
    """The terms of a list; a first line without a term is a header.

    A line is a term (words joined by single spaces); if the list has levels, a tab and one digit per level.
    """
    start = text.index(b"\n") + 1 if text.startswith(b"\t") else 0
    codes = np.frombuffer(text[start:].decode().encode("utf-32-le"), dtype="<u4")
    line_ends = np.flatnonzero(codes == ord("\n"))
    line_starts = np.append(0, line_ends[:-1] + 1)
    term_ends = line_ends - (levels + 1 if levels else 0)
    spaces = np.flatnonzero(codes == ord(" "))
    starts = np.sort(np.append(line_starts, spaces + 1))
    first = np.searchsorted(starts, line_starts)
    return _Listed(
        word_hashes(codes, starts, np.sort(np.append(term_ends, spaces))),
        first,
        np.diff(np.append(first, len(starts))),
        (codes[term_ends[:, None] + 1 + np.arange(levels)] - ord("0")).astype(np.uint8),
    )


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
    count, level = lexicon().phrases.find(hashes_of(words), one_cell, one_cell[:1]).get(0, (0, 0))
    return count == len(words) and level > 0
