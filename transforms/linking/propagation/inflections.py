"""Inflected names: ``Virtaselle`` and ``Virtasen`` are forms of ``Virtanen``, in Finnish conversations."""

from collections.abc import Sequence, Set
from functools import cached_property, lru_cache
from typing import NamedTuple

from tacenda.transforms.detecting.names.stems import uninflected
from tacenda.transforms.detecting.word_lists import languages_with
from tacenda.transforms.linking.names import gender_of
from tacenda.transforms.linking.propagation.guards import facts
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.text.characters import plain_letters

_ENOUGH = 2  # words of a language that identify it
_VOWELS = frozenset("aeiouy")
_SHORTEST = 3  # fewest letters of a stem
_LONGEST = 32  # most letters of a word that may be an inflected name


class Endings(NamedTuple):
    """The endings of names in a language."""

    language: str
    words: frozenset[str]
    plain: tuple[str, ...]
    diminutives: tuple[tuple[str, str], ...]
    """Endings, and the endings they replaced."""
    weakened: tuple[tuple[str, str], ...]
    """Consonants before the last vowel, and their form without an ending."""


@built_once
def every_language() -> tuple[Endings, ...]:
    """All languages with endings of names."""
    return tuple(
        Endings(
            language,
            frozenset(entry["telling_words"].split()),
            tuple(entry.get("endings", "").split()),
            tuple((ending, instead) for instead, ending in entry.get("diminutives", {}).items()),
            tuple(entry.get("weakened", {}).items()),
        )
        for language, entry in languages_with("inflections").items()
    )


def inflecting(words: Set[str], told: str = "") -> tuple[Endings, ...]:
    """The languages of a conversation: the one that it was told to have, and those of its lower-case words."""
    return tuple(
        endings
        for endings in every_language()
        if endings.language == told or len(endings.words & words) >= _ENOUGH
    )


@remembered
def stems(word: str, languages: tuple[Endings, ...]) -> Sequence[str]:
    """The plain forms (``plain_letters``) that a lower-case word may be inflected from, without itself.

    >>> stems("karlssons", inflecting({"och", "jag"})), stems("juanita", inflecting({"que", "con"}))
    (['karlsson'], ['juana'])
    """
    if not _SHORTEST < len(word) <= _LONGEST:
        return []
    found: dict[str, None] = {}
    for language in languages:
        cut = list(map(plain_letters, uninflected(word, language.language)))
        found.update(dict.fromkeys(cut))
        for stem in cut:
            for weak, strong in language.weakened:
                if stem[:-1].endswith(weak) and stem[-1] in _VOWELS:
                    found[stem[: -1 - len(weak)] + strong + stem[-1]] = None
        for ending in language.plain:
            if word.endswith(ending):
                found[plain_letters(word[: -len(ending)])] = None
        for ending, instead in language.diminutives:
            if word.endswith(ending):
                found[plain_letters(word[: -len(ending)] + instead)] = None
    return [stem for stem in found if len(stem) >= _SHORTEST and stem != word]


_FAMILY = 3  # the level from which on the lists have a word as a common family name
_LISTED = 2  # the level from which on the lists have a word as a name


class Inflections:
    """The inflections of one conversation's languages; besides the one told, its words say which.

    A name of its own is no form of another: Andreas is not Andrea's, and Peters is a family.
    """

    def __init__(self, texts: Sequence[str] = (), told: str = "") -> None:
        self._texts = texts
        self._told = told

    @cached_property
    def _languages(self) -> tuple[Endings, ...]:
        return inflecting(set("\n".join(self._texts).lower().split()), self._told)

    def are_forms(self, one: str, other: str) -> bool:
        """Whether two folded words are forms of one name: either of the other, or both of a listed name."""
        return _are_forms(one, other, every_language()) and _are_forms(one, other, self._languages)


@lru_cache(maxsize=65_536)  # names are asked for again and again, and their stems take long
def possible_stems(word: str) -> Sequence[str]:
    """The words that a folded one may be a form of in any language."""
    return stems(word, every_language())


@remembered
def _are_forms(one: str, other: str, languages: tuple[Endings, ...]) -> bool:
    ours, theirs = stems(one, languages), stems(other, languages)
    if other in ours:
        return _is_inflected(one, other)
    if one in theirs:
        return _is_inflected(other, one)
    return any(
        max(facts(stem)[:2]) >= _LISTED and _is_inflected(one, stem) and _is_inflected(other, stem)
        for stem in ours
        if stem in theirs
    )


def _is_inflected(word: str, stem: str) -> bool:
    """Whether a word is rather a form of a name than a name of its own."""
    known = facts(word)
    if known.family >= _FAMILY:
        return False
    gender = gender_of(word)
    return not gender or (gender == gender_of(stem) and known.given < facts(stem).given)
