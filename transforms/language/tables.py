"""Evidence for languages: of each word, and of the script of each code point."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.names.lexicon import Lexicon, lexicon
from tacenda.transforms.detecting.word_lists import data_file
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.words import Hashes, HashIndex, hashes_of

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

    ``beside`` maps numbers of other scripts to the language that this script is in if those occur, too.
    """

    name: str
    languages: tuple[str, ...]
    least: int
    beside: tuple[tuple[int, str], ...] = ()


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
        """For each script, whether every letter is a word."""
        heard = {*self.languages}
        self.by_script_alone = tuple(
            code for script in self.scripts for code in script.languages if code not in heard
        )
        """Languages without a word list, identified by their script."""
        self.codes = (*self.languages, *self.by_script_alone, UNKNOWN, NONE)
        self.number = {code: number for number, code in enumerate(self.codes)}
        self._script_of = np.zeros(_LAST_TABULATED, dtype=np.uint8)
        for number, script in enumerate(data["scripts"].values(), start=1):
            for first, last in script["blocks"]:
                self._script_of[first : last + 1] = number

    def scripts_of(self, codes: npt.NDArray[np.unsignedinteger]) -> npt.NDArray[np.uint8]:
        """The script number of each code point; unlisted code points count as Latin, 0."""
        scripts: npt.NDArray[np.uint8] = self._script_of[np.minimum(codes, _LAST_TABULATED - 1)]
        return scripts

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
