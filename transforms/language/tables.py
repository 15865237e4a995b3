"""What words and letters say of a language: evidence a word, and the script of a code point."""

from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.names.lexicon import Lexicon, lexicon
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml
from tacenda.transforms.text.hash_index import HashIndex
from tacenda.transforms.text.word_hash import Hashes, hashes_of

Evidence = npt.NDArray[np.int32]
"""In tenths of a natural logarithm: whole numbers, whose sums do not depend on what else is in a batch."""

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

UNKNOWN, NONE = "und", "none"
"""Words of no language that is known here; and too few words to tell. Both are reported as languages are."""

_BY_LEVEL = (-34, 5, 19, 42, 65)
"""How much likelier (tenths of a natural logarithm) a word of each level of the lists is in its language than
in one that is not known, where every word is one in 300,000. A word of level 4 is 2 in 1,000 words, of level 1
2 in a million (``infra/gazetteers/common_words.py``), of level 0, in no list of 40,000, one in ten million."""

_LISTED, _UNLISTED = 50, -5
"""The same of a language of which only its few dozen commonest words are listed."""

_EVERYDAY = 42
"""Evidence of a word from which on it is an everyday one."""

_COUNT = 1 << 20
"""What an everyday word adds above the evidence, to be summed with it in one go."""

_LETTER = 15
"""What a letter says that few languages have."""

_LAST_TABULATED = 0x40000
_LAST_LATIN = 0x2000


@dataclass(frozen=True, slots=True)
class Script:
    """A script: the languages written in it, the first where words say nothing, and how many letters count.

    ``beside`` are numbers of scripts, and the language that this one is in where those are written, too.
    """

    name: str
    languages: tuple[str, ...]
    least: int
    beside: tuple[tuple[int, str], ...] = ()


class LanguageTables:
    """``languages`` are all that words tell: first the ``of_lexicon`` ones of the lexicon, then the others.

    ``scripts`` begins with Latin, in which all languages are written that stand with no other script.
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
        elsewhere = {code for script in data["scripts"].values() for code in script["languages"]}
        latin = tuple(code for code in self.languages if code not in elsewhere)
        numbers = {name: number for number, name in enumerate(data["scripts"], start=1)}
        self.scripts = (
            Script("Latin", latin, 1),
            *(
                Script(
                    name,
                    tuple(script["languages"]),
                    script["least"],
                    tuple((numbers[other], code) for other, code in script.get("beside", {}).items()),
                )
                for name, script in data["scripts"].items()
            ),
        )
        spaced = [True, *(script.get("spaced", True) for script in data["scripts"].values())]
        self.alone: Flags = ~np.array(spaced)
        """Of each script, whether its letters stand for words of their own."""
        heard = {*self.languages}
        self.by_script_alone = tuple(
            code for script in self.scripts for code in script.languages if code not in heard
        )
        """Languages without a list of words, told by their script."""
        self.codes = (*self.languages, *self.by_script_alone, UNKNOWN, NONE)
        self.number = {code: number for number, code in enumerate(self.codes)}
        self._script_of = np.zeros(_LAST_TABULATED, dtype=np.uint8)
        for number, script in enumerate(data["scripts"].values(), start=1):
            for first, last in script["blocks"]:
                self._script_of[first : last + 1] = number

    def scripts_of(self, codes: npt.NDArray[np.unsignedinteger]) -> npt.NDArray[np.uint8]:
        """The number of the script of each code point; what is in none that is listed counts as Latin, 0."""
        if codes.itemsize == 1:
            return np.zeros(len(codes), dtype=np.uint8)
        scripts: npt.NDArray[np.uint8] = self._script_of[np.minimum(codes, _LAST_TABULATED - 1)]
        return scripts

    def evidence(self, hashes: Hashes, may_be_name: Flags, bounds: Numbers) -> tuple[Evidence, Evidence]:
        """What the words between each bound and the next say, as a column a language, against one not known.

        Beside it, how many of them are everyday words of each language. That a word is in no list says nothing
        where it is a name or ``may_be_name``. Bounds lie at most some hundred words apart.
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
        """Places of letters that few languages have, and a row of what each says for every language."""
        if codes.itemsize == 1:
            return np.zeros(0, np.int64), np.zeros((0, len(self.languages)), np.int32)
        kinds = self._letter_kinds[np.minimum(codes, len(self._letter_kinds) - 1)]
        places = np.flatnonzero(kinds)
        return places, self._by_letter[kinds[places]]


def _summed(rows: Evidence, bounds: Numbers) -> Evidence:
    """The sum of the rows between each bound and the next; together they are all rows."""
    sums = np.zeros((len(bounds) - 1, rows.shape[1]), dtype=np.int32)
    filled = np.flatnonzero(bounds[1:] > bounds[:-1])
    if len(filled):
        sums[filled] = np.add.reduceat(rows, bounds[filled], axis=0)
    return sums


def _packed(evidence: Evidence) -> Evidence:
    """Evidence with a count of everyday words above it; behind all rows are those of possible names."""
    both = np.concatenate((evidence, np.maximum(evidence, 0)))
    return both + _COUNT * (both >= _EVERYDAY).astype(np.int32)


def _evidence_of_listed(lists: list[str]) -> tuple[HashIndex, Evidence]:
    """An index of all words of some lists, and of each word what it says for each list's language."""
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
    """The shipped tables, read once in a process."""
    data = parse_yaml(files(__package__).joinpath("languages.yaml").read_text(encoding="utf-8"))
    return LanguageTables(lexicon(), data)
