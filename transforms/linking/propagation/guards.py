"""Guards against words that are also names: ``Will you`` and ``mark the date`` contain no name.

Whether a word is a mention of a known name is decided by how common it is in the conversation's languages
(levels 0 to 4 of the shipped lists, and
``names_that_are_words``), by its capitalisation, and by the words around it.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from tacenda.transforms.detecting.names.lexicon import kind_of, lexicon
from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.linking.names import titles
from tacenda.transforms.storage.process_cache import remembered

_AROUND = 48  # characters of context on each side
_UNUSUAL, _COMMON, _EVERYDAY = 1, 2, 3  # levels of how common a word is
_LEAST_LETTERS = 3
_ABBREVIATION = 4  # most letters of an all-capitals word that may be an abbreviation
_FEW_CAPITALS = 0.05
"""If fewer distinct words than this share are capitalised, capitals are no evidence in the conversation."""
_LISTED = 2  # minimum level at which the lists have a word as an established name
_SURELY_NAMES = 3  # minimum level of a given or family name for a common word to count as a name too
_CUE_WORDS = 4
_OPENS = re.compile(r"(?:^|[.!?:;…\n\r\"“”„»«•*>|\]])[\s'’(¿¡\-–—]*$")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NEXT = re.compile(r"[^\S\n]*(?!['’]s\b)[^\w,.!?:;)\n\r]*(\w+)")


class Facts(NamedTuple):
    """List levels of a word: as a given name, as a family name, and as a word in each language."""

    given: int
    family: int
    levels: tuple[int, ...]


class Vocabulary:
    """The languages of one conversation, and how common a word is in them.

    Args:
        words: the distinct words of the conversation.
    """

    def __init__(self, words: Collection[str]) -> None:
        lists = lexicon()
        kinds = lists.kinds_of([*{word.lower() for word in words}] or [""])
        sets, number = lists.everyday
        counts = sets[number[kinds]].sum(axis=0, dtype=np.int64)
        self.has_capitals = has_capitals(words)
        self._words = words
        self._languages = np.flatnonzero(lists.plausible(counts[None])[0]).tolist()

    def __contains__(self, word: str) -> bool:
        """Whether the conversation has a word in small letters."""
        return word in self._words

    def level(self, word: str) -> int:
        """How common a lower-case word is in these languages, 0 to 4."""
        return _EVERYDAY if word in word_list("names_that_are_words") else self.listed_level(word)

    def listed_level(self, word: str) -> int:
        """:meth:`level` by the lists alone, where words that are mostly names (mark, smith) have level 0."""
        levels = facts(word).levels
        return max((levels[language] for language in self._languages), default=0)

    def may_be_name(self, word: str) -> bool:
        """Whether a part of a detected name is a name, not a greeting or verb next to one."""
        known = facts(word)
        return self.level(word) < _COMMON or max(known.given, known.family) >= _SURELY_NAMES


def has_capitals(words: Collection[str]) -> bool:
    """Whether capitals are evidence in a text with these distinct words: enough of them have one."""
    return sum(word[:1].isupper() for word in words) > _FEW_CAPITALS * len(words)


@remembered
def facts(word: str) -> Facts:
    """List levels of a word in lower case."""
    lists = lexicon()
    kind = kind_of(word)
    return Facts(int(lists.given[kind]), int(lists.family[kind]), tuple(lists.word[kind].tolist()))


class Place:
    """A word in its cell, with the context that guards examine."""

    def __init__(self, text: str, start: int, end: int) -> None:
        """``text`` may hold several cells: a cell ends at a null character or at the end of the text."""
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
        """Whether it is the first word of its sentence."""
        return _OPENS.search(self.before) is not None

    @property
    def is_introduced(self) -> bool:
        """Whether a title, or words that only precede names, come directly before it."""
        words = [word.lower() for word in _WORD.findall(self.before)[-_CUE_WORDS:]]
        if not words or self.before[-1:] not in (" ", ".", ","):
            return False
        if words[-1] in titles():
            return True
        return lexicon().cue(words) > 0

    @property
    def next_word(self) -> str:
        """The next word in small letters; empty behind punctuation that ends a name."""
        match = _NEXT.match(self.after)
        return match[1].lower() if match else ""


def is_mention(
    place: Place, word: str, vocabulary: Vocabulary, *, sure: bool, of_label: bool = False
) -> bool:
    """Whether a word, in its context, is a mention of a known name.

    Args:
        place: the word's position.
        word: the word in lower case.
        vocabulary: that of the conversation.
        sure: whether the name is known in exactly this form; other forms need more evidence.
        of_label: whether the name is a speaker's label, and so surely one.
    """
    known, level = facts(word), vocabulary.level(word)
    listed = max(known.given, known.family)
    if len(word) < _LEAST_LETTERS and (level or listed < _LISTED or not place.has_capital):
        return False
    if not of_label and sure:
        # A greeting beside a name, an abbreviation, or a word that stands elsewhere in small letters.
        is_abbreviation = len(place.word) <= _ABBREVIATION and place.word.isupper() and place.is_cased
        if not vocabulary.may_be_name(word) or (listed <= _LISTED and is_abbreviation):
            return False
        if listed < _LISTED and vocabulary.has_capitals and word in vocabulary:
            return False
    if level == 0:
        return sure or place.has_capital or not place.is_cased
    behind = place.next_word
    if behind in word_list("never_after_names") or (place.in_title and level >= _COMMON):
        return False
    if place.has_capital and not place.opens_sentence:
        return sure or level < _COMMON or listed >= _LISTED
    if place.has_capital:
        return sure and (level < _COMMON or not behind or behind in word_list("after_names"))
    return sure and ((level == _UNUSUAL and not place.is_cased) or place.is_introduced)


def _is_title(before: str, after: str) -> bool:
    """Whether most surrounding words are capitalised, so that a capital is no evidence."""
    words = [word for word in _WORD.findall(before)[1:] + _WORD.findall(after)[:-1] if len(word) > 3]
    return len(words) > 3 and sum(word[0].isupper() for word in words) > 0.6 * len(words)
