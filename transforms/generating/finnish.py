"""Finnish names in the cases of the language."""

_BACK = frozenset("aouAOU")
ENDINGS = {
    "genitive": "n", "partitive": "a", "essive": "na", "translative": "ksi", "inessive": "ssa",
    "elative": "sta", "adessive": "lla", "ablative": "lta", "allative": "lle", "illative": "",
}  # fmt: skip
"""The ending of each case with back vowels; that of the illative follows from the name."""


def inflected(name: str, case: str) -> str:
    """Inflect a name in Finnish.

    Endings follow the general rules for foreign names: an ``i`` is added after a final consonant, and the
    vowels of the ending agree with those of the name.

    >>> inflected("Oulu", "inessive"), inflected("Berlin", "elative"), inflected("Lahti", "illative")
    ('Oulussa', 'Berlinistä', 'Lahtiin')
    """
    stem, ending = name, ENDINGS.get(case, "")
    if name.endswith("nen"):
        stem, ending = (name[:-3], "sta") if case == "partitive" else (f"{name[:-3]}se", ending)
    elif name[-1].lower() not in "aeiouyäö":
        stem = name + "i"
    if case == "illative":
        return stem + ("seen" if stem[-2:-1] == stem[-1:] else stem[-1] + "n")
    is_back = not _BACK.isdisjoint(name.split()[-1])
    return stem + (ending if is_back else ending.replace("a", "ä"))
