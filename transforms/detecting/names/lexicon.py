"""Lexicon: what the lists know about each word, as small tables indexed by kind of word.

The lists have a million words but only some thousand distinct combinations of levels and classes, called
kinds. Only the hash and the kind of each word are stored. Kind 0 is for words in no list.
"""

import platform
import unicodedata
from collections.abc import Sequence
from importlib.resources import files

import numpy as np
import numpy.typing as npt
import yaml

from tacenda.transforms.detecting.names import bitfields as packing
from tacenda.transforms.detecting.names.facts import FactTable, Flags, Kinds
from tacenda.transforms.detecting.names.lists import Levels, header, listed
from tacenda.transforms.detecting.names.phrases import Phrases
from tacenda.transforms.gazetteers.word_list import NAMES, ORGANIZATIONS, PLACES, WORDS, read
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build_anyway
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.text.words import Hashes, HashIndex, HashTable, hashes_of, joined

_CLASSES = (
    "titles", "particles", "suffixes", "organization_ends", "organization_heads", "joiners", "place_parts",
    "place_prepositions", "state_codes", "field_labels", "place_abbreviations", "determiners",
    "person_prepositions", "korean_syllables", "chinese_syllables", "closes_cue",
)  # fmt: skip

_OF_TERMS = ("organization", "opens", "opens_country", "goes_on")
"""Information about words as parts of places and organisations."""

_LONGEST_CUE = 4
"""Most words of a phrase that introduces or asks for a name."""

_EVERYDAY = 3
"""Minimum level of words that identify the language."""

_SHORTEST_KOREAN = 5
"""Fewest letters of a Korean given name in one word; shorter ones resemble too many other words."""

_BY_WORD = (
    "titles", "particles", "suffixes", "organization_ends", "organization_heads", "joiners", "place_parts",
    "place_prepositions", "state_codes", "field_labels",
    "place_abbreviations", "determiners", "person_prepositions", "closes_cue",
)  # fmt: skip
"""Classes looked up for every word; the others are looked up for few words."""


class Lexicon:
    """Tables indexed by a word's kind; ``given``, ``family`` and ``place`` are levels from 0 to 3.

    ``word`` has one column per language, with levels from 0 to 4.
    """

    def __init__(self) -> None:
        closed = yaml.safe_load((files(__package__) / "language.yaml").read_text("utf-8"))
        cues = {
            tuple(cue.split()): strength
            for strength, name in enumerate(("greeting_cues", "naming_cues"), start=1)
            for cue in closed[name]
        }
        self.cues = Cues(cues)
        nouns, terms = (closed[f"languages_with_capital_{kind}"].split() for kind in ("nouns", "terms"))
        several = {name: frozenset(closed[name].split()) for name in _CLASSES[:-1]}
        several["closes_cue"] = frozenset(cue[-1] for cue in cues)

        words = read(WORDS)
        self.languages = header(words)
        self.capital_nouns = frozenset(map(self.languages.index, nouns))
        self.capital_terms = self.capital_nouns.union(map(self.languages.index, terms))
        places = list(listed(read(PLACES), 1))
        organizations = list(listed(read(ORGANIZATIONS)))
        self.phrases = Phrases(organizations, places)
        members, combinations = _members(several)
        hashes, packed = packing.united(
            (
                *map(packing.names, listed(read(NAMES), 2)),
                *map(packing.words, listed(words, len(self.languages))),
                *map(packing.places, places),
                *map(packing.organizations, organizations),
                members,
                _korean(closed["korean_syllables"].split()),
            )
        )
        rows = np.unique(np.append(packed, np.uint64(0)))
        kinds = np.searchsorted(rows, packed).astype(np.uint16)

        self.given: Levels = packing.field(rows, "given")
        self.family: Levels = packing.field(rows, "family")
        self.given[(self.given == 0) & (self.family == 0) & (packing.field(rows, "composed") > 0)] = 1
        self.place: Levels = packing.field(rows, "place")
        self.word: Levels = packing.word_levels(rows, len(self.languages))
        self.is_in: dict[str, Flags] = {
            name: has[packing.classes(rows)] for name, has in zip(_CLASSES, combinations.T, strict=True)
        }
        levels = {"given": self.given, "family": self.family, "place": self.place}
        flags = {name: packing.field(rows, name) > 0 for name in _OF_TERMS}
        self.facts = FactTable(levels, flags | {name: self.is_in[name] for name in _BY_WORD})

        self._kinds = HashTable(hashes, kinds, self.word.max(axis=1)[kinds])
        self._word_in: dict[int, Levels] = {}
        patterns, pattern = np.unique(self.word >= _EVERYDAY, axis=0, return_inverse=True)
        self.everyday = patterns, pattern.ravel().astype(np.uint16)
        """Sets of languages (one column each), and for each kind the set in which it is an everyday word."""

    def __len__(self) -> int:
        return len(self._kinds)

    def word_in(self, languages: int) -> Levels:
        """The highest level of each kind in some languages (bit ``i``: column ``i`` of ``word``)."""
        if languages not in self._word_in:
            columns = [i for i in range(len(self.languages)) if languages >> i & 1]
            self._word_in[languages] = self.word[:, columns].max(axis=1, initial=0)
        return self._word_in[languages]

    def kinds(self, hashes: Hashes) -> Kinds:
        """The kind of each word, or 0."""
        return self._kinds.find(hashes)

    def kinds_of(self, words: Sequence[str]) -> Kinds:
        """The kind of each word, else of its form without accents, else 0."""
        found = self.kinds(hashes_of(words))
        accented = [i for i in np.flatnonzero(found == 0).tolist() if not words[i].isascii()]
        if accented:
            found[accented] = self.kinds(hashes_of([plain(words[i]) for i in accented]))
        return found


class Cues:
    """Phrases around names, each with a strength.

    A phrase that introduces names has strength 2 if only a name can follow, 1 if other words may.
    """

    def __init__(self, cues: dict[tuple[str, ...], int]) -> None:
        hashes = np.zeros(len(cues), dtype=np.uint64)
        for i, cue in enumerate(cues):
            words = hashes_of(cue)
            phrase = words[:1]
            for k in range(1, len(words)):
                phrase = joined(phrase, words[k : k + 1])
            hashes[i] = phrase[0]
        order = np.argsort(hashes)
        self._index = HashIndex(hashes[order])
        self._strength = np.zeros(len(cues) + 1, dtype=np.uint8)
        self._strength[1:] = np.array(list(cues.values()))[order]

    def strength(
        self, hashes: Hashes, cells: npt.NDArray[np.integer], places: npt.NDArray[np.int64]
    ) -> Levels:
        """The greatest strength of the phrases that end at each of some words (``places``), or 0."""
        strongest = np.zeros(len(places), dtype=np.uint8)
        for count in range(1, _LONGEST_CUE + 1) if len(places) else ():
            first = places - count + 1
            within = (first >= 0) & (cells[np.maximum(first, 0)] == cells[places])
            phrases = hashes[first[within]]
            for k in range(1, count):
                phrases = joined(phrases, hashes[first[within] + k])
            found = self._strength[self._index.find(phrases)]
            strongest[within] = np.maximum(strongest[within], found)
        return strongest


def plain(word: str) -> str:
    """A word without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c)[0] != "M")


@built_once
def lexicon() -> Lexicon:
    """The shipped lists, read once per machine."""
    return get_or_build_anyway(f"lexicon-{_version()}", Lexicon)


@remembered
def kind_of(word: str) -> int:
    """The kind of one word, as :meth:`Lexicon.kinds_of` has it."""
    return int(lexicon().kinds_of([word])[0])


def _version() -> str:
    """Everything that determines a lexicon: the lists, the code that reads them, and its libraries."""
    lists = ("tacenda.transforms.gazetteers.data", "tacenda.transforms.gazetteers")
    packages = (*lists, __package__, "tacenda.transforms.detecting", "tacenda.transforms.text")
    made_with = (unicodedata.unidata_version, np.__version__, platform.python_version())
    return fingerprint(*map(contents, packages), *made_with)


def _members(classes: dict[str, frozenset[str]]) -> tuple[packing.Entries, Flags]:
    """The words of closed classes, and the classes of each combination (number 0: none)."""
    words = sorted(frozenset().union(*classes.values()))
    belongs = np.array([[word in members for members in classes.values()] for word in words])
    none = np.zeros((1, len(classes)), dtype=np.bool_)
    combinations, numbers = np.unique(np.concatenate((none, belongs)), axis=0, return_inverse=True)
    return packing.members(hashes_of(words), numbers.ravel()[1:].tolist()), combinations


def _korean(syllables: Sequence[str]) -> packing.Entries:
    """Korean given names in one word; no list covers them all."""
    names = [a + b for a in syllables for b in syllables if a != b and len(a + b) >= _SHORTEST_KOREAN]
    return packing.composed(hashes_of(names))
