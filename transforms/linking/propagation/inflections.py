"""Inflections: the names that a word may be an inflected form of, in the conversation's languages."""

from collections.abc import Sequence, Set
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.detecting.names.stems import uninflected
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.storage.yaml_text import parse_yaml
from tacenda.transforms.text.characters import plain_letters

_ENOUGH = 2
"""Words of a language that identify it."""

_VOWELS = frozenset("aeiouy")
_SHORTEST = 3
"""Fewest letters of a stem."""

_LONGEST = 32
"""Most letters of a word that may be an inflected name."""


class Endings(NamedTuple):
    """The endings of names in a language."""

    language: str
    words: frozenset[str]
    plain: tuple[str, ...]
    diminutives: tuple[tuple[str, str], ...]
    """Endings, and the endings they replaced."""
    weakened: tuple[tuple[str, str], ...]
    """Consonants before the last vowel, and their form without an ending."""


def every_language() -> tuple[Endings, ...]:
    """All languages with endings of names."""
    return _languages()


def inflecting(words: Set[str], told: str = "") -> tuple[Endings, ...]:
    """The languages of a conversation: the one that it was told to have, and those of its lower-case words."""
    return tuple(
        endings
        for endings in _languages()
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


@built_once
def _languages() -> tuple[Endings, ...]:
    data = parse_yaml(files(__package__).joinpath("languages.yaml").read_text(encoding="utf-8"))
    return tuple(
        Endings(
            language,
            frozenset(entry["words"].split()),
            tuple(entry.get("endings", "").split()),
            tuple((ending, instead) for instead, ending in entry.get("diminutives", {}).items()),
            tuple(entry.get("weakened", {}).items()),
        )
        for language, entry in data.items()
    )
