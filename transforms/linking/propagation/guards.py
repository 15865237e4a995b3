"""Guards for words that are also names: ``Will you`` and ``mark the date`` name nobody.

Whether a word is a mention of a known name is told by how much it is a word of the conversation's languages
(levels 0 to 4 of the shipped lists, and ``guards.yaml``), by its capital, and by the words around it.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.linking.names import titles
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml
from tacenda.transforms.text.word_hash import hashes_of

_AROUND = 48
"""Characters on each side that are looked at."""
_SAME_LANGUAGE = 0.75
"""As names are read (``detecting/names/reading.py``)."""
_FEW_WORDS = 3
"""Everyday words below which English is one of the guesses."""
_UNUSUAL, _COMMON, _EVERYDAY = 1, 2, 3
"""Levels of words."""
_SURELY_NAMES = 3
"""The level of a given or family name from which on a common word is a name as well."""
_CUE_WORDS = 4
_OPENS = re.compile(r"(?:^|[.!?:;…\n\r\"“”„»«•*>|\]])[\s'’(¿¡\-–—]*$")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NEXT = re.compile(r"(['’]s\b)?\s*([,.!?:;)\n\r]|$)?\s*(\w+)?")


class Facts(NamedTuple):
    """What the lists say of a word: levels as a given and a family name, and as a word in each language."""

    given: int
    family: int
    levels: tuple[int, ...]


class Vocabulary:
    """The languages of one conversation, and how much something is a word in them.

    Args:
        words: the different words of the conversation, in small letters.
    """

    def __init__(self, words: Collection[str]) -> None:
        lists = lexicon()
        kinds = lists.kinds_of([*words] or [""])
        sets, number = lists.everyday
        counts = sets[number[kinds]].sum(axis=0)
        best = int(counts.max(initial=0))
        plausible = (counts >= _SAME_LANGUAGE * best) & (counts > 0)
        if best < _FEW_WORDS:
            plausible[lists.languages.index("en")] = True
        self._languages = np.flatnonzero(plausible).tolist()

    def level(self, word: str) -> int:
        """How much a word in small letters is one of these languages, 0 to 4."""
        return _EVERYDAY if word in _rules().also_words else self.listed_level(word)

    def listed_level(self, word: str) -> int:
        """The same by the lists alone, which have words that are mostly names (mark, smith) as no words."""
        levels = facts(word).levels
        return max((levels[language] for language in self._languages), default=0)

    def may_be_name(self, word: str) -> bool:
        """Whether a part of what was found as a name is a name, and no greeting or verb beside one."""
        known = facts(word)
        return self.level(word) < _COMMON or max(known.given, known.family) >= _SURELY_NAMES


@lru_cache(maxsize=65_536)
def facts(word: str) -> Facts:
    """What the lists say of a word in small letters."""
    lists = lexicon()
    kind = int(lists.kinds_of([word])[0])
    return Facts(int(lists.given[kind]), int(lists.family[kind]), tuple(lists.word[kind].tolist()))


class Place:
    """A word in its cell, as far as guards look around it."""

    def __init__(self, text: str, start: int, end: int) -> None:
        """``text`` may be more than the cell, which ends where a null character or the text does."""
        self.word = text[start:end]
        self.before = text[max(start - _AROUND, 0) : start].rpartition("\0")[2]
        self.after = text[end : end + _AROUND].partition("\0")[0]
        letters = self.before + self.after
        self.is_cased = letters != letters.lower() or not letters.strip()
        self.is_shouted = len(self.word) > 1 and self.word.isupper() and letters == letters.upper()
        self.has_capital = self.word[:1].isupper() and not self.is_shouted
        self.in_title = _is_title(self.before, self.after)

    @property
    def opens_sentence(self) -> bool:
        """Whether nothing stands before it in its sentence."""
        return _OPENS.search(self.before) is not None

    @property
    def is_introduced(self) -> bool:
        """Whether a title, or words that only stand before names, stand right before it."""
        words = [word.lower() for word in _WORD.findall(self.before)[-_CUE_WORDS:]]
        if not words or self.before[-1:] not in (" ", ".", ","):
            return False
        if words[-1] in titles():
            return True
        hashes = hashes_of(words)
        cells, last = np.zeros(len(words), dtype=np.int64), np.array([len(words) - 1])
        return bool(lexicon().cues.strength(hashes, cells, last)[0])

    @property
    def follows(self) -> tuple[bool, str]:
        """Whether a sign that closes a name follows, and the word behind it."""
        match = _NEXT.match(self.after)
        assert match is not None, "all of it is optional"
        return bool(match[1] or match[2] is not None), (match[3] or "").lower()


def is_mention(place: Place, word: str, vocabulary: Vocabulary, *, sure: bool) -> bool:
    """Whether a word in its place is a mention of a known name.

    Args:
        place: where it stands.
        word: itself, in small letters.
        vocabulary: that of the conversation.
        sure: whether the name is known in this very form; of a nickname or a form by ear more is asked.
    """
    level = vocabulary.level(word)
    rules = _rules()
    closed, after = place.follows
    if level >= _COMMON or not sure:
        if not closed and after in rules.never_after_names and (level >= _UNUSUAL or not place.has_capital):
            return False
        if place.in_title and level >= _COMMON:
            return False
    if level == 0:
        return sure or place.has_capital or not place.is_cased
    if place.has_capital and (level < _COMMON or not place.opens_sentence):
        return True
    if place.has_capital:
        return closed or after in rules.after_names
    if level == _UNUSUAL and sure and not place.is_cased:
        return True
    return place.is_introduced


def _is_title(before: str, after: str) -> bool:
    """Whether most words around have a capital, so that one says nothing."""
    words = [word for word in _WORD.findall(before)[1:] + _WORD.findall(after)[:-1] if len(word) > 3]
    return len(words) > 3 and sum(word[0].isupper() for word in words) > 0.6 * len(words)


class _Rules(NamedTuple):
    also_words: frozenset[str]
    after_names: frozenset[str]
    never_after_names: frozenset[str]


@built_once
def _rules() -> _Rules:
    data = parse_yaml(files(__package__).joinpath("guards.yaml").read_text(encoding="utf-8"))
    return _Rules(*(frozenset(data[name].split()) for name in _Rules._fields))
