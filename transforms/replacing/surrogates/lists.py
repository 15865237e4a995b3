"""The lists from which surrogates are drawn, read once per process. Sources are in ``data/NOTICE.md``."""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.gazetteers.word_list import genders as genders_of_given_names
from tacenda.transforms.gazetteers.word_list import rows
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml
from tacenda.transforms.text.characters import plain_letters

_rows = partial(rows, package=__package__)

_SHORT = 3
"""Letters of a short name, which may be an abbreviation."""
_FEW = 4
"""If a region has at most this many countries, the whole continent counts as near."""


class People(NamedTuple):
    """Names to draw from and to look up.

    ``pools`` has the names by origin and part: given names f, m and n (borne by both), family names l, or lf
    and lm if a language has two forms. A part with a dash after it is only looked up, never drawn.
    ``genders`` maps plain given names to f, m or n, anywhere and by origin; ``given`` and ``family`` map
    names, plain and with accents, to the origins whose lists have them.
    """

    pools: Mapping[tuple[str, str], tuple[str, ...]]
    genders: Mapping[str, str]
    genders_in: Mapping[tuple[str, str], str]
    given: Mapping[str, tuple[str, ...]]
    family: Mapping[str, tuple[str, ...]]


class City(NamedTuple):
    """A city: position in degrees; magnitude 1 below 100,000 people, 2 below a million, otherwise 3."""

    name: str
    country: str
    latitude: float
    longitude: float
    magnitude: int
    is_well_known: bool


class Cities(NamedTuple):
    """All cities, grouped by country; ``by_name`` looks up a plain name, largest city first.

    The arrays have an entry for each city: position, magnitude, whether it has another name in other
    languages, and whether its name is one word, with or without hyphens, that is not short.
    """

    rows: tuple[City, ...]
    by_name: Mapping[str, int]
    of_country: Mapping[str, range]
    degrees: npt.NDArray[np.float64]
    magnitudes: npt.NDArray[np.int64]
    are_well_known: npt.NDArray[np.bool_]
    are_one_word: npt.NDArray[np.bool_]


class Countries(NamedTuple):
    """Names of countries: ``by_name`` maps a plain name to language and code, ``names`` is the inverse."""

    by_name: Mapping[str, tuple[str, str]]
    names: Mapping[tuple[str, str], str]
    neighbours: Mapping[str, tuple[str, ...]]


def document(name: str) -> Any:
    """A parsed YAML file from the data folder."""
    return parse_yaml((files(__package__) / "data" / name).read_text("utf-8"))


@built_once
def people() -> People:
    """The names of people."""
    pools = {(origin, part): tuple(names.split(" ")) for origin, part, names in _rows("people.tsv.xz")}
    genders = dict(genders_of_given_names())
    genders_in: dict[tuple[str, str], str] = {}
    given: defaultdict[str, list[str]] = defaultdict(list)
    family: defaultdict[str, list[str]] = defaultdict(list)
    for (origin, part), names in pools.items():
        part = part.rstrip("-")
        index = family if part[0] == "l" else given
        for name in names:
            for form in {plain_letters(name), name.casefold()}:
                if origin not in index[form]:
                    index[form].append(origin)
            if index is given:
                genders_in[origin, plain_letters(name)] = part
            if part in ("f", "m"):
                genders.setdefault(plain_letters(name), part)
    return People(
        pools,
        genders,
        genders_in,
        {name: tuple(origins) for name, origins in given.items()},
        {name: tuple(origins) for name, origins in family.items()},
    )


@built_once
def cities() -> Cities:
    """The world's cities of at least 15,000 people."""
    rows: list[City] = []
    by_name: dict[str, int] = {}
    first: dict[str, int] = {}
    others: dict[str, int] = {}
    for number, (name, country, latitude, longitude, magnitude, known_as) in enumerate(
        _rows("cities.tsv.xz")
    ):
        rows.append(
            City(name, country, int(latitude) / 10, int(longitude) / 10, int(magnitude), bool(known_as))
        )
        first.setdefault(country, number)
        for other in filter(None, known_as.split("|")):
            others.setdefault(plain_letters(other), number)
    # Of several cities with one name, the largest is the most likely.
    for number in sorted(range(len(rows)), key=lambda n: (-rows[n].magnitude, n)):
        by_name.setdefault(plain_letters(rows[number].name), number)
    stops = [*list(first.values())[1:], len(rows)]
    of_country = {code: range(start, stop) for (code, start), stop in zip(first.items(), stops, strict=True)}
    degrees = np.array([(city.latitude, city.longitude) for city in rows])
    return Cities(
        tuple(rows),
        {**others, **by_name},
        of_country,
        degrees,
        np.array([city.magnitude for city in rows]),
        np.array([city.is_well_known for city in rows]),
        np.array([len(c.name) > _SHORT and c.name.replace("-", "").isalpha() for c in rows]),
    )


@built_once
def countries() -> Countries:
    """Countries and their names in several languages."""
    table = list(_rows("countries.tsv.xz"))
    languages = table[0][3:]
    by_name: dict[str, tuple[str, str]] = {}
    names: dict[tuple[str, str], str] = {}
    of_continent: defaultdict[str, list[str]] = defaultdict(list)
    beside: dict[str, set[str]] = {}
    for code, continent, near, *row in table[1:]:
        of_continent[continent].append(code)
        beside[code] = set(filter(None, near.split("|")))
        for language, name in zip(languages, row, strict=True):
            by_name.setdefault(plain_letters(name), (language, code))
            names[language, code] = name
    neighbours: dict[str, tuple[str, ...]] = {}
    for codes in of_continent.values():
        for code in codes:
            near_by = beside[code].union(*(beside.get(other, ()) for other in beside[code]))
            around = near_by & beside.keys() - {code}
            neighbours[code] = tuple(sorted(around if len(around) >= _FEW else {*codes} - {code}))
    return Countries(by_name, names, neighbours)
