"""Finnish: names in the cases in which running text has them, without consonant gradation.

The endings follow the general rules for foreign names: an ``i`` joins a final consonant, and the vowels of the
ending agree with those of the name.
"""

_BACK = frozenset("aouAOU")


def inflected(name: str, case: str) -> str:
    """A name in the genitive, inessive, elative or illative.

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
    if case == "inessive":
        return f"{stem}ss{vowel}"
    if case == "elative":
        return f"{stem}st{vowel}"
    if stem[-2:-1] == stem[-1:]:
        return stem + "seen"
    return stem + stem[-1] + "n"
