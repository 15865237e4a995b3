"""Ordinary words written like names: "Two Chai Lattes", "Dear Hiring Manager"."""

import re
from functools import lru_cache
from importlib.resources import files

from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.detecting.passes.edges import PERSON
from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_BY_RULE = "rules"
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_GENITIVE = re.compile(r"['’]s?\b")
_LAST_WORD = re.compile(r"([^\W\d_]+) $")
_TITLE = re.compile(r"\b([A-Z][a-z]{1,3})\.? $")
_FORMS_OF_ADDRESS = frozenset(("dr", "mr", "mrs", "ms", "herr", "frau", "fru"))
"""Those whose next word, with a capital, is hardly ever anything but a name; alone they name nobody."""
_NEXT_WORD = re.compile(r" ([a-z]+)\b")
_DOSE_OR_WORD = re.compile(
    r" (?:[0-9]+(?:[.,][0-9]+)? ?(?:mg|mcg|µg|g|ml|iu|ie|milligrams?|milligram|miligramos)\b|([^\W\d_]+))",
    re.IGNORECASE,
)
"""A dose behind a word, or the next word."""

_LONGEST_BEFORE = 16
"""Letters before a word that are looked at."""

_DAY_OR_YEAR = re.compile(r" (?:[0-3]?[0-9](?:st|nd|rd|th)?|(?:19|20)[0-9]{2})\b(?! *[a-z]*['’])")
_AROUND = ".,;:!?*'’\"()[]` "
_SHORTEST = 3
"""Fewest letters of an ordinary word; shorter ones may be initials."""

_RARE = 1
"""Level of names that few have."""

_EVERYDAY = 3
"""Level of everyday words."""


@built_once
def _lists() -> dict[str, frozenset[str]]:
    lists = parse_yaml((files(__package__) / "non_names.yaml").read_text(encoding="utf-8"))
    return {
        name: frozenset(" ".join(one.split()) for one in words.split("," if name == "dishes" else None))
        for name, words in lists.items()
    }


def is_non_name(text: str, finding: Finding) -> bool:
    """Whether a finding of a name consists of ordinary words.

    A rule finds a name by what introduces it ("my name is Almond"), so such a finding must be no more than
    possible. Firms are called after food and peoples (Pizza Express, Air Canada): for them all words must be
    listed as food, and nationalities do not count.
    """
    start, end, info_type, likelihood, detector = finding
    said = text[start:end].casefold()
    if said.strip(_AROUND) in word_list("terms"):
        return True
    if detector == _BY_RULE:
        possible = info_type == PERSON and likelihood <= Likelihood.POSSIBLE
        return possible and _is_ordinary(said) and not _is_titled(text, start)
    if info_type == PERSON and said.strip(".") in _FORMS_OF_ADDRESS:
        return True
    in_small = info_type == PERSON and said.isalpha() and text[start].islower()
    if in_small and (_is_meant_as_word(text, start, end, said) or _is_everyday(said)):
        return True
    if _is_medicine(text, start, end, said):
        return True
    if _is_listed(said, info_type == PERSON) or (said.isalpha() and _is_shown(text, start, end, said)):
        return True
    return info_type == PERSON and likelihood < Likelihood.VERY_LIKELY and _is_ordinary(said)


def _is_titled(text: str, start: int) -> bool:
    """Whether an abbreviated form of address precedes a capital: "Dr. Alzheimer", and not "MR Imaging"."""
    title = _TITLE.search(text, max(0, start - _LONGEST_BEFORE), start)
    return text[start].isupper() and title is not None and title[1].lower() in _FORMS_OF_ADDRESS


def _is_shown(text: str, start: int, end: int, said: str) -> bool:
    """Whether the words around it show that it is a language ("in French") or a month ("since May")."""
    lists = _lists()
    if said in lists["nationalities"]:
        return _word_before(text, start) in lists["before_languages"]
    if said not in lists["months_and_names"]:
        return False
    return _word_before(text, start) in lists["before_months"] or _DAY_OR_YEAR.match(text, end) is not None


def _is_medicine(text: str, start: int, end: int, said: str) -> bool:
    """Whether a word in no list of names is dosed or called a medicine: "Voltaren 50 mg", "Paracet pills"."""
    if not said.isalpha():
        return False
    lists = _lists()
    after = _DOSE_OR_WORD.match(text, end)
    is_one = _word_before(text, start) in lists["before_medicines"] or (
        after is not None and (after[1] is None or after[1].casefold() in lists["medicine_forms"])
    )
    return is_one and not _is_named(said)


def _is_named(word: str) -> bool:
    lists = lexicon()
    kind = int(lists.kinds_of([word])[0])
    return bool(lists.given[kind] or lists.family[kind] or lists.place[kind])


def _is_meant_as_word(text: str, start: int, end: int, said: str) -> bool:
    """Whether a lower-case word that is also a name is used as a word: "the dean of", "chase the parcel"."""
    if said not in word_list("names_that_are_words"):
        return False
    lists = _lists()
    if _word_before(text, start) in lists["before_nouns"]:
        return True
    after = _NEXT_WORD.match(text, end)
    return said in lists["verbs_and_names"] and after is not None and after[1] in lists["after_verbs"]


def _word_before(text: str, start: int) -> str:
    before = _LAST_WORD.search(text, max(0, start - _LONGEST_BEFORE), start)
    return before[1].casefold() if before else ""


@lru_cache(maxsize=4096)
def _is_listed(said: str, person: bool) -> bool:
    """Whether it is a day, or food and drink; of persons also a nationality, or food with ordinary words."""
    lists = _lists()
    words = _words(said)
    if len(words) == 1 and (words[0] in lists["calendar"] or (person and words[0] in lists["nationalities"])):
        return True
    if " ".join(words) in lists["dishes"]:
        return True
    rest = [word for word in words if not _is_one_of(word, lists["food"])]
    return len(rest) < len(words) and (not rest or (person and all(map(_is_word, rest))))


def _is_one_of(word: str, listed: frozenset[str]) -> bool:
    return word in listed or (word.endswith("s") and word[:-1] in listed)


@lru_cache(maxsize=4096)
def _is_ordinary(said: str) -> bool:
    """Whether each word is listed as an ordinary one, and none as a name or a place."""
    words = _words(said)
    return bool(words) and all(len(word) >= _SHORTEST for word in words) and all(map(_is_word, words))


@lru_cache(maxsize=4096)
def _is_everyday(word: str) -> bool:
    """Whether a word in small letters is an everyday one that hardly anybody is called: "world", "school"."""
    lists = lexicon()
    kind = int(lists.kinds_of([word])[0])
    rare = not lists.given[kind] and lists.family[kind] <= _RARE
    return len(word) >= _SHORTEST and rare and int(lists.word[kind].max()) >= _EVERYDAY


def _is_word(word: str) -> bool:
    lists = lexicon()
    kind = int(lists.kinds_of([word])[0])
    return bool(lists.word[kind].any()) and not _is_named(word)


def _words(said: str) -> list[str]:
    return [word for part in _WORD.findall(_GENITIVE.sub("", said)) for word in part.split("-")]
