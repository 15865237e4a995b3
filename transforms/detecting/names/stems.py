"""Stems: the base forms of inflected names, such as Helsinki for Helsingissä."""

from collections.abc import Mapping, Sequence
from importlib.resources import files

import numpy as np
import yaml

from tacenda.transforms.detecting.names.facts import Flags, Kinds
from tacenda.transforms.detecting.names.lexicon import Lexicon
from tacenda.transforms.storage.process_cache import built_once

_SHORTEST_STEM = 3

_LONGEST_WORD = 64
"""Longer words are not inflected names; this bounds the time per word."""


@built_once
def _inflections() -> Mapping[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]:
    """For each language, the endings of names, longest first, and changes of stems before them."""
    listed = yaml.safe_load((files(__package__) / "language.yaml").read_text("utf-8"))["inflections"]
    return {
        language: (tuple(own["endings"].split()), tuple(own.get("changes", {}).items()))
        for language, own in listed.items()
    }


def has_stems(lexicon: Lexicon) -> Flags:
    """Which languages inflect names."""
    return np.array([language in _inflections() for language in lexicon.languages])


def stems(words: Sequence[str], languages: Sequence[int], lexicon: Lexicon) -> Kinds:
    """The kind of each word's base form, or 0; ``languages`` are columns of ``lexicon.word``."""
    forms: list[str] = []
    owners: list[int] = []
    for i, (word, language) in enumerate(zip(words, languages, strict=True)):
        several = uninflected(word, lexicon.languages[language])
        forms += several
        owners += [i] * len(several)
    found = np.zeros(len(words), dtype=np.uint16)
    if not forms:
        return found
    kinds = lexicon.kinds_of(forms)
    owner = np.array(owners)
    is_name = (kinds > 0) & (lexicon.word[kinds, np.array(languages)[owner]] == 0)
    # Several endings may fit: take the strongest name; of equal ones, the first.
    weights = 4 * lexicon.place[kinds] + lexicon.given[kinds] + lexicon.family[kinds]
    heaviest = np.full(len(words), -1)
    for k in np.flatnonzero(is_name).tolist():
        if weights[k] > heaviest[owner[k]]:
            heaviest[owner[k]] = weights[k]
            found[owner[k]] = kinds[k]
    return found


def uninflected(word: str, language: str) -> list[str]:
    """The possible base forms of a lower-case word, without itself.

    >>> uninflected("virtasen", "fi")[-1], uninflected("annas", "sv")
    ('virtanen', ['anna'])
    """
    if len(word) > _LONGEST_WORD:
        return []
    endings, changes = _inflections().get(language, ((), ()))
    cut = [
        word[: -len(ending)]
        for ending in endings
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM
    ]
    return [*cut, *(stem[: -len(a)] + b for stem in cut for a, b in changes if stem.endswith(a))]
