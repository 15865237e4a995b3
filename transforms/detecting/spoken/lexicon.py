"""Words for digits, letters and signs of a language, from its ``spoken.yaml``, and what numbers they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

from tacenda.transforms.detecting.word_lists import of_language
from tacenda.transforms.storage.process_cache import built_once

LANGUAGES = ("en", "es", "sv", "fi", "nb", "da")
"""English first: it is the most likely meaning of words that several languages share."""


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
    """Names of several words, by the first, the longest first."""
    # From here on, lists of words in spoken.yaml.
    weak: frozenset[str]
    """Number words that usually mean something else."""
    word_letters: frozenset[str]
    fillers: frozenset[str]
    dots: frozenset[str]
    stops: frozenset[str]
    introducers: frozenset[str]


_LISTS = tuple(Lexicon.__dataclass_fields__)[tuple(Lexicon.__dataclass_fields__).index("weak") :]


@dataclass(frozen=True)
class AddressWords:
    """The parts of addresses, in all languages."""

    top_level: frozenset[str]
    mail_hosts: frozenset[str]
    split_hosts: Mapping[str, Sequence[tuple[tuple[str, ...], str]]]


def _by_first_word(mapping: Mapping[str, str]) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for words in sorted(map(str.split, mapping), key=len, reverse=True):
        found.setdefault(words[0], []).append((tuple(words), mapping[" ".join(words)]))
    return found


def _joiners(document: Mapping[str, Any], prefix: str = "") -> dict[str, Said]:
    plain, ten = (document[f"{prefix}{key}"].split() for key in ("joiners", "ten_joiners"))
    found = {word: Said(Part.JOINER, "") for word in plain} | {
        word: Said(Part.TEN_JOINER, "") for word in ten
    }
    return found if prefix else found | {word: Said(Part.ANY_JOINER, "") for word in plain if word in ten}


@built_once
def lexicon(language: str) -> Lexicon:
    """The words of one of ``LANGUAGES``."""
    document = of_language(language, "spoken")
    numbers = {
        word: Said(part, value) for part in _SECTIONS for word, value in document.get(part.value, {}).items()
    } | _joiners(document)
    compound_joiners = _joiners(document, "compound_")
    outside = (*JOINERS, Part.REPEAT)
    compound = {*compound_joiners, *(word for word, said in numbers.items() if said.part not in outside)}
    return Lexicon(
        language=language,
        numbers=numbers,
        compound=frozenset(compound) if document["compounds"] == "yes" else None,
        compound_joiners=compound_joiners,
        ordinals={word: int(value) for word, value in document["ordinals"].items()},
        signs=dict.fromkeys(document["at"].split(), "@") | document["signs"],
        long_signs=_by_first_word(document["long_signs"]),
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
    return AddressWords(top_level, mail_hosts, _by_first_word(document["split_hosts"]))


# The digits of spoken numbers: one by one, in pairs, as years, or with hundreds and thousands.

_ALONE = (Part.UNIT, Part.FIGURES, Part.PAUSE, Part.TEEN, Part.WHOLE, *JOINERS)
"""Roles that stand alone, unless something multiplies them or they need more; the most frequent first."""

_SMALL = (Part.UNIT, Part.TEEN, Part.TEN, Part.WHOLE, Part.HUNDREDS)


_MOST_PIECES = 40  # parts of a compound; nobody says more in one word


def figures(said: Sequence[Said]) -> str:
    """The digits of number words in telephone style: consecutive numbers are not added up.

    >>> figures([Said(Part.TEN, "20"), Said(Part.UNIT, "3"), Said(Part.TEEN, "19")])
    '2319'
    """
    alone = [value for part, value in said if part in _ALONE]
    if len(alone) == len(said):
        return "".join(alone)
    digits: list[str] = []
    i = 0
    while i < len(said):
        part, value = said[i]
        if part is Part.REPEAT:
            following = figures(said[i + 1 : i + 2])
            digits.append(following * int(value))
            i += 2
        elif part is Part.FIGURES and not (
            # Digits count hundreds or thousands without a leading zero: "08 hundra" is 08 and 100.
            _is(said, i + 1, Part.SCALE) and len(value) <= 3 and not value.startswith("0")
        ):
            digits.append(value)
            i += 1
        elif part in _SMALL or part in (Part.SCALE, Part.FIGURES):
            number, i = _cardinal(said, i)
            digits.append(str(number))
        else:
            digits.append(value)
            i += 1
    return "".join(digits)


def _is(said: Sequence[Said], i: int, *parts: Part) -> bool:
    return i < len(said) and said[i].part in parts


def _below_hundred(said: Sequence[Said], i: int) -> tuple[int, int]:
    """The number without a scale that begins at ``i``, and its end."""
    part, value = said[i]
    number = int(value)
    i += 1
    if part is not Part.TEN:
        return number, i
    ones = i + 1 if _is(said, i, Part.TEN_JOINER, Part.ANY_JOINER) else i
    if _is(said, ones, Part.UNIT, Part.FIGURES) and len(said[ones].value) == 1 and said[ones].value != "0":
        return number + int(said[ones].value), ones + 1
    return number, i


def _cardinal(said: Sequence[Said], i: int, below: int | None = None) -> tuple[int, int]:
    """A number with its hundreds and thousands, and its end."""
    last = 0
    if said[i].part is Part.SCALE:
        number = 1
    else:
        start = i
        number, i = _below_hundred(said, i)
        if number == 0:
            return number, i
        if said[start].part is Part.HUNDREDS:
            last = 100
            number, i = _with_rest(said, i, number, last)
    while _is(said, i, Part.SCALE):
        scale = int(said[i].value)
        if scale <= last or (below is not None and number * scale >= below):
            break
        number, i, last = number * scale, i + 1, scale
        number, i = _with_rest(said, i, number, scale)
    return number, i


def _with_rest(said: Sequence[Said], i: int, number: int, scale: int) -> tuple[int, int]:
    """Add what follows a hundred or a thousand, unless it is read out digit by digit.

    "eight hundred five" is 805, "eight hundred five five five" is 800 and 555.
    """
    joined = _is(said, i, Part.JOINER, Part.ANY_JOINER)
    start = i + joined
    if not _is(said, start, *_SMALL) or said[start].value == "0":
        return number, i
    if said[start].part is Part.HUNDREDS and scale <= int(said[start].value):
        return number, i
    rest, end = _cardinal(said, start, scale)
    if rest >= scale or (_is(said, end, Part.SCALE) and int(said[end].value) <= scale):
        return number, i
    alone = said[start].part is Part.UNIT and end == start + 1
    if alone and not joined and _is(said, end, Part.UNIT, Part.FIGURES, Part.REPEAT):
        return number, i
    return number + rest, end


@lru_cache(maxsize=8192)
def number_word(word: str, words: Lexicon) -> Said | None:
    """The meaning of a folded word in a number; compounds ("tvåhundratjugofem") count as one word."""
    said = words.numbers.get(word)
    if said is not None or words.compound is None or len(word) < 5:
        return said
    pieces = _pieces(word, words)
    if not 2 <= len(pieces) <= _MOST_PIECES:
        return None
    parts = _ones_before_tens([words.compound_joiners.get(p) or words.numbers[p] for p in pieces])
    if len(parts) == 1:
        return parts[0]
    if _is(parts, 0, *JOINERS) or parts[-1].part in JOINERS:
        return None
    if parts[0].value == "0":  # an area code: "nollåtta"
        return Said(Part.FIGURES, figures(parts))
    number, end = _cardinal(parts, 0)
    if end == len(parts):
        return Said(Part.WHOLE, str(number))
    if parts[0].part in (Part.TEEN, Part.TEN):  # a year: "tjugotjugotre"
        return Said(Part.FIGURES, figures(parts))
    return None


def _pieces(word: str, words: Lexicon) -> list[str]:
    """The parts of a compound, the longest first that leave only parts; none if it is no compound.

    Time is linear: words of a text may be of any length, and have many divisions.
    """
    assert words.compound is not None
    longest = max(map(len, words.compound))
    end_of = [0] * len(word) + [len(word)]
    for start in reversed(range(len(word))):
        for end in range(min(start + longest, len(word)), start, -1):
            if end_of[end] and word[start:end] in words.compound:
                end_of[start] = end
                break
    pieces = []
    start = 0
    while end_of[start] > start:
        pieces.append(word[start : end_of[start]])
        start = end_of[start]
    return pieces


def _ones_before_tens(parts: list[Said]) -> list[Said]:
    """Parts in which "five and thirty" is one number, as in "femogtredve" and "hundertfünfunddreißig"."""
    whole: list[Said] = []
    i = 0
    while i < len(parts):
        if [p.part for p in parts[i : i + 3]] == [Part.UNIT, Part.JOINER, Part.TEN]:
            whole.append(Said(Part.WHOLE, str(int(parts[i].value) + int(parts[i + 2].value))))
            i += 3
        else:
            whole.append(parts[i])
            i += 1
    return whole
