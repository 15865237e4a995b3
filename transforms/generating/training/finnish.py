"""Inflect names in Finnish.

Endings follow the general rules for foreign names: an ``i`` is added after a final consonant, and the vowels
of the ending agree with those of the name. For ordinary nouns, stems that differ from the word are listed.
"""

from functools import lru_cache

from tacenda.transforms.generating.training import lists

_BACK = frozenset("aouAOU")


_ENDINGS = {"inessive": "ss", "elative": "st", "adessive": "ll", "ablative": "lt"}


@lru_cache(maxsize=1)
def _stems() -> dict[str, str]:
    """Nouns with irregular stems, longest first: ``puoti`` has the stem ``puodi``."""
    stems = {}
    for pair in sorted(lists.listed("words.yaml", "fi", "stems"), key=len, reverse=True):
        word, stem = pair.split(":")
        stems[word] = stem
    return stems


def noun(name: str, case: str) -> str:
    """Inflect a name that ends with an ordinary noun, in any of the cases but the illative.

    >>> noun("Kahvipuoti", "inessive"), noun("Ravintola Lyhty", "genitive"), noun("Leipomo Omena", "adessive")
    ('Kahvipuodissa', 'Ravintola Lyhdyn', 'Leipomo Omenalla')
    """
    for word, stem in _stems().items():
        if name.lower().endswith(word):
            start = len(name) - len(word)
            return name[:start] + inflected(name[start] + stem[1:], case)
    return inflected(name, case)


def inflected(name: str, case: str) -> str:
    """Inflect a name: genitive, inessive, elative, adessive, ablative or illative.

    >>> inflected("Oulu", "inessive"), inflected("Berlin", "elative"), inflected("Lahti", "illative")
    ('Oulussa', 'Berlinistä', 'Lahtiin')
    """
    last = name.split()[-1]
    front = not _BACK.intersection(last)
    vowel = "ä" if front else "a"
    stem = name
    if name.endswith("nen"):
        stem = name[:-3] + "se"
    elif name[-1].lower() not in "aeiouyäö":
        stem = name + "i"
    if case == "genitive":
        return stem + "n"
    if case in _ENDINGS:
        return f"{stem}{_ENDINGS[case]}{vowel}"
    if stem[-2:-1] == stem[-1:]:
        return stem + "seen"
    return stem + stem[-1] + "n"
