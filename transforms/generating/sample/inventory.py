"""What the sample is made of: names, places, organisations and products of the data folder."""

from functools import cache
from typing import NamedTuple

from tacenda.transforms.generating.data_folder import DataFolder, separated


class Origin(NamedTuple):
    """Given and family names that occur together."""

    weight: int
    firsts: tuple[str, ...]
    lasts: tuple[str, ...]


class Town(NamedTuple):
    """A North American town, with the beginnings of its addresses and telephone numbers."""

    name: str
    region: str
    letters: str
    area_code: str
    postal_prefix: str


DATA = DataFolder(__package__)


@cache
def origins() -> tuple[Origin, ...]:
    """Every origin of names, in the order of the file."""
    return tuple(
        Origin(entry["weight"], separated(entry["first"]), separated(entry["last"]))
        for entry in DATA.document("names.yaml")["origins"].values()
    )


@cache
def origin_wheel() -> tuple[Origin, ...]:
    """Each origin repeated by its weight, to draw from."""
    return tuple(origin for origin in origins() for _ in range(origin.weight))


@cache
def towns(kind: str = "towns") -> tuple[Town, ...]:
    """Towns of the United States, or ``canadian_towns``."""
    return tuple(Town(*line.split("|")) for line in DATA.document("places.yaml")[kind])


def places(kind: str) -> tuple[str, ...]:
    """A list from ``places.yaml``: cities, countries, neighbourhoods, streets, street_kinds, units."""
    return DATA.listed("places.yaml", kind)


def organization_words(kind: str) -> tuple[str, ...]:
    """A list from ``organizations.yaml``, such as stems, forms, standing, known, medical or handles."""
    return DATA.listed("organizations.yaml", kind)


def products(*kinds: str) -> tuple[str, ...]:
    """Products: ``invented`` ones, which a firm of the corpus may sell, and ``known`` ones."""
    return tuple(product for kind in kinds for product in DATA.listed("organizations.yaml", "products", kind))
