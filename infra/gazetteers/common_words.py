"""Words of a language: frequent in text, and listed in lower case by a speller or a lemma list."""

import json
import math
import re
from collections.abc import Iterator, Mapping

from installed import folder
from spelling import folded, plain, words

LANGUAGES = ("en", "es", "sv", "fi", "nb", "da", "de", "fr", "it", "pt", "nl")
_LEAST = 2.6
"""Zipf frequency (log10 of uses in a billion words) from which a listed form counts as a word."""

_LEAST_ALONE = 3.0
"""The same for a form that is in no list of names, where a gap costs less."""

_HUNSPELL = {"en": "en/en_US", "sv": "sv/sv_SE"}


def common_words(name_levels: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, ...]]:
    """Word to level for each of LANGUAGES: 3 everyday, 2 frequent, 1 a word, or a name that is also one."""
    levels: dict[str, list[int]] = {}
    for column, language in enumerate(LANGUAGES):
        for word, level in (*_of(language, name_levels), *_capitalised(language)):
            for form in {word, plain(word)}:
                row = levels.setdefault(form, [0] * len(LANGUAGES))
                row[column] = max(row[column], level if form == word else min(level, 2))
    return {word: tuple(levels[word]) for word in sorted(levels)}


def _of(language: str, name_levels: Mapping[str, tuple[int, int]]) -> Iterator[tuple[str, int]]:
    from wordfreq import get_frequency_dict

    listed = _listed(language)
    for word, frequency in get_frequency_dict(language, wordlist="best").items():
        zipf = math.log10(frequency) + 9
        if zipf < _LEAST or not word.isalpha():
            continue
        word = folded(word)
        if word not in listed:
            continue
        given, family = name_levels.get(word, (0, 0))
        if zipf < _LEAST_ALONE and not given and not family:
            continue
        level = 3 if zipf >= 5 else 2 if zipf >= 3.8 else 1
        if given == 3 and zipf < 5.3:
            level = 1
        elif family == 3 and zipf < 5.3:
            level = min(level, 2)
        yield word, level


def _listed(language: str) -> frozenset[str]:
    found = set()
    if language in _HUNSPELL:
        text = (folder("spylls") / "hunspell" / "data" / f"{_HUNSPELL[language]}.dic").read_text("utf-8")
        found.update(re.split(r"[/\t ]", line)[0] for line in text.splitlines()[1:])
    known = {w for w in found if w[:1].islower()}
    from simplemma.strategies.dictionaries.dictionary_factory import _load_dictionary_from_disk

    proper = {w.lower() for w in found if w[:1].isupper()}
    for form in _load_dictionary_from_disk(language):
        word = form.decode()
        if word[:1].islower() and (word not in proper or word in known):
            known.add(word)
    return frozenset(folded(w) for w in known)


def _capitalised(language: str) -> Iterator[tuple[str, int]]:
    """Days, months, languages and nationalities: capitals that name nobody."""
    from babel import Locale

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
