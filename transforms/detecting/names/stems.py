"""Stems: the base forms of inflected names, such as Helsinki for Helsingissä."""

from collections.abc import Mapping

from tacenda.transforms.detecting.word_lists import languages_with
from tacenda.transforms.storage.process_cache import built_once

_SHORTEST_STEM = 3

_LONGEST_WORD = 64  # longer words are not inflected names; this bounds the time per word


@built_once
def inflections() -> Mapping[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]:
    """For each language, the endings of names, longest first, and changes of stems before them."""
    return {
        language: (tuple(own.get("cases", "").split()), tuple(own.get("changes", {}).items()))
        for language, own in languages_with("inflections").items()
    }


def uninflected(word: str, language: str) -> list[str]:
    """The possible base forms of a lower-case word, without itself.

    >>> uninflected("virtasen", "fi")[-1], uninflected("annas", "sv")
    ('virtanen', ['anna'])
    """
    if len(word) > _LONGEST_WORD:
        return []
    endings, changes = inflections().get(language, ((), ()))
    if not word.endswith(endings):
        return []
    cut = [
        word[: -len(ending)]
        for ending in endings
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM
    ]
    return [*cut, *(stem[: -len(a)] + b for stem in cut for a, b in changes if stem.endswith(a))]
