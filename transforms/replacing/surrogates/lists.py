"""The lists from which surrogates are drawn, read once per process. Sources are in ``data/NOTICE.md``."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from tacenda.transforms.detecting.word_lists import languages_with
from tacenda.transforms.gazetteers.word_list import genders as genders_of_given_names
from tacenda.transforms.gazetteers.word_list import rows
from tacenda.transforms.generating.data_folder import DataFolder
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import plain_letters

_rows = partial(rows, package=__package__)
document = DataFolder(__package__).document

_SHORT = 3
"""Letters of a short name, which may be an abbreviation."""
_LEAST_NUMBER_WORD = 3
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
    """A city: position in degrees; magnitude 1 below 100,000 people, 2 below a million, otherwise 3.

    ``is_well_known``: it has another name in other languages; ``is_one_word``: its name is one word, with or
    without hyphens, that is not short.
    """

    name: str
    latitude: float
    longitude: float
    magnitude: int
    is_well_known: bool
    is_one_word: bool
    country: str


class Cities(NamedTuple):
    """All cities, also by country; ``by_name`` has the row of a plain name, of the largest city first."""

    rows: tuple[City, ...]
    by_name: Mapping[str, int]
    of_country: Mapping[str, Sequence[City]]


class Countries(NamedTuple):
    """Names of countries: ``by_name`` maps a plain name to language and code, ``names`` is the inverse."""

    by_name: Mapping[str, tuple[str, str]]
    names: Mapping[tuple[str, str], str]
    neighbours: Mapping[str, tuple[str, ...]]


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
    by_name = ({name: tuple(origins) for name, origins in index.items()} for index in (given, family))
    return People(pools, genders, genders_in, *by_name)


@built_once
def cities() -> Cities:
    """The world's cities of at least 15,000 people."""
    table: list[City] = []
    others: dict[str, int] = {}
    of_country: defaultdict[str, list[City]] = defaultdict(list)
    for number, (name, country, north, east, magnitude, known_as) in enumerate(_rows("cities.tsv.xz")):
        is_word = len(name) > _SHORT and name.replace("-", "").isalpha()
        place = int(north) / 10, int(east) / 10
        city = City(name, *place, int(magnitude), bool(known_as), is_word, country)
        table.append(city)
        of_country[country].append(city)
        for other in filter(None, known_as.split("|")):
            others.setdefault(plain_letters(other), number)
    # Of several cities with one name, the largest is the most likely.
    by_size = sorted(range(len(table)), key=lambda number: (table[number].magnitude, -number))
    by_name = {plain_letters(table[number].name): number for number in by_size}
    return Cities(tuple(table), {**others, **by_name}, of_country)


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


@built_once
def number_words() -> frozenset[str]:
    """Numbers in words, in all languages, without the shortest, which are other words too."""
    told = languages_with("spoken").values()
    words = (word for one in told for name in ("numbers", "ordinals") for word in one[name].split())
    return frozenset(word for word in words if len(word) >= _LEAST_NUMBER_WORD)
