"""Given names by gender and family names, by origin: from Faker's locales and our own list of the generator."""

import importlib
import json
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml
from installed import folder
from spelling import folded, plain

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
        # The collections take precedence over the list that contains a name.
        own = known.get(plain(folded(name)).replace("-", ""), part) if part in "fmn?" else part
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
