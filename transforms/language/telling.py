"""Identify the languages of each cell of a conversation, from that conversation alone.

Words are weighed as in a naive Bayes classifier: each has evidence of how much likelier it is in a language
than in an unknown one (``tables``). The unit is a *stretch*: the words of a cell, or about sixty of them in
longer cells, so that a page in another language within a long document is noticed. A stretch with too little
evidence gets the language of its conversation. Scripts other than Latin identify languages by themselves.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.language.tables import NONE, UNKNOWN, Evidence, LanguageTables, language_tables
from tacenda.transforms.text.column import TextColumn, pieces
from tacenda.transforms.text.words import Words, WordShapes

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

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
    cells, languages = [], []
    begin = 0
    for piece in pieces(column):
        told = _tell(piece.column)
        own = (told.cells >= piece.own.start) & (told.cells < piece.own.stop)
        cells.append(told.cells[own] - piece.own.start + begin)
        languages.append(told.languages[own])
        begin += piece.own.stop - piece.own.start
    return Spoken(np.concatenate(cells), np.concatenate(languages), language_tables().codes)


def main_languages(spoken: Spoken, first_cell: Sequence[int]) -> list[str]:
    """The language of most cells of each conversation; empty if none is known."""
    of_two_letters = np.array([len(name) == 2 for name in spoken.names])
    known = of_two_letters[spoken.languages]
    conversations = np.searchsorted(np.asarray(first_cell), spoken.cells[known], side="right") - 1
    pairs, counts = np.unique(conversations * len(spoken.names) + spoken.languages[known], return_counts=True)
    main = [""] * (len(first_cell) - 1)
    # Of equally many, the first in the list is taken, which is written last.
    for place in np.lexsort((-pairs, counts)).tolist():
        conversation, language = divmod(int(pairs[place]), len(spoken.names))
        main[conversation] = spoken.names[language]
    return main


def _tell(column: TextColumn) -> Spoken:
    tables = language_tables()
    cells, languages = [np.zeros(0, np.int64)], [np.zeros(0, np.uint8)]
    first = 0
    for block in column.blocks if len(column) else ():
        told, spoken = _Block(block, tables).spoken()
        cells.append(told + first)
        languages.append(spoken)
        first += len(block)
    return Spoken(np.concatenate(cells), np.concatenate(languages), tables.codes)


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
        script = tables.scripts_of(codes[words.starts])
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
        cells = np.append(self._cell[latin], self._cell[foreign[0]])
        pairs = np.unique(cells << 8 | np.append(of_stretch[latin], foreign[1]))
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
        total = _sums(evidence, self._conversations)
        likeliest = total[:, : tables.of_lexicon].max(axis=1)
        small = _sums(self._small, self._conversations)
        everyday = _sums(self._everyday[:, latin], self._conversations) >= _LEAST_EVERYDAY
        frequent = (small >= _SEVERAL_WORDS)[:, None] & (total >= _MUCH_EVIDENCE)
        total[~(everyday | frequent)] = 0
        best = total.argmax(axis=1)
        strange = (small >= _LEAST_WORDS) & (likeliest < 0) | (small >= _ENOUGH_WORDS)
        languages = np.where(strange, tables.number[UNKNOWN], tables.number[NONE])
        told = total.max(axis=1) >= _LEAST_EVIDENCE
        languages[told] = latin[best[told]]
        letters = _sums(self._letters, self._conversations)
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
        letters = _sums(self._letters, self._conversations)[self._of_conversation[stretches]]
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


def _sums(rows: Numbers | Evidence, bounds: Numbers) -> Numbers:
    """The sum of the rows between successive bounds."""
    sums = np.zeros((len(rows) + 1, *rows.shape[1:]), dtype=np.int64)
    np.cumsum(rows, axis=0, out=sums[1:])
    between: Numbers = sums[bounds[1:]] - sums[bounds[:-1]]
    return between


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
