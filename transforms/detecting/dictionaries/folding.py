"""Folded words: without case, accents and variant spellings, with their places; and which are a dictionary's.

Each character is folded on its own, to zero or more characters (``transforms/text/words.py`` maps one to
one and keeps accents, which distinguish names).
"""

import re
import unicodedata
from enum import Enum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.candidates import Places
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.words import UNSPACED, Hashes, hashes_of, joined

Offsets = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

GAP, LETTER, DIGIT, ALONE, MARK = " LDAM"
"""The role of a character in words: separator; part of a word of letters, or of digits; a word on its own;
part of whatever precedes it."""

APOSTROPHES = "'’‘ʼʻʽʹ＇`´Ꞌꞌ"
"""All are separators, even those that Unicode calls letters: O'Brien is one name, whatever key was used."""

_IGNORED = "\u00ad\u0640\u200d\u2060" + "".join(map(chr, range(0xFE00, 0xFE10)))
"""Soft hyphen, Arabic elongation, joiners and variation selectors: they occur within words and mean
nothing."""

_ACCENTS = frozenset((*range(200, 256), *range(10, 37)))
"""Combining classes (Unicode Standard, table 3-14) of accents, and of vowel points in Hebrew, Arabic and
Syriac. Marks of other classes, such as the vowel signs of Indic scripts and Thai, count as letters."""

_WORD = re.compile("L[LM]*|D[DM]*|AM*")
_TOUCHING = np.uint64(0x5851F42D4C957F2D)


class Folding(Enum):
    """Which differences between words are ignored.

    LOOSE is for finding: accents, vowel points and letters such as ø are ignored, since transcripts lose
    them. STRICT is for exclusions: there, só is different from so.
    """

    LOOSE = "loose"
    STRICT = "strict"


class _Roles(dict[int, str]):
    """The role of each code point, for ``str.translate``; filled as text needs it."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        role = LETTER
        if unicodedata.normalize("NFD", character) in APOSTROPHES:
            role = GAP
        elif character in _IGNORED or unicodedata.category(character)[0] == "M":
            role = MARK
        elif not character.isalnum():
            role = GAP
        elif not character.isalpha():
            role = DIGIT
        elif any(first <= code <= last for first, last in UNSPACED):
            role = ALONE
        return self.setdefault(code, role)


class _Folds(dict[int, str]):
    """The folded form of each code point within words, for ``str.translate``."""

    def __init__(self, folding: Folding) -> None:
        super().__init__()
        self._folding = folding

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, "" if chr(code) in _IGNORED else self._fold(chr(code)))

    def _fold(self, character: str) -> str:
        lower = self._plain(unicodedata.normalize("NFD", character)).casefold()
        if character == "İ":
            lower = "i"  # without the combining dot
        folded = unicodedata.normalize("NFKD", lower)
        if not _without_accents(folded).isalnum():
            folded = lower  # ½ does not become 1/2, which would be two words
        folded = self._plain(folded)
        if self._folding is Folding.LOOSE:
            folded = "".join(_letters().get(letter, letter) for letter in folded)
        return folded or ("" if unicodedata.category(character)[0] == "M" else character)

    def _plain(self, text: str) -> str:
        return text if self._folding is Folding.STRICT else _without_accents(text)


def _without_accents(text: str) -> str:
    return "".join(c for c in text if unicodedata.combining(c) not in _ACCENTS)


@built_once
def _letters() -> dict[str, str]:
    return dict(data_file(__package__, "letters.yaml"))


_ROLES = _Roles()
_FOLDS = {folding: _Folds(folding) for folding in Folding}


class TermTable(NamedTuple):
    """A compiled dictionary, as arrays in memory or mapped from a file; nothing here copies them.

    ``hashes`` are those of all terms, and ``openings`` those of all proper prefixes (in words) of longer terms;
    both ascending, each hash once. The hashes of two phrases are hardly ever equal (64 bits).
    """

    hashes: Hashes
    openings: Hashes


def _index(rising: Hashes, hashes: Hashes) -> Offsets:
    """For each hash, its place, or -1."""
    if not len(rising):
        return np.full(len(hashes), -1, dtype=np.int64)
    index = np.searchsorted(rising, hashes)
    found = rising[np.minimum(index, len(rising) - 1)] == hashes
    return np.where(found, index, -1)


class FoldedWords:
    """The folded words of a column; word ``i`` is ``starts[i]:ends[i]`` (code points) of its text.

    As in Google's dictionaries, words are bounded by anything that is neither letter nor digit, and by
    transitions between letters and digits; the number of characters between two words does not matter. In
    addition, every letter of a script without spaces is a word, so that terms are found within sentences. The
    words of a ``TextColumn`` differ: they keep letters and digits together, and accents, for names and
    models.

    ``folded`` has the distinct words, and ``which`` the number of each word among them. Cell ``k`` has the
    words ``first_words[k]:first_words[k + 1]``.
    """

    def __init__(self, column: TextColumn, folding: Folding = Folding.LOOSE) -> None:
        self._text = text = column.text
        self._origins = column.origins
        roles = text.translate(_ROLES)
        spans = [match.span() for match in _WORD.finditer(roles)]
        places: Offsets = np.array(spans, dtype=np.int64).reshape(-1, 2)
        self.starts, self.ends = places[:, 0], places[:, 1]
        self.first_words: Offsets = np.searchsorted(self.starts, column.origins)
        # A letter of a script without spaces touches nothing.
        alone = np.array([roles[start] == ALONE for start, _ in spans], dtype=np.bool_)
        self.touches = np.zeros(len(spans), dtype=np.bool_)
        self.touches[1:] = (self.starts[1:] == self.ends[:-1]) & ~alone[1:] & ~alone[:-1]
        written: dict[str, int] = {}
        which = [written.setdefault(text[start:end], len(written)) for start, end in spans]
        folds = _FOLDS[folding]
        numbers: dict[str, int] = {}
        forms = [numbers.setdefault(word.translate(folds), len(numbers)) for word in written]
        self.folded = list(numbers)
        self.which: Offsets = np.array(forms, dtype=np.int64)[which] if which else np.zeros(0, dtype=np.int64)
        self.distinct: Hashes = hashes_of(self.folded)
        self.hashes: Hashes = self.distinct[self.which]
        self.following: Hashes = np.where(self.touches, self.hashes ^ _TOUCHING, self.hashes)
        """The hash of each word as a continuation of a phrase."""
        counts = np.diff(self.first_words)
        self.left_in_cell: Offsets = np.repeat(self.first_words[1:], counts) - np.arange(len(spans))
        """For each word, the number of words left in its cell, including itself."""

    def __len__(self) -> int:
        return len(self.starts)

    def find(self, table: TermTable) -> tuple[Places, Places, Places, Hashes]:
        """Cell, start, end (code points) and hash of every term, in ascending order; they may overlap."""
        first, last, terms = self._terms(table)
        cells = np.searchsorted(self.first_words, first, side="right") - 1
        origins = self._origins[cells]
        return cells, self.starts[first] - origins, self.ends[last] - origins, table.hashes[terms]

    def covered(self, table: TermTable) -> tuple[Flags, Flags]:
        """For each cell: is it non-empty with every word part of a term, and is any word part of one?"""
        first, last, _ = self._terms(table)
        steps = np.zeros(len(self) + 1, dtype=np.int64)
        np.add.at(steps, first, 1)
        np.add.at(steps, last + 1, -1)
        within = np.append(0, np.cumsum(np.cumsum(steps[:-1]) > 0))
        count = np.diff(within[self.first_words])
        return (count > 0) & (count == np.diff(self.first_words)), count > 0

    def _terms(self, table: TermTable) -> tuple[Offsets, Offsets, Offsets]:
        """First and last word and number of the longest term at each word, in its cell; no negation is one.

        Each distinct word and phrase of the text is looked up once, and phrases only if terms begin with them;
        so the cost depends on the text, not on the number of terms.
        """
        longest, number = np.zeros((2, len(self)), dtype=np.int64)
        begins, phrases, count = np.arange(len(self)), self.hashes, 1
        distinct, which = self.distinct, self.which
        while len(begins):
            terms = _index(table.hashes, distinct)[which]
            for i in np.flatnonzero(terms >= 0).tolist():
                if not self._is_negated(begins[i] + count - 1):
                    longest[begins[i]], number[begins[i]] = count, terms[i]
            goes_on = (_index(table.openings, distinct) >= 0)[which] & (self.left_in_cell[begins] > count)
            begins = begins[goes_on]
            phrases = joined(phrases[goes_on], self.following[begins + count])
            count += 1
            distinct, which = np.unique(phrases, return_inverse=True)
        first = np.flatnonzero(longest)
        return first, first + longest[first] - 1, number[first]

    def _is_negated(self, word: int) -> bool:
        """Whether a word is negated by n't: "don't" holds the English word "do", not the name Don.

        The t must end a word: in 'Ann'Tom' it does not. Only words that end in n count.
        """
        end = int(self.ends[word])
        after = self._text[end : end + 3]
        return (
            after[:1] in tuple(APOSTROPHES)
            and after[1:2] in ("t", "T")
            and self.folded[self.which[word]].endswith("n")
            and after[2:].translate(_ROLES) in (GAP, "")
        )
