"""Dictionaries for the sample: a stand-in for a company's own list of users and companies.

The paper's method uses custom dictionaries from such a database, which has most names but never all.
"""

from collections.abc import Iterable

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory


def _share(seed: int, kind: str, coverage: float, names: Iterable[str]) -> list[str]:
    """The names in the database; whether a name is included does not depend on the others."""
    if not 0 <= coverage <= 1:
        raise ValueError(f"coverage must lie between 0 and 1, not {coverage}")
    return [name for name in sorted(set(names)) if Draw(kind, seed, name).chance(coverage)]


def person_dictionary(seed: int, coverage: float = 0.9) -> list[str]:
    """Given and family names, sorted: a share of all that the generator can produce.

    Raises:
        ValueError: ``coverage`` is not within 0 … 1.
    """
    names = (name for origin in inventory.origins() for name in (*origin.firsts, *origin.lasts))
    return _share(seed, "person", coverage, names)


def organization_dictionary(seed: int, coverage: float = 0.9) -> list[str]:
    """Names of organisations, sorted: a share of all that the generator can produce.

    Raises:
        ValueError: ``coverage`` is not within 0 … 1.
    """
    words = inventory.organization_words
    lasts = sorted({last for origin in inventory.origins() for last in origin.lasts})
    names = [
        *words("stems"),
        *words("standing"),
        *words("known"),
        *words("banks"),
        *words("shops"),
        *(f"{stem} {form}" for stem in words("stems") for form in words("forms")),
        *(f"{last} {form}" for last in lasts for form in words("family_forms")),
    ]
    return _share(seed, "organization", coverage, names)


def common_words() -> list[str]:
    """Everyday words that are names in the dictionaries; for the config to exclude."""
    return list(inventory.DATA.document("common_words.yaml")["words"])
