"""Identify the languages of each cell of a conversation, from that conversation alone.

Words are weighed as in a naive Bayes classifier: each has evidence of how much likelier it is in a language
than in an unknown one. The unit is a *stretch*: the words of a cell, or about sixty of them in
longer cells, so that a page in another language within a long document is noticed. A stretch with too little
evidence gets the language of its conversation. Scripts other than Latin identify languages by themselves.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.names.lexicon import Lexicon, lexicon
from tacenda.transforms.detecting.names.reading import sums_between
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file
from tacenda.transforms.text.column import TextColumn, pieces
from tacenda.transforms.text.words import Hashes, HashIndex, Words, WordShapes, hashes_of

Evidence = npt.NDArray[np.int32]
"""In tenths of a natural logarithm: integers, whose sums do not depend on the rest of a batch."""

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

UNKNOWN, NONE = "und", "none"
"""Words in no known language; and too few words to decide. Both are reported like languages."""

_BY_LEVEL = (-34, 5, 19, 42, 65)
"""For each list level, how much likelier (tenths of a natural logarithm) a word is in its language than in an
unknown one, where every word has a frequency of one in 300,000. A word of level 4 is 2 in 1,000 words, of
level 1 2 in a million (``infra/gazetteers/build.py``), of level 0, in no list of 40,000, one in ten
million."""

_LISTED, _UNLISTED = 50, -5  # the same for a language with only a list of its few dozen commonest words
_EVERYDAY = 42  # minimum evidence of an everyday word
_COUNT = 1 << 20  # added to the evidence of an everyday word, so that both are summed at once
_LETTER = 15  # evidence of a letter that few languages have
_LAST_TABULATED = 0x40000
_LAST_LATIN = 0x2000


@dataclass(frozen=True, slots=True)
class Script:
    """A script: its languages, the first being the default without word evidence; least number of letters.

    ``beside`` maps numbers of other scripts to the language that this script is in if those occur, too; without
    ``spaced``, every letter is a word.
    """

    languages: tuple[str, ...]
    least: int
    beside: tuple[tuple[int, str], ...] = ()
    spaced: bool = True


class LanguageTables:
    """``languages`` are all that words identify, those of the lexicon (``of_lexicon`` of them) first.

    ``scripts`` begins with Latin, the script of all languages that no other script lists.
    """

    def __init__(self, words: Lexicon, data: dict[str, Any]) -> None:
        listed: dict[str, str] = data["words"]
        self.names: dict[str, str] = data["names"]
        self.related: dict[str, str] = data["related"]
        self.of_lexicon = len(words.languages)
        self.languages: tuple[str, ...] = (*words.languages, *listed)
        self._words = words
        levels = np.array(_BY_LEVEL, dtype=np.int32)
        self._by_kind = _packed(levels[words.word])
        self._kinds = len(words.word)
        self._index, by_word = _evidence_of_listed(list(listed.values()))
        self._by_word, self._listed = _packed(by_word), len(by_word)
        self._names: Flags = (words.given > 0) | (words.family > 0) | (words.place > 0)
        letters = sorted({letter for own in data["letters"].values() for letter in own})
        self._letter_kinds = np.zeros(_LAST_LATIN, dtype=np.uint8)
        self._by_letter: Evidence = np.zeros((len(letters) + 1, len(self.languages)), dtype=np.int32)
        for kind, letter in enumerate(letters, start=1):
            self._letter_kinds[ord(letter)] = kind
            for code, own in data["letters"].items():
                self._by_letter[kind, self.languages.index(code)] = _LETTER * (letter in own)
        scripts = data["scripts"]
        elsewhere = {code for script in scripts.values() for code in script["languages"]}
        numbers = {name: number for number, name in enumerate(scripts, start=1)}
        self.scripts = (
            Script(tuple(code for code in self.languages if code not in elsewhere), 1),
            *(
                Script(
                    tuple(script["languages"]),
                    script["least"],
                    tuple((numbers[other], code) for other, code in script.get("beside", {}).items()),
                    script.get("spaced", True),
                )
                for script in scripts.values()
            ),
        )
        self.alone: Flags = ~np.array([script.spaced for script in self.scripts])
        # Languages without a word list are identified by their script alone.
        others = (code for script in self.scripts for code in script.languages if code not in self.languages)
        self.codes = (*self.languages, *others, UNKNOWN, NONE)
        self.number = {code: number for number, code in enumerate(self.codes)}
        self.script_of = np.zeros(_LAST_TABULATED, dtype=np.uint8)
        """The script number of each code point; unlisted ones count as Latin, 0."""
        for number, script in enumerate(scripts.values(), start=1):
            for first, last in script["blocks"]:
                self.script_of[first : last + 1] = number

    def evidence(self, hashes: Hashes, may_be_name: Flags, bounds: Numbers) -> tuple[Evidence, Evidence]:
        """The evidence of the words between successive bounds, one column per language, against unknown.

        Also the number of everyday words of each language. A word in no list is no evidence if it is a name
        or ``may_be_name``. Bounds are at most some hundred words apart.
        """
        kinds = self._words.kinds(hashes).astype(np.int64)
        may_be_name = may_be_name | self._names[kinds]
        rows = self._index.find(hashes)
        hits = np.flatnonzero(rows)
        packed = np.empty((len(bounds) - 1, len(self.languages)), dtype=np.int32)
        packed[:, : self.of_lexicon] = _summed(self._by_kind[kinds + may_be_name * self._kinds], bounds)
        unlisted = np.flatnonzero(~may_be_name & (rows == 0))
        packed[:, self.of_lexicon :] = _UNLISTED * np.diff(np.searchsorted(unlisted, bounds))[:, None]
        found = self._by_word[rows[hits] + may_be_name[hits] * self._listed]
        packed[:, self.of_lexicon :] += _summed(found, np.searchsorted(hits, bounds))
        total = ((packed + (_COUNT >> 1)) & (_COUNT - 1)) - (_COUNT >> 1)
        return total, (packed - total) // _COUNT

    def letters(self, codes: npt.NDArray[np.unsignedinteger]) -> tuple[Numbers, Evidence]:
        """Positions of letters that few languages have, and a row of evidence for all languages for each."""
        kinds = self._letter_kinds[np.minimum(codes, len(self._letter_kinds) - 1)]
        places = np.flatnonzero(kinds)
        return places, self._by_letter[kinds[places]]


def _summed(rows: Evidence, bounds: Numbers) -> Evidence:
    """The sum of the rows between successive bounds, which cover all rows."""
    sums = np.zeros((len(bounds) - 1, rows.shape[1]), dtype=np.int32)
    filled = np.flatnonzero(bounds[1:] > bounds[:-1])
    if len(filled):
        sums[filled] = np.add.reduceat(rows, bounds[filled], axis=0)
    return sums


def _packed(evidence: Evidence) -> Evidence:
    """Evidence plus a count of everyday words in the high bits; then the rows for possible names."""
    both = np.concatenate((evidence, np.maximum(evidence, 0)))
    return both + _COUNT * (both >= _EVERYDAY).astype(np.int32)


def _evidence_of_listed(lists: list[str]) -> tuple[HashIndex, Evidence]:
    """An index of all words of some lists, and the evidence of each word for each list's language."""
    words = sorted({word for text in lists for word in text.split()})
    hashes = hashes_of(words)
    order = np.argsort(hashes)
    members = [frozenset(text.split()) for text in lists]
    rows = np.full((len(words) + 1, len(lists)), _UNLISTED, dtype=np.int32)
    for row, place in enumerate(order.tolist(), start=1):
        for column, listed in enumerate(members):
            if words[place] in listed:
                rows[row, column] = _LISTED
    return HashIndex(hashes[order]), rows


@built_once
def language_tables() -> LanguageTables:
    """The shipped tables, read once per process."""
    data = data_file(__package__, "languages.yaml")
    return LanguageTables(lexicon(), data)


_STRETCH = 64  # words of a stretch
_LEAST_EVIDENCE = 40  # minimum evidence for a language, in tenths of a natural logarithm
_LEAST_EVERYDAY = 2  # minimum number of everyday words for a language
_SEVERAL_WORDS, _MUCH_EVIDENCE = 4, 60  # or this many lower-case words, and this much evidence
_LEAST_IN_CODE = 5  # everyday words required of code, tables and logs
_LEAST_WORDS = 3  # fewest lower-case words for an unknown language, if they are likelier in one …
_ENOUGH_WORDS = 8  # … or, with this many words, if no language is identified
_OTHER = 120  # how much likelier another language must be than the conversation's for a stretch
_OTHER_UNKNOWN = 200  # the same for an unknown language: names, slang and typos are in no list, either


class Spoken(NamedTuple):
    """Pairs of a cell and the number of a language in it (``names[number]``), each pair once.

    A cell without words has none.
    """

    cells: Numbers
    languages: npt.NDArray[np.uint8]
    names: tuple[str, ...]


def tell(column: TextColumn) -> Spoken:
    """The languages of the cells of conversations; pieces of very long ones are judged separately."""
    tables = language_tables()
    cells, languages = [np.zeros(0, np.int64)], [np.zeros(0, np.uint8)]
    begin = 0
    for piece in pieces(column):
        first = begin - piece.own.start
        end = begin + piece.own.stop - piece.own.start
        for block in piece.column.blocks if len(piece.column) else ():
            told, spoken = _Block(block, tables).spoken()
            told = told + first
            own = (told >= begin) & (told < end)
            cells.append(told[own])
            languages.append(spoken[own])
            first += len(block)
        begin = end
    return Spoken(np.concatenate(cells), np.concatenate(languages), tables.codes)


def main_languages(spoken: Spoken, first_cell: Sequence[int]) -> list[str]:
    """The language of most cells of each conversation; empty if none is known."""
    conversations = np.searchsorted(np.asarray(first_cell), spoken.cells, side="right") - 1
    counts = [Counter[int]() for _ in first_cell[1:]]
    for conversation, number in zip(conversations.tolist(), spoken.languages.tolist(), strict=True):
        if len(spoken.names[number]) == 2:
            counts[conversation][number] += 1
    # Of equally many, the first in the list is taken.
    main = (max(sorted(own), key=own.__getitem__, default=None) for own in counts)
    return ["" if number is None else spoken.names[number] for number in main]


class _Block:
    """The words of some conversations, and the evidence of each stretch."""

    def __init__(self, column: TextColumn, tables: LanguageTables) -> None:
        self._tables = tables
        codes = column.characters.coded
        words, shapes = column.words, column.word_shapes
        of_cell = np.searchsorted(words.starts, column.origins)
        self._parts = np.maximum(np.diff(of_cell) // _STRETCH, 1)
        self._cell = np.repeat(np.arange(len(column)), self._parts)
        part = np.arange(len(self._cell)) - np.repeat(np.cumsum(self._parts) - self._parts, self._parts)
        sizes = np.repeat(np.diff(of_cell), self._parts)
        self._bounds = np.append(
            np.repeat(of_cell[:-1], self._parts) + part * sizes // np.repeat(self._parts, self._parts),
            of_cell[-1],
        )
        first_stretch = np.append(np.cumsum(self._parts) - self._parts, len(self._cell))
        first_cell = np.asarray(column.first_cell, dtype=np.int64)
        self._conversations = first_stretch[first_cell]
        self._of_conversation = np.repeat(np.arange(len(first_cell) - 1), np.diff(self._conversations))
        script = tables.script_of[np.minimum(codes[words.starts], _LAST_TABULATED - 1)]
        code = self._is_code(codes, words)
        # A single letter is a word in many languages, and also a variable name.
        variable = np.repeat(code, np.diff(self._bounds)) & (shapes.length == 1)
        prose = _is_prose(words, shapes, codes) & ~variable
        latin = prose & (script == 0)
        # A capitalised word may be a name; if everything is in capitals, they mean nothing.
        small = prose & ~shapes.capital
        shouting = np.diff(np.searchsorted(np.flatnonzero(small & (script == 0)), self._bounds)) == 0
        weighed = np.flatnonzero(small | (prose & np.repeat(shouting, np.diff(self._bounds))))
        bounds = np.searchsorted(weighed, self._bounds)
        self._evidence, self._everyday = tables.evidence(
            words.hashes[weighed], shapes.capital[weighed], bounds
        )
        self._add_letters(codes, words, small)
        self._small = self._counted(np.flatnonzero(latin & ~shapes.capital))
        self._small[code] = 0
        # Keywords are English words, and comments may be in any language.
        self._evidence[code[:, None] & (self._everyday < _LEAST_IN_CODE)] = 0
        self._letters = self._letters_of_scripts(script, prose, shapes)

    def _add_letters(self, codes: npt.NDArray[np.unsignedinteger], words: Words, small: Flags) -> None:
        """Add the evidence of letters in lower-case words."""
        places, rows = self._tables.letters(codes)
        owners = np.searchsorted(words.starts, places, side="right") - 1
        inside = small[owners]
        stretches = np.searchsorted(self._bounds, owners[inside], side="right") - 1
        np.add.at(self._evidence, stretches, rows[inside])
        np.add.at(self._everyday, stretches, rows[inside] > 0)

    def _counted(self, places: Numbers) -> Numbers:
        return np.diff(np.searchsorted(places, self._bounds))

    def _is_code(self, codes: npt.NDArray[np.unsignedinteger], words: Words) -> Flags:
        """Whether a stretch has code characters for every second word, or as many digits as words."""
        edges = np.append(words.starts, len(codes))[self._bounds]
        signs, digits = (
            np.diff(np.searchsorted(np.flatnonzero(_of(kind, codes)), edges)) for kind in (_SYMBOLS, _DIGITS)
        )
        code: Flags = 2 * signs + digits >= np.diff(self._bounds)
        return code

    def _letters_of_scripts(self, script: npt.NDArray[np.uint8], prose: Flags, shapes: WordShapes) -> Numbers:
        """Letters of each script in each stretch, one column per script; for Latin, those of prose."""
        scripts = len(self._tables.scripts)
        # A single letter of an alphabet is a unit or a formula.
        counted = np.flatnonzero(
            np.where(script == 0, prose, (shapes.length > 1) | self._tables.alone[script])
        )
        stretches = np.searchsorted(self._bounds, counted, side="right") - 1
        places = stretches * scripts + script[counted]
        counts = np.bincount(places, shapes.length[counted], (len(self._bounds) - 1) * scripts)
        return counts.astype(np.int64).reshape(-1, scripts)

    def spoken(self) -> tuple[Numbers, npt.NDArray[np.uint8]]:
        """Pairs of a cell and the number of a language, sorted by cell."""
        of_stretch = self._latin_languages()
        foreign = self._foreign_languages()
        # Beside another script, one or two words in Latin letters are terms or names.
        alone = np.zeros(len(of_stretch), dtype=np.bool_)
        alone[foreign[0]] = True
        latin = np.flatnonzero(~(alone & (self._own < _LEAST_EVIDENCE) & (self._small < _LEAST_WORDS)))
        cells = np.append(self._cell[latin], self._cell[foreign[0]]) << 8
        pairs = np.array(sorted({*(cells | np.append(of_stretch[latin], foreign[1])).tolist()}), np.int64)
        return pairs >> 8, (pairs & 0xFF).astype(np.uint8)

    def _latin_languages(self) -> Numbers:
        """The language of each stretch by its Latin letters."""
        latin = np.array([self._tables.number[code] for code in self._tables.scripts[0].languages])
        evidence = self._evidence[:, latin]
        usual, column = self._of_conversations(latin, evidence)
        usual, column = usual[self._of_conversation], column[self._of_conversation]
        expected = np.where(column < 0, 0, evidence[np.arange(len(evidence)), column])
        own = np.where(self._everyday[:, latin] >= _LEAST_EVERYDAY, evidence, 0)
        self._own = own.max(axis=1)
        other = (self._own - expected >= _OTHER) & (self._own >= _LEAST_EVIDENCE)
        spoken = np.where(other, latin[own.argmax(axis=1)], usual)
        strange = ~other & (expected <= -_OTHER_UNKNOWN) & (self._small >= _LEAST_WORDS)
        spoken[strange] = self._tables.number[UNKNOWN]
        return spoken

    def _of_conversations(self, latin: Numbers, evidence: Evidence) -> tuple[Numbers, Numbers]:
        """The language of each conversation and its column of evidence, -1 if words do not identify it."""
        tables = self._tables
        total = sums_between(evidence, self._conversations)
        likeliest = total[:, : tables.of_lexicon].max(axis=1)
        small = sums_between(self._small, self._conversations)
        everyday = sums_between(self._everyday[:, latin], self._conversations) >= _LEAST_EVERYDAY
        frequent = (small >= _SEVERAL_WORDS)[:, None] & (total >= _MUCH_EVIDENCE)
        total[~(everyday | frequent)] = 0
        best = total.argmax(axis=1)
        strange = (small >= _LEAST_WORDS) & (likeliest < 0) | (small >= _ENOUGH_WORDS)
        languages = np.where(strange, tables.number[UNKNOWN], tables.number[NONE])
        told = total.max(axis=1) >= _LEAST_EVIDENCE
        languages[told] = latin[best[told]]
        letters = sums_between(self._letters, self._conversations)
        script = letters.argmax(axis=1)
        for i in np.flatnonzero(script).tolist():
            own = self._evidence[self._conversations[i] : self._conversations[i + 1]].sum(axis=0)
            languages[i] = self._language_of(script[i], letters[i], own)
        return languages, np.where(told & (script == 0), best, -1)

    def _foreign_languages(self) -> tuple[Numbers, Numbers]:
        """Stretches with enough letters of another script, and the number of the language of each."""
        least = np.array([script.least for script in self._tables.scripts])
        least[0] = np.iinfo(np.int64).max
        stretches, scripts = np.nonzero(self._letters >= least)
        letters = sums_between(self._letters, self._conversations)[self._of_conversation[stretches]]
        languages = [
            self._language_of(script, letters[i], self._evidence[stretch])
            for i, (stretch, script) in enumerate(zip(stretches.tolist(), scripts.tolist(), strict=True))
        ]
        return stretches, np.array(languages, dtype=np.int64)

    def _language_of(self, script: int, letters: Numbers, evidence: Evidence) -> int:
        """The language of a text in a script; ``letters`` are those of its conversation, by script."""
        tables = self._tables
        written = tables.scripts[script]
        for other, language in written.beside:
            if letters[other]:
                return tables.number[language]
        codes = [tables.number[code] for code in written.languages]
        heard = [code for code in codes if code < evidence.shape[0]]
        best = max(heard, key=lambda code: int(evidence[code]), default=codes[0])
        return best if heard and evidence[best] > 0 else codes[0]


_LAST_SIGN = 0x7F
_SYMBOLS = ':-{}[]<>=;_/\\|@$%^&*+~`"'
_DIGITS = "0123456789"
_NO_PROSE_BEFORE = "_/\\.@=<#$%&+*|:~{[`"
_NO_PROSE_BEHIND = "_/\\@=<>#$%&+*|~([{`"


def _is_prose(words: Words, shapes: WordShapes, codes: npt.NDArray[np.unsignedinteger]) -> Flags:
    """Whether each word is written as prose, not as part of a path, an address or code."""
    # Before the first character comes the line break at the end (index -1).
    codes = np.append(codes, codes.dtype.type(ord("\n")))
    before = _of(_NO_PROSE_BEFORE, codes[words.starts - 1])
    behind = _of(_NO_PROSE_BEHIND, codes[words.ends])
    further = codes.take(words.ends + 1, mode="clip")
    dotted = _of(".:", codes[words.ends]) & _of(_LETTERS, further)
    return ~(shapes.odd | shapes.camel | before | behind | dotted)


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def _of(characters: str, codes: npt.NDArray[np.unsignedinteger]) -> Flags:
    table = np.zeros(_LAST_SIGN + 1, dtype=np.bool_)
    table[[ord(character) for character in characters]] = True
    table[_LAST_SIGN] = False
    found: Flags = table[np.minimum(codes, _LAST_SIGN)]
    return found
