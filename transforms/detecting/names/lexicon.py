"""Lexicon: what the lists know about each word, as small tables by kind of word.

The lists hold a million words and yet only some thousand combinations of levels and classes: its kind is all
that is kept of a word, beside the hash by which it is found. Kind 0 is every word that no list knows.
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
from tacenda.transforms.detecting.names.lists import Levels, header, listed, read
from tacenda.transforms.detecting.names.phrases import Phrases
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build_anyway
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.hash_index import HashIndex, HashTable
from tacenda.transforms.text.word_hash import Hashes, hashes_of, joined

_CLASSES = (
    "titles", "particles", "suffixes", "organization_ends", "organization_heads", "joiners", "place_parts",
    "place_prepositions", "name_words", "asking_words", "other_names", "lead_ins", "legal_forms",
    "state_codes", "determiners", "field_labels", "eponym_heads", "place_abbreviations",
    "person_prepositions", "korean_syllables", "chinese_syllables", "closes_cue",
    "closes_question",
)  # fmt: skip

_OF_TERMS = ("organization", "opens", "opens_country", "goes_on")
"""What is known of words as parts of places and organisations."""

_LONGEST_CUE = 4
"""Words of a phrase that introduces a name or asks for one."""

_EVERYDAY = 3
"""Level from which on a word tells the language."""

_SHORTEST_KOREAN = 5
"""Letters of a Korean given name in one word; shorter ones look too much like anything."""

_BY_WORD = (
    "titles", "particles", "suffixes", "organization_ends", "organization_heads", "joiners", "place_parts",
    "place_prepositions", "name_words", "legal_forms", "state_codes", "determiners", "field_labels",
    "eponym_heads", "place_abbreviations", "person_prepositions", "closes_cue", "closes_question",
)  # fmt: skip
"""Classes that every word is asked for; the others are asked for a few words."""


class Lexicon:
    """Tables indexed by a word's kind; ``given``, ``family`` and ``place`` are levels from 0 to 3.

    ``word`` has a column a language, with levels from 0 to 4.
    """

    def __init__(self) -> None:
        closed = yaml.safe_load((files(__package__) / "language.yaml").read_text("utf-8"))
        cues = {
            tuple(cue.split()): strength
            for strength, name in enumerate(("greeting_cues", "naming_cues"), start=1)
            for cue in closed[name]
        }
        self.cues = Cues(cues)
        questions = {tuple(phrase.split()): 1 for phrase in closed["asking_phrases"]}
        self.questions = Cues(questions)
        self.scientific = tuple(closed["scientific_endings"].split())
        several = {name: frozenset(closed[name].split()) for name in _CLASSES[:-2]}
        several["closes_cue"] = frozenset(cue[-1] for cue in cues)
        several["closes_question"] = frozenset(question[-1] for question in questions)

        words = read("words.tsv.xz")
        self.languages = header(words)
        places = list(listed(read("places.tsv.xz"), 1))
        organizations = list(listed(read("organizations.txt.xz")))
        self.phrases = Phrases(organizations, places)
        members, combinations = _members(several)
        hashes, packed = packing.united(
            (
                *map(packing.names, listed(read("names.tsv.xz"), 2)),
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
        """Sets of languages (a column a language), and of each kind the set it is an everyday word in."""

    def __len__(self) -> int:
        return len(self._kinds)

    def word_in(self, languages: int) -> Levels:
        """The highest level of each kind in some languages (bit ``i`` set: column ``i`` of ``word``)."""
        if languages not in self._word_in:
            columns = [i for i in range(len(self.languages)) if languages >> i & 1]
            self._word_in[languages] = self.word[:, columns].max(axis=1, initial=0)
        return self._word_in[languages]

    def kinds(self, hashes: Hashes) -> Kinds:
        """The kind of each word, or 0."""
        return self._kinds.find(hashes)

    def kinds_of(self, words: Sequence[str]) -> Kinds:
        """The kind of each word, of its plain form where only that is known, or 0."""
        found = self.kinds(hashes_of(words))
        accented = [i for i in np.flatnonzero(found == 0).tolist() if not words[i].isascii()]
        if accented:
            found[accented] = self.kinds(hashes_of([plain(words[i]) for i in accented]))
        return found


class Cues:
    """Phrases around names, each with a strength.

    Of those that announce a name it is 2 where nothing but a name can follow, and 1 where other words may.
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
        """The greatest strength of the phrases that end with each of some words (``places``), or 0."""
        strongest = np.zeros(len(places), dtype=np.uint8)
        for count in range(1, _LONGEST_CUE + 1):
            first = places - count + 1
            within = (first >= 0) & (cells[np.maximum(first, 0)] == cells[places])
            phrases = hashes[first[within]]
            for k in range(1, count):
                phrases = joined(phrases, hashes[first[within] + k])
            found = self._strength[self._index.find(phrases)]
            strongest[within] = np.maximum(strongest[within], found)
        return strongest


def plain(word: str) -> str:
    """A word without its accents."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c)[0] != "M")


@built_once
def lexicon() -> Lexicon:
    """The shipped lists, read once on a machine."""
    return get_or_build_anyway(f"lexicon-{_version()}", Lexicon)


def _version() -> str:
    """What a lexicon depends on: the lists, the code that reads them, and what it is made with."""
    packages = (f"{__package__}.data", __package__, "tacenda.transforms.detecting", "tacenda.transforms.text")
    made_with = (unicodedata.unidata_version, np.__version__, platform.python_version())
    return fingerprint(*map(contents, packages), *made_with)


def _members(classes: dict[str, frozenset[str]]) -> tuple[packing.Entries, Flags]:
    """The words of closed classes, and the classes of each of their combinations (number 0: of none)."""
    words = sorted(frozenset().union(*classes.values()))
    belongs = np.array([[word in members for members in classes.values()] for word in words])
    none = np.zeros((1, len(classes)), dtype=np.bool_)
    combinations, numbers = np.unique(np.concatenate((none, belongs)), axis=0, return_inverse=True)
    return packing.members(hashes_of(words), numbers.ravel()[1:].tolist()), combinations


def _korean(syllables: Sequence[str]) -> packing.Entries:
    """Korean given names in one word; no list is long enough for them."""
    names = [a + b for a in syllables for b in syllables if a != b and len(a + b) >= _SHORTEST_KOREAN]
    return packing.composed(hashes_of(names))
