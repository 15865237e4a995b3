"""Lexicon of a language: words for digits, letters and signs, from its ``spoken.yaml``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from tacenda.transforms.detecting.word_lists import of_language
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once

LANGUAGES = ("en", "es", "sv", "fi", "nb", "da")
"""English first: it is the most likely meaning of words that several languages share, and read everywhere, the
others in conversations where they are spoken."""


class Part(Enum):
    """The role of a number word in a number; the first are sections of ``spoken.yaml``."""

    SCALE = "scales"
    HUNDREDS = "hundreds"
    WHOLE = "wholes"
    TEN = "tens"
    TEEN = "teens"
    UNIT = "units"
    REPEAT = "repeats"
    FIGURES = "written in digits"
    JOINER = "and"
    TEN_JOINER = "and, between tens and ones"
    ANY_JOINER = "and, at both places"
    PAUSE = "separates numbers"


_SECTIONS = (Part.SCALE, Part.HUNDREDS, Part.WHOLE, Part.TEN, Part.TEEN, Part.UNIT, Part.REPEAT)
"""Of words in several sections, the last counts."""

JOINERS = (Part.JOINER, Part.TEN_JOINER, Part.ANY_JOINER)


class Said(NamedTuple):
    """A number word: its role, and its value in decimal digits."""

    part: Part
    value: str


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of one language, folded to lower case."""

    language: str
    numbers: Mapping[str, Said]
    compound: frozenset[str] | None
    """The parts of numbers written as one word; None if the language has no such numbers."""
    compound_joiners: Mapping[str, Said]
    """Words between the parts of such a number."""
    ordinals: Mapping[str, int]
    signs: Mapping[str, str]
    long_signs: Mapping[str, Sequence[tuple[tuple[str, ...], str]]]
    """Names of several words, by the first."""
    # From here on, lists of words in spoken.yaml.
    shared: frozenset[str]
    """Words that do not identify the language, besides those of the others."""
    weak: frozenset[str]
    """Number words that usually mean something else."""
    articles: frozenset[str]
    units_after: frozenset[str]
    units_before: frozenset[str]
    decimal_points: frozenset[str]
    time_before: frozenset[str]
    word_letters: frozenset[str]
    fillers: frozenset[str]
    dots: frozenset[str]
    stops: frozenset[str]
    introducers: frozenset[str]


_LISTS = tuple(Lexicon.__dataclass_fields__)[tuple(Lexicon.__dataclass_fields__).index("shared") :]


@dataclass(frozen=True)
class AddressWords:
    """The parts of addresses, in all languages."""

    top_level: frozenset[str]
    mail_hosts: frozenset[str]
    split_hosts: Mapping[tuple[str, ...], str]


def _phrases(mapping: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    return {tuple(phrase.split()): sign for phrase, sign in mapping.items()}


def _joiners(document: Mapping[str, Any], prefix: str = "") -> dict[str, Said]:
    plain, ten = (document[f"{prefix}{key}"].split() for key in ("joiners", "ten_joiners"))
    found = {word: Said(Part.JOINER, "") for word in plain} | {
        word: Said(Part.TEN_JOINER, "") for word in ten
    }
    return found if prefix else found | {word: Said(Part.ANY_JOINER, "") for word in plain if word in ten}


@built_once
def lexicon(language: str) -> Lexicon:
    """The words of a language; a region or script after it (``en-GB``) is ignored.

    Raises ``UserError`` for an unsupported language.
    """
    base = language.replace("_", "-").split("-")[0].lower()
    base = {"no": "nb", "nn": "nb"}.get(base, base)
    if base not in LANGUAGES:
        raise UserError(f"language {language!r}: no spoken words known; use some of {', '.join(LANGUAGES)}")
    document = of_language(base, "spoken")
    numbers = {
        word: Said(part, value) for part in _SECTIONS for word, value in document.get(part.value, {}).items()
    } | _joiners(document)
    compound_joiners = _joiners(document, "compound_")
    outside = (*JOINERS, Part.REPEAT)
    compound = {*compound_joiners, *(word for word, said in numbers.items() if said.part not in outside)}
    long_signs: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for phrase, sign in sorted(_phrases(document["long_signs"]).items(), key=lambda item: -len(item[0])):
        long_signs.setdefault(phrase[0], []).append((phrase, sign))
    return Lexicon(
        language=base,
        numbers=numbers,
        compound=frozenset(compound) if document["compounds"] == "yes" else None,
        compound_joiners=compound_joiners,
        ordinals={word: int(value) for word, value in document["ordinals"].items()},
        signs=dict.fromkeys(document["at"].split(), "@") | document["signs"],
        long_signs=long_signs,
        **{name: frozenset(document.get(name, "").split()) for name in _LISTS},
    )


@built_once
def hyphenated_words() -> frozenset[str]:
    """Hyphenated words of all languages, which count as one word."""
    known = map(lexicon, LANGUAGES)
    return frozenset(
        word for one in known for word in (*one.signs, *one.stops, *one.introducers) if "-" in word
    )


@built_once
def address_words() -> AddressWords:
    """The words of ``languages/any/spoken_addresses.yaml``."""
    document = of_language("any", "spoken_addresses")
    top_level, mail_hosts = (frozenset(document[name].split()) for name in ("top_level", "mail_hosts"))
    return AddressWords(top_level, mail_hosts, _phrases(document["split_hosts"]))
