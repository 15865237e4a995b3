"""Inflected names: ``Virtaselle`` and ``Virtasen`` are forms of ``Virtanen``, in Finnish conversations."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from tacenda.transforms.detecting.names.stems import uninflected
from tacenda.transforms.detecting.word_lists import languages_with
from tacenda.transforms.linking.names import gender_of
from tacenda.transforms.linking.propagation.guards import facts
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.text.characters import plain_letters

_VOWELS = frozenset("aeiouy")
_SHORTEST = 3  # fewest letters of a stem
_LONGEST = 32  # most letters of a word that may be an inflected name
_FAMILY = 3  # the level from which on the lists have a word as a common family name
_LISTED = 2  # the level from which on the lists have a word as a name


@built_once
def _inflections() -> Mapping[str, Mapping[str, Any]]:
    return languages_with("inflections")


@remembered
def stems(word: str, language: str) -> Sequence[str]:
    """The plain forms (``plain_letters``) that a lower-case word may be inflected from, without itself.

    >>> stems("karlssons", "sv"), stems("juanita", "es")
    (['karlsson'], ['juana'])
    """
    entry = _inflections().get(language)
    if entry is None or not _SHORTEST < len(word) <= _LONGEST:
        return []
    found = [plain_letters(stem) for stem in uninflected(word, language)]
    found += [
        stem[: -1 - len(weak)] + strong + stem[-1]
        for stem in found
        for weak, strong in entry.get("weakened", {}).items()
        if stem[:-1].endswith(weak) and stem[-1] in _VOWELS
    ]
    endings = dict.fromkeys(entry.get("endings", "").split(), "")
    endings |= {ending: instead for instead, ending in entry.get("diminutives", {}).items()}
    found += [
        plain_letters(word[: -len(ending)] + instead)
        for ending, instead in endings.items()
        if word.endswith(ending)
    ]
    return [stem for stem in dict.fromkeys(found) if len(stem) >= _SHORTEST and stem != word]


@lru_cache(maxsize=65_536)  # names are asked for again and again, and their stems take long
def possible_stems(word: str) -> Sequence[str]:
    """The words that a folded one may be a form of in any language."""
    of_languages = (stems(word, language) for language in _inflections())
    return list(dict.fromkeys(chain.from_iterable(of_languages)))


@remembered
def are_forms(one: str, other: str, language: str) -> bool:
    """Whether two folded words are forms of one name: either of the other, or both of a listed name.

    A name of its own is no form of another: Andreas is not Andrea's, and Peters is a family.
    """
    ours, theirs = stems(one, language), stems(other, language)
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
