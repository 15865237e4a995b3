"""What the sample is made of: names, places, organisations and products of the data folder."""

from functools import lru_cache
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


@lru_cache(maxsize=1)
def origins() -> tuple[Origin, ...]:
    """Every origin of names, in the order of the file."""
    return tuple(
        Origin(entry["weight"], separated(entry["first"]), separated(entry["last"]))
        for entry in DATA.document("names.yaml")["origins"].values()
    )


@lru_cache(maxsize=1)
def origin_wheel() -> tuple[Origin, ...]:
    """Each origin repeated by its weight, to draw from."""
    return tuple(origin for origin in origins() for _ in range(origin.weight))


@lru_cache(maxsize=1)
def heard_as() -> dict[str, str]:
    """Names to the spellings that a recogniser writes for the same sound."""
    return dict(DATA.document("names.yaml")["heard_as"])


@lru_cache(maxsize=1)
def nicknames() -> dict[str, str]:
    """Given names to what friends call the person."""
    return dict(DATA.document("names.yaml")["nicknames"])


@lru_cache(maxsize=1)
def towns() -> tuple[Town, ...]:
    """Towns of the United States."""
    return tuple(Town(*line.split("|")) for line in DATA.document("places.yaml")["towns"])


@lru_cache(maxsize=1)
def canadian_towns() -> tuple[Town, ...]:
    """Towns of Canada."""
    return tuple(Town(*line.split("|")) for line in DATA.document("places.yaml")["canadian_towns"])


def places(kind: str) -> tuple[str, ...]:
    """A list from ``places.yaml``: cities, countries, neighbourhoods, streets, street_kinds, units."""
    return DATA.listed("places.yaml", kind)


def organization_words(kind: str) -> tuple[str, ...]:
    """A list from ``organizations.yaml``, such as stems, forms, standing, known, medical or handles."""
    return DATA.listed("organizations.yaml", kind)


@lru_cache(maxsize=1)
def products() -> tuple[str, ...]:
    """Products that anybody may mention, invented and known."""
    return invented_products() + DATA.listed("organizations.yaml", "products", "known")


@lru_cache(maxsize=1)
def invented_products() -> tuple[str, ...]:
    """Products that a firm of the corpus may sell."""
    return DATA.listed("organizations.yaml", "products", "invented")
