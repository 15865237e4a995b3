"""Words of a language: frequent in text, and listed in lower case by a speller or a lemma list."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml
from babel import Locale
from names import people
from spelling import folded, folder, plain, words

LANGUAGES = ("en", "es", "sv", "fi", "nb", "da", "de", "fr", "it", "pt", "nl")
_LEAST = {"en": 2.4, "es": 2.4, "sv": 2.4, "fi": 2.4, "nb": 2.4, "da": 2.4}
_LEAST_ELSEWHERE = 3.0
"""Minimum Zipf frequency (log10 of uses in a billion words) of a listed form that counts as a word."""

_WORLD = "001"
"""Code of the world among territories (UN M49): its name is a word like any other."""

_FINNISH_CASES = (
    "n", "ssa", "ssä", "sta", "stä", "a", "ä", "an", "än", "in", "en", "on", "lle", "lla", "llä", "lta", "ltä",
    "ksi", "na", "nä", "ta", "tä", "hin",
)  # fmt: skip

_ALSO_WORDS = frozenset({"oman", "peru", "mali", "chad", "man", "kuuba", "laos", "togo", "turkey", "guinea"})
"""Names of countries that are, or in Finnish begin like, more frequent words."""

_TOLD_OF_A_NAME = 1.1
"""Zipf frequency of a name in text minus log10 of its bearers in the US, estimated from John, Mark and
Smith."""

_HUNSPELL = {"en": "en/en_US", "sv": "sv/sv_SE"}


def common_words(
    name_levels: Mapping[str, tuple[int, int]], place_levels: Mapping[str, int]
) -> dict[str, tuple[int, ...]]:
    """Word to level for each of LANGUAGES: 4 a function word, 3 everyday, 2 frequent, 1 a word, 0 none.

    For a word that is also a name, only uses beyond those explained by its bearers count.
    """
    bearers = people()
    levels: dict[str, list[int]] = {}
    for column, language in enumerate(LANGUAGES):
        for word, level in (*_of(language, name_levels, place_levels, bearers), *_capitalised(language)):
            for form in {word, plain(word)}:
                row = levels.setdefault(form, [0] * len(LANGUAGES))
                row[column] = max(row[column], level if form == word else min(level, 2))
    return {word: tuple(row) for word, row in sorted(levels.items()) if any(row)}


def _of(
    language: str,
    name_levels: Mapping[str, tuple[int, int]],
    place_levels: Mapping[str, int],
    bearers: Mapping[str, float],
) -> Iterator[tuple[str, int]]:
    from wordfreq import get_frequency_dict

    least = _LEAST.get(language, _LEAST_ELSEWHERE)
    lower, proper = _listed(language)
    territories = Locale(language).territories.items()
    countries = frozenset(" ".join(words(name)) for code, name in territories if code != _WORLD)
    countries -= _ALSO_WORDS
    if language == "fi":  # and the stems of their cases: Suome-n, Ranska-n, Islanni-n
        countries |= {c[:-1] + "e" for c in countries} | {
            c[:-2] + "ni" for c in countries if c.endswith("ti")
        }
    for spelled, frequency in get_frequency_dict(language, wordlist="best").items():
        zipf = math.log10(frequency) + 9
        word = folded(spelled)
        if zipf < least or not word.isalpha() or _names_one(word, countries, language):
            continue
        excess = zipf - (math.log10(bearers[word]) - _TOLD_OF_A_NAME if word in bearers else 0)
        if word not in lower:
            # Frequent, no place, hardly a name, and no list has it small: slang and short forms.
            slang = word not in proper and word not in place_levels and zipf >= 4
            short = len(word) <= 3 and zipf >= 5.3 and place_levels.get(word, 0) < 3
            if language != "en" or not (slang or short) or excess < 1.5:
                continue
        level = 4 if zipf >= 5.9 else 3 if zipf >= 5 else 2 if zipf >= 3.8 else 1
        if excess < 1.5:
            level = min(level, 0 if excess < 0.25 else 1 if excess < 0.8 else 2)
        yield word, level


def _names_one(word: str, countries: frozenset[str], language: str) -> bool:
    """Whether it is a country, including its Finnish cases."""
    if word in countries or language != "fi":
        return word in countries
    return any(word.endswith(e) and word[: -len(e)] in countries for e in _FINNISH_CASES)


def _listed(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Forms that a speller or a lemma list writes in lower case, and those that the speller capitalises."""
    spelled = set()
    if language in _HUNSPELL:
        path = folder("spylls") / "hunspell" / "data" / f"{_HUNSPELL[language]}.dic"
        spelled.update(re.split(r"[/\t ]", line)[0] for line in path.read_text("utf-8").splitlines()[1:])
    lower = {folded(w) for w in spelled if w[:1].islower()}
    proper = {folded(w) for w in spelled if w[:1].isupper() and not w.isupper()} - lower
    if language == "en":
        # The speller derives numbers and states from their singulars, yet lists Numbers and States.
        proper -= {word for word in proper if word.endswith("s") and word[:-1] in lower}
    from simplemma.strategies.dictionaries.dictionary_factory import _load_dictionary_from_disk

    for form in _load_dictionary_from_disk(language):
        word = form.decode()
        if word[:1].islower() and folded(word) not in proper:
            lower.add(folded(word))
    return frozenset(lower), frozenset(proper)


def _capitalised(language: str) -> Iterator[tuple[str, int]]:
    """Days, months, languages and nationalities: capitalised words that are not names."""
    if language == "en":
        listed = yaml.safe_load((Path(__file__).parent / "capitalised_words.yaml").read_text("utf-8"))
        for word in " ".join(listed.values()).split():
            yield word, 2
            yield word + "s", 2
    locale = Locale(language)
    for names in (locale.days, locale.months):
        for word in names["format"]["wide"].values():
            yield from ((w, 2) for w in words(word))
    for name in locale.languages.values():
        read = words(name)
        if len(read) == 1:
            yield read[0], 2
    mimesis = {"nb": "no"}.get(language, language)
    person = json.loads((folder("mimesis") / "datasets" / mimesis / "person.json").read_text())
    nationalities = person.get("nationality", [])
    lists = nationalities.values() if isinstance(nationalities, dict) else [nationalities]
    for word in (w for several in lists for w in several):
        read = words(word)
        if len(read) == 1:
            yield read[0], 2
