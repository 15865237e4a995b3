"""Stems: the base forms of inflected names, such as Helsinki for Helsingissä."""

from collections.abc import Sequence

import numpy as np

from tacenda.transforms.detecting.names.facts import Flags, Kinds
from tacenda.transforms.detecting.names.lexicon import Lexicon

_ENDINGS = {
    "fi": (
        "issa", "issä", "ista", "istä", "ille", "illa", "illä", "ilta", "iltä", "iden", "ien", "een", "iin",
        "aan", "ään", "oon", "uun", "ssa", "ssä", "sta", "stä", "lla", "llä", "lle", "lta", "ltä", "ksi",
        "kin", "ia", "iä", "in", "en", "ta", "tä", "n", "a", "ä",
    ),
    "sv": ("s",), "nb": ("s",), "da": ("s",), "de": ("s",),
}  # fmt: skip
"""Endings of names: Finnish cases and Germanic genitives, longest first."""

_CHANGES = (
    ("ngi", "nki"), ("nge", "nki"), ("e", "i"), ("u", "ku"), ("s", "nen"), ("se", "nen"), ("kse", "s"),
    ("d", "t"), ("t", "tt"),
)  # fmt: skip
"""Changes of Finnish stems before an ending (Helsingi-ssä, Suome-n, Turu-n, Virtase-n)."""

_SHORTEST_STEM = 3

_LONGEST_WORD = 64
"""Longer words are not inflected names; this bounds the time per word."""


def has_stems(lexicon: Lexicon) -> Flags:
    """Which languages inflect names."""
    return np.array([language in _ENDINGS for language in lexicon.languages])


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
    cut = [
        word[: -len(ending)]
        for ending in _ENDINGS.get(language, ())
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM
    ]
    return [*cut, *(stem[: -len(a)] + b for stem in cut for a, b in _CHANGES if stem.endswith(a))]
