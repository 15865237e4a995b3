"""Lexicon of a language: words for digits, letters and signs, from ``words/<language>.yaml``."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from typing import Any, NamedTuple

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

LANGUAGES = ("en", "es", "sv", "fi", "no", "da")
"""English first: it is the most likely meaning of words that several languages share, and read everywhere, the
others in conversations where they are spoken."""


class Part(Enum):
    """The role of a number word in a number."""

    UNIT = "0 to 9"
    TEEN = "10 to 19"
    TEN = "20, 30 to 90"
    WHOLE = "any other number below a hundred, or a compound"
    HUNDREDS = "100, 200 to 900 in one word"
    SCALE = "multiplies what stands before it"
    FIGURES = "written in digits"
    JOINER = "and"
    TEN_JOINER = "and, between tens and ones"
    ANY_JOINER = "and, at both places"
    REPEAT = "says the next figure or letter several times"
    PAUSE = "separates numbers"


JOINERS = (Part.JOINER, Part.TEN_JOINER, Part.ANY_JOINER)


class Said(NamedTuple):
    """A number word: its role, and its value in decimal digits."""

    part: Part
    value: str


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of one language, folded to lower case."""

    language: str
    shared: frozenset[str]
    """Words that do not identify the language, besides those of the others."""
    numbers: Mapping[str, Said]
    weak: frozenset[str]
    """Number words that usually mean something else."""
    articles: frozenset[str]
    compound: frozenset[str] | None
    """The parts of numbers written as one word; None if the language has no such numbers."""
    compound_joiners: Mapping[str, Said]
    """Words between the parts of such a number."""
    ordinals: Mapping[str, int]
    units_after: frozenset[str]
    units_before: frozenset[str]
    decimal_points: frozenset[str]
    time_before: frozenset[str]
    word_letters: frozenset[str]
    fillers: frozenset[str]
    signs: Mapping[str, str]
    dots: frozenset[str]
    long_signs: Mapping[str, Sequence[tuple[tuple[str, ...], str]]]
    """Names of several words, by the first."""
    stops: frozenset[str]
    introducers: frozenset[str]


@dataclass(frozen=True)
class AddressWords:
    """The parts of addresses, in all languages."""

    top_level: frozenset[str]
    mail_hosts: frozenset[str]
    split_hosts: Mapping[tuple[str, ...], str]


def _document(name: str) -> dict[str, Any]:
    path = files("tacenda.transforms.detecting.spoken") / "words" / f"{name}.yaml"
    document: dict[str, Any] = parse_yaml(path.read_text(encoding="utf-8"))
    return document


def _phrases(mapping: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    return {tuple(phrase.split()): sign for phrase, sign in mapping.items()}


def _signs(document: Mapping[str, Any]) -> dict[str, str]:
    return dict.fromkeys(document["at"].split(), "@") | dict(document["signs"])


def _by_first_word(mapping: Mapping[str, str]) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for phrase, sign in sorted(_phrases(mapping).items(), key=lambda item: -len(item[0])):
        phrases.setdefault(phrase[0], []).append((phrase, sign))
    return phrases


def _numbers(document: Mapping[str, Any]) -> dict[str, Said]:
    numbers: dict[str, Said] = {}
    for section, part in (
        ("scales", Part.SCALE),
        ("hundreds", Part.HUNDREDS),
        ("wholes", Part.WHOLE),
        ("tens", Part.TEN),
        ("teens", Part.TEEN),
        ("units", Part.UNIT),
        ("repeats", Part.REPEAT),
    ):
        numbers |= {word: Said(part, value) for word, value in document.get(section, {}).items()}
    joiners, ten_joiners = (frozenset(document[key].split()) for key in ("joiners", "ten_joiners"))
    for some, part in (
        (joiners - ten_joiners, Part.JOINER),
        (ten_joiners - joiners, Part.TEN_JOINER),
        (joiners & ten_joiners, Part.ANY_JOINER),
    ):
        numbers |= {word: Said(part, "") for word in some}
    return numbers


def _compound_joiners(document: Mapping[str, Any]) -> dict[str, Said]:
    joiners = {word: Said(Part.JOINER, "") for word in document["compound_joiners"].split()}
    ten_joiners = document["compound_ten_joiners"].split()
    return joiners | {word: Said(Part.TEN_JOINER, "") for word in ten_joiners}


def _compound(
    document: Mapping[str, Any], numbers: Mapping[str, Said], joiners: Iterable[str]
) -> frozenset[str] | None:
    if document["compounds"] != "yes":
        return None
    outside = (*JOINERS, Part.REPEAT)
    return frozenset(joiners).union(word for word, said in numbers.items() if said.part not in outside)


@built_once
def lexicon(language: str) -> Lexicon:
    """The words of a language; a region or script after it (``en-GB``) is ignored.

    Raises ``UserError`` for an unsupported language.
    """
    base = language.replace("_", "-").split("-")[0].lower()
    base = {"nb": "no", "nn": "no"}.get(base, base)
    if base not in LANGUAGES:
        raise UserError(f"language {language!r}: no spoken words known; use some of {', '.join(LANGUAGES)}")
    document = _document(base)
    numbers = _numbers(document)
    compound_joiners = _compound_joiners(document)

    def words(key: str) -> frozenset[str]:
        return frozenset(document[key].split())

    return Lexicon(
        language=base,
        shared=words("shared") if "shared" in document else frozenset(),
        numbers=numbers,
        weak=words("weak"),
        articles=words("articles"),
        compound=_compound(document, numbers, compound_joiners),
        compound_joiners=compound_joiners,
        ordinals={word: int(value) for word, value in document["ordinals"].items()},
        units_after=words("units_after"),
        units_before=words("units_before"),
        decimal_points=words("decimal_points"),
        time_before=words("time_before"),
        word_letters=words("word_letters"),
        fillers=words("fillers"),
        signs=_signs(document),
        dots=words("dot"),
        long_signs=_by_first_word(document["long_signs"]),
        stops=words("stops"),
        introducers=words("introducers"),
    )


@built_once
def hyphenated_words() -> frozenset[str]:
    """Hyphenated words of all languages, which count as one word."""
    return frozenset(
        word
        for words in map(lexicon, LANGUAGES)
        for group in (words.signs, words.stops, words.introducers)
        for word in group
        if "-" in word
    )


@built_once
def address_words() -> AddressWords:
    """The words of ``words/addresses.yaml``."""
    document = _document("addresses")
    return AddressWords(
        frozenset(document["top_level"].split()),
        frozenset(document["mail_hosts"].split()),
        _phrases(document["split_hosts"]),
    )
