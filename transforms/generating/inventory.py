"""Read the data files beside this module, once."""

from functools import cache, lru_cache
from importlib import resources
from typing import Any, NamedTuple

from tacenda.transforms.storage.yaml_text import parse_yaml


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


def document(name: str) -> Any:
    """One parsed YAML file of the data folder; ``name`` is relative to it."""
    return parse_yaml(resources.files(__package__).joinpath("data", *name.split("/")).read_text("utf-8"))


def _split(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(","))


@lru_cache(maxsize=1)
def origins() -> tuple[Origin, ...]:
    """Every origin of names, in the order of the file."""
    return tuple(
        Origin(entry["weight"], _split(entry["first"]), _split(entry["last"]))
        for entry in document("names.yaml")["origins"].values()
    )


@lru_cache(maxsize=1)
def origin_wheel() -> tuple[Origin, ...]:
    """Each origin repeated by its weight, to draw from."""
    return tuple(origin for origin in origins() for _ in range(origin.weight))


@lru_cache(maxsize=1)
def heard_as() -> dict[str, str]:
    """Names to the spellings that a recogniser writes for the same sound."""
    return dict(document("names.yaml")["heard_as"])


@lru_cache(maxsize=1)
def nicknames() -> dict[str, str]:
    """Given names to what friends call the person."""
    return dict(document("names.yaml")["nicknames"])


@lru_cache(maxsize=1)
def _places() -> dict[str, Any]:
    return dict(document("places.yaml"))


@lru_cache(maxsize=1)
def towns() -> tuple[Town, ...]:
    """Towns of the United States."""
    return tuple(Town(*line.split("|")) for line in _places()["towns"])


@lru_cache(maxsize=1)
def canadian_towns() -> tuple[Town, ...]:
    """Towns of Canada."""
    return tuple(Town(*line.split("|")) for line in _places()["canadian_towns"])


@cache
def places(kind: str) -> tuple[str, ...]:
    """A list from ``places.yaml``: cities, countries, neighbourhoods, streets, street_kinds, units."""
    return _split(_places()[kind])


@lru_cache(maxsize=1)
def _organizations() -> dict[str, Any]:
    return dict(document("organizations.yaml"))


@cache
def organization_words(kind: str) -> tuple[str, ...]:
    """A list from ``organizations.yaml``, such as stems, forms, standing, known, medical or handles."""
    return _split(_organizations()[kind])


@lru_cache(maxsize=1)
def products() -> tuple[str, ...]:
    """Products that anybody may mention, invented and known."""
    return invented_products() + _split(_organizations()["products"]["known"])


@lru_cache(maxsize=1)
def invented_products() -> tuple[str, ...]:
    """Products that a firm of the corpus may sell."""
    return _split(_organizations()["products"]["invented"])
