"""People's names: parse one into its parts, and decide whether two may belong to one person.

``LEE, ANN``, ``Ms. Ann Lee's``, ``A. Lee`` and ``l-e-e`` become lower-case words without accents, given name
first, plus what title and suffix say. ``Mary Ann Lee`` and ``María García López`` do not show which of their
words are given names, so a name has a first word, a last word, and words between. Titles, particles, suffixes
and the confidence of each kind of agreement are in ``names.yaml``, nicknames in
``detecting/languages/*/nicknames.yaml``.
"""

import re
from collections.abc import Mapping
from itertools import groupby
from typing import NamedTuple

import jellyfish

from tacenda.transforms.detecting.word_lists import languages_with
from tacenda.transforms.gazetteers.word_list import genders
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.storage.yaml_text import data_file
from tacenda.transforms.text.characters import plain_letters

_DASH = r"[-\u2010-\u2015]"
_LETTER = r"[^\W\d_]"
_BETWEEN = re.compile(rf"(?:[\s_.,;:/&+@()\[\]\"“”«»!?*<>|·・]|{_DASH})+")
"""Separators of words; combining marks, such as the vowels of many scripts, are not separators."""
SPELLED = re.compile(
    rf"(?<![^\W_])(?:{_LETTER}(?:\s?{_DASH}\s?{_LETTER})+|{_LETTER}(?:,?\s{_LETTER}){{2,}}"
    rf"|{_LETTER}(?:\.\s?{_LETTER}){{3,}})(?![^\W_]|['’])"
)
"""Letters joined by dashes, or three with spaces, or four with full stops; fewer are initials."""
_POSSESSIVE = re.compile(r"(?:['’\u02bc]s|(?<=s)['’\u02bc])$")
_APOSTROPHES = str.maketrans("", "", "'’‘`´\u02bc")
_VOWELS = re.compile(r"[aeiou]+")
_LEAST_SOUND = 3  # fewest letters of a word that is compared by sound


class Name(NamedTuple):
    """A name as it was written.

    ``words`` are folded: lower case, no accents, an initial as one letter, given name first if the order is
    known. ``particles`` are those before the last word (``van der``); ``gender`` is ``m`` or ``f`` if a title
    says so; ``suffix`` tells generations apart (``jr``).
    """

    words: tuple[str, ...]
    particles: tuple[str, ...] = ()
    title: str = ""
    gender: str = ""
    suffix: str = ""

    @property
    def given(self) -> str:
        """The first given name or its initial; empty for a single word, which may be either name."""
        return self.words[0] if len(self.words) > 1 else ""

    @property
    def middle(self) -> tuple[str, ...]:
        """The words between first and last: further given names, or the first of two family names."""
        return self.words[1:-1]

    @property
    def family(self) -> str:
        """The last family name; a single word counts as one only after a title or particle."""
        return (
            self.words[-1] if len(self.words) > 1 or (self.words and (self.title or self.particles)) else ""
        )

    @property
    def is_full(self) -> bool:
        """Whether it has both a given name (or initial) and a family name."""
        return len(self.words) > 1


@remembered
def parse_name(text: str) -> Name:
    """Parse a name into its parts.

    >>> parse_name("LEE, ANN") == parse_name("Ann Lee") == parse_name("ann l-e-e")
    True
    >>> parse_name("Ms. Lee's").family, parse_name("Ms. Lee's").gender
    ('lee', 'f')
    """
    rules = _rules()
    plain = plain_letters(text)
    plain = rules.said_for_letter.sub(r"\1", plain)
    plain = SPELLED.sub(lambda spelled: "".join(filter(str.isalpha, spelled[0])), plain)
    before, comma, after = plain.partition(",")
    if comma and (words := _words(after)) and not all(word in rules.suffixes for word in words):
        plain = f"{after} {before}"
    words = _words(plain)
    if not words:
        return Name(())
    title = gender = suffix = ""
    while len(words) > 1 and words[0] in rules.titles:
        gender = gender or rules.titles[words[0]]
        title = words.pop(0)
    while len(words) > 1 + (words[-1] in rules.late_suffixes) and words[-1] in rules.suffixes:
        last = words.pop()
        suffix = rules.suffixes[last] or suffix
    first = next((i for i, word in enumerate(words[:-1]) if word in rules.particles), None)
    if first is None:
        return Name(tuple(words), (), title, gender, suffix)
    given = [word for word in words[:first] if word not in rules.particles]
    particles = tuple(word for word in words[first:-1] if word in rules.particles)
    family = [word for word in words[first:-1] if word not in rules.particles]
    return Name((*given, *family, words[-1]), particles, title, gender, suffix)


def agreement(one: Name, other: Name) -> str:
    """How two names agree: a key of ``agreements`` in ``names.yaml``, empty if they are two people's."""
    if not (one.words and other.words) or conflicts(one, other):
        return ""
    if one.is_full and other.is_full:
        return _agreement_of_full(one, other)
    if one.is_full:
        return _agreement_with_lone(other, one)
    if other.is_full:
        return _agreement_with_lone(one, other)
    return word_agreement(one.words[0], other.words[0], given=not (one.family or other.family))


def conflicts(one: Name, other: Name) -> bool:
    """Whether titles or suffixes show two different people."""
    return bool(
        (one.gender and other.gender and one.gender != other.gender)
        or (one.suffix and other.suffix and one.suffix != other.suffix)
    )


def fuller(one: Name, other: Name) -> Name:
    """Combine two forms of one person's name.

    >>> fuller(parse_name("Ms Lee"), parse_name("A. Lee")) == parse_name("Ms A. Lee")
    True
    """
    words = max(one.words, other.words, key=lambda words: (len(words), len(words[0]) if words else 0))
    return Name(
        words,
        one.particles or other.particles,
        one.title or other.title,
        one.gender or other.gender,
        one.suffix or other.suffix,
    )


@remembered
def word_agreement(one: str, other: str, given: bool) -> str:
    """How two folded words may be one name, as :func:`agreement`; ``given``: they may be given names."""
    if one == other:
        return "same"
    if len(one) == 1 or len(other) == 1:
        return "initial" if given and one[0] == other[0] else ""
    if given and other in other_forms(one):
        return "nickname"
    return "sound" if sound_key(one) == sound_key(other) else ""


def weakest(*hows: str) -> str:
    """The least certain of several agreements; empty if one of them is."""
    return min(hows, key=confidence)


def confidence(how: str) -> float:
    """The confidence of an agreement, 0 to 1; that of none is 0."""
    return _rules().agreements[how]


@remembered
def sound_key(word: str) -> str:
    """A key that is equal for folded words that sound alike in consonants and vowels (Marc, Mark).

    Other scripts and numbers are their own key: Metaphone knows only Latin letters and gives all numbers one
    key.
    """
    if len(word) < _LEAST_SOUND or not (word.isascii() and word.isalpha()):
        return word
    written = word.replace("y", "i")
    vowels = "".join(run[0] for run in _VOWELS.findall(written))
    # Only the first vowel of a group counts, but the last one at the end, so that Mario is not Mary.
    end = written[-1] if written[-1] in "aeiou" else ""
    return f"~{jellyfish.metaphone(word) or word}{vowels}{end}"


def titles() -> frozenset[str]:
    """The titles in lower case, with and without their accents."""
    return _rules().written_titles


def _words(plain: str) -> list[str]:
    words = (_POSSESSIVE.sub("", word).translate(_APOSTROPHES) for word in _BETWEEN.split(plain))
    # "Sokolova, s-o-k-o-l-o-v-a": a word followed by its spelling is one word.
    return [word for word, same in groupby(filter(None, words)) for _ in (same if len(word) == 1 else "1")]


def _agreement_of_full(one: Name, other: Name) -> str:
    first = word_agreement(one.given, other.given, given=True)
    last = _family_agreement(one, other)
    if first and last:
        return weakest(first, last, _middle_agreement(one.middle, other.middle))
    if first and len(one.words) != len(other.words):
        short, long = sorted((one, other), key=lambda name: len(name.words))
        # María García is part of María García López.
        if len(short.words[-1]) > 1 and short.words[-1] in long.middle:
            return weakest(first, "part")
    turned = one.words[0] == other.words[-1] and one.words[-1] == other.words[0]
    return "turned" if turned and one.words[1:-1] == other.words[1:-1] else ""


def _family_agreement(one: Name, other: Name) -> str:
    if one.particles and other.particles and one.particles != other.particles:
        return ""
    last, its = one.words[-1], other.words[-1]
    # J. S. matches anyone with these initials, also John S.
    return word_agreement(last, its, given=len(last) == 1 or len(its) == 1)


def _middle_agreement(one: tuple[str, ...], other: tuple[str, ...]) -> str:
    """Compare middle names: one side may omit them; if both have them, they must agree."""
    if not one or not other:
        return "same" if one == other else "part"
    short, long = sorted((one, other), key=len)
    return weakest(*(max((word_agreement(a, b, True) for b in long), key=confidence) for a in short))


def _agreement_with_lone(lone: Name, full: Name) -> str:
    word = lone.words[0]
    if len(word) == 1:
        return ""  # a single letter identifies nobody
    if lone.particles and lone.particles != full.particles:
        return ""
    last = word_agreement(word, full.words[-1], given=False)
    if lone.particles:
        return weakest(last, "part")
    between = "same" if word in full.middle else ""
    first = word_agreement(word, full.given, given=True)
    if lone.title:
        # Ms Lee is a Lee; Miss Ann is possible but rarer.
        return weakest(last or between, "part") or weakest(first, "titled_given")
    return weakest(max((last, between, first), key=confidence), "part")


class _Rules:
    """What ``names.yaml`` has."""

    def __init__(self) -> None:
        data = data_file("tacenda.transforms.linking", "names.yaml")
        genders = {"men": "m", "women": "f", "anybody": ""}
        titles = {
            title: genders[whose] for whose, several in data["titles"].items() for title in several.split()
        }
        self.titles = {plain_letters(title): gender for title, gender in titles.items()}
        self.written_titles = frozenset((*titles, *self.titles))
        said = "|".join(data["said_for_letter"])
        self.said_for_letter = re.compile(rf"\b({_LETTER}),?\s(?:{said})\s\1[^\W\d_]+")
        self.particles = frozenset(data["particles"].split())
        self.late_suffixes = frozenset(data["suffixes"].split())
        self.suffixes = {word: word for word in data["generations"].split()} | dict.fromkeys(
            self.late_suffixes, ""
        )
        self.agreements: dict[str, float] = {"": 0.0, **data["agreements"]}


_rules = built_once(_Rules)


# Given names: nicknames, and the gender of their bearers.

_NONE: frozenset[str] = frozenset()


@remembered
def other_forms(name: str) -> frozenset[str]:
    """Every other given name that may be the same person's, in plain letters.

    It is a short form of the name, or the name is one of it, or both are of one name. A short form of several
    names matches each of them, but those names do not match each other.

    >>> "robert" in other_forms("Bob"), "robbie" in other_forms("Bob"), "jose" in other_forms("Pepe")
    (True, True, True)
    >>> "alexandra" in other_forms("Alex"), "alexandra" in other_forms("Alexander")
    (True, False)
    """
    plain = plain_letters(name)
    formal = _formal_names().get(plain, _NONE)
    short = _short_forms()
    return (short.get(plain, _NONE) | formal).union(*(short[one] for one in formal)) - {plain}


@remembered
def gender_of(given: str) -> str:
    """``f`` or ``m`` for a folded given name that hardly anybody of the other gender bears; otherwise empty.

    A short form has a gender only if all the names that it stands for have the same.

    >>> gender_of("maria"), gender_of("robin"), gender_of("alex"), gender_of("m")
    ('f', '', '', '')
    """
    known = {genders().get(name, "n") for name in (given, *_formal_names().get(given, ()))}
    return known.pop().rstrip("n") if len(known) == 1 else ""


@built_once
def _short_forms() -> Mapping[str, frozenset[str]]:
    """Names to their short forms, in all languages."""
    forms: dict[str, set[str]] = {}
    for names in languages_with("nicknames").values():
        for name, short in names.items():
            forms.setdefault(plain_letters(name), set()).update(map(plain_letters, short.split()))
    return {name: frozenset(short) - {name} for name, short in forms.items()}


@built_once
def _formal_names() -> Mapping[str, frozenset[str]]:
    """Short forms to the names they abbreviate."""
    formal: dict[str, set[str]] = {}
    for name, short in _short_forms().items():
        for one in short:
            formal.setdefault(one, set()).add(name)
    return {short: frozenset(names) for short, names in formal.items()}
