"""People's names: the parts of one as it is written, and whether two may be one person's.

``LEE, ANN``, ``Ms. Ann Lee's``, ``A. Lee`` and ``l-e-e`` come out as words in small plain letters, the given
name first, beside what their title and suffix say. Which of three words are given names nobody can tell of
``Mary Ann Lee`` and ``María García López``, so a name has a first word, a last one, and words between. Titles,
particles and suffixes, and how sure each kind of agreement makes us, stand in ``names.yaml``.
"""

import re
from functools import lru_cache
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

import jellyfish

from tacenda.transforms.linking.nicknames import same_given_name
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml
from tacenda.transforms.text.plain_letters import plain_letters

_DASH = r"[-\u2010-\u2015]"
_LETTER = r"[^\W\d_]"
_BETWEEN = re.compile(rf"(?:[\s_.,;:/&+@()\[\]\"“”«»!?*<>|·・]|{_DASH})+")
"""What stands between words; marks, as vowels of many scripts are, do not."""
_SPELLED = re.compile(
    rf"(?<![^\W_])(?:{_LETTER}(?:\s?{_DASH}\s?{_LETTER})+|{_LETTER}(?:,?\s{_LETTER}){{2,}}"
    rf"|{_LETTER}(?:\.\s?{_LETTER}){{3,}})(?![^\W_]|['’])"
)
"""Letters with a dash between them, or three with spaces, or four with full stops; fewer are initials."""
_POSSESSIVE = re.compile(r"(?:['’\u02bc]s|(?<=s)['’\u02bc])$")
_APOSTROPHES = str.maketrans("", "", "'’‘`´\u02bc")
_VOWELS = re.compile(r"[aeiou]+")
_LEAST_SOUND = 3
"""Letters of a word that can sound like another."""
_LEAST_TYPO = 5
"""Letters of a family name that may differ in one of them."""


class Name(NamedTuple):
    """A name as it was written.

    ``words`` are folded: small letters without accents, an initial as one letter, the given name first where
    the writing tells it. ``particles`` are those before the last word (``van der``); ``gender`` is ``m`` or
    ``f`` where a title says so, ``suffix`` tells generations apart (``jr``).
    """

    words: tuple[str, ...]
    particles: tuple[str, ...] = ()
    title: str = ""
    gender: str = ""
    suffix: str = ""

    @property
    def given(self) -> str:
        """The first given name or its initial; empty where the name is one word, and nobody can tell."""
        return self.words[0] if len(self.words) > 1 else ""

    @property
    def middle(self) -> tuple[str, ...]:
        """What stands between: more given names, or the first of two family names."""
        return self.words[1:-1]

    @property
    def family(self) -> str:
        """The last family name; that of a single word only where a title or particle stands before it."""
        return (
            self.words[-1] if len(self.words) > 1 or (self.words and (self.title or self.particles)) else ""
        )

    @property
    def is_full(self) -> bool:
        """Whether it has a given name or its initial, and a family name."""
        return len(self.words) > 1

    @property
    def has_initial(self) -> bool:
        """Whether its given name is no more than a letter."""
        return self.is_full and len(self.words[0]) == 1


@lru_cache(maxsize=65_536)
def parse_name(text: str) -> Name:
    """The parts of a name.

    >>> parse_name("LEE, ANN") == parse_name("Ann Lee") == parse_name("ann l-e-e")
    True
    >>> parse_name("Ms. Lee's").family, parse_name("Ms. Lee's").gender
    ('lee', 'f')
    """
    rules = _rules()
    plain = plain_letters(text)
    plain = rules.said_for_letter.sub(r"\1", plain)
    plain = _SPELLED.sub(lambda spelled: "".join(filter(str.isalpha, spelled[0])), plain)
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


def compatible(one: Name, other: Name) -> float:
    """How sure it is that two names are one person's where nothing else is known, 0 (they cannot be) to 1.

    >>> compatible(parse_name("Ms Lee"), parse_name("Ann Lee")) > 0.9
    True
    >>> compatible(parse_name("John Smith"), parse_name("Jane Smith"))
    0.0
    """
    how = agreement(one, other)
    return confidence(how) if how else 0.0


def agreement(one: Name, other: Name) -> str:
    """In what way two names agree, a key of ``agreements`` in ``names.yaml``; empty if they cannot be one's."""
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
    """Whether titles or suffixes tell two people apart."""
    return bool(
        (one.gender and other.gender and one.gender != other.gender)
        or (one.suffix and other.suffix and one.suffix != other.suffix)
    )


def fuller(one: Name, other: Name) -> Name:
    """What two writings of one person's name say together.

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


@lru_cache(maxsize=65_536)
def word_agreement(one: str, other: str, given: bool) -> str:
    """In what way two folded words may be one name; ``given`` where it may be a given name."""
    if one == other:
        return "same"
    if len(one) == 1 or len(other) == 1:
        return "initial" if given and one[0] == other[0] else ""
    if given and same_given_name(one, other):
        return "nickname"
    return "sound" if sound_key(one) == sound_key(other) else ""


def weakest(*hows: str) -> str:
    """The least sure of several agreements; empty if one of them is none."""
    return min(hows, key=confidence) if all(hows) else ""


def confidence(how: str) -> float:
    """How sure an agreement is, 0 to 1."""
    return _rules().agreements[how]


@lru_cache(maxsize=65_536)
def sound_key(word: str) -> str:
    """Equal for folded words that sound alike, consonants and vowels (Marc, Mark); others are their own key.

    Metaphone knows no other than Latin letters, and would make one of all numbers.
    """
    if len(word) < _LEAST_SOUND or not (word.isascii() and word.isalpha()):
        return word
    written = word.replace("y", "i")
    vowels = "".join(run[0] for run in _VOWELS.findall(written))
    # Of vowels together the first counts, and at the end the last, too: Mario is no Mary.
    end = written[-1] if written[-1] in "aeiou" else ""
    return f"~{jellyfish.metaphone(word) or word}{vowels}{end}"


def titles() -> frozenset[str]:
    """The titles, in small letters with their accents and in plain ones."""
    return _rules().written_titles


def _words(plain: str) -> list[str]:
    words = (_POSSESSIVE.sub("", word).translate(_APOSTROPHES) for word in _BETWEEN.split(plain))
    # Sokolova, s-o-k-o-l-o-v-a: what is said twice, the second time letter by letter, is one word.
    return [word for word, same in groupby(filter(None, words)) for _ in (same if len(word) == 1 else "1")]


def _agreement_of_full(one: Name, other: Name) -> str:
    first = word_agreement(one.given, other.given, given=True)
    last = _family_agreement(one, other)
    if first and last:
        return weakest(first, last, _middle_agreement(one.middle, other.middle))
    if first and len(one.words) != len(other.words):
        short, long = sorted((one, other), key=lambda name: len(name.words))
        # María García of María García López, Mary Ann of Mary Ann Lee.
        if len(short.words[-1]) > 1 and short.words[-1] in long.middle:
            return weakest(first, "part")
    if last == "same" and len(one.words) != len(other.words):
        short, long = sorted((one, other), key=lambda name: len(name.words))
        if len(short.given) > 1 and short.given in long.middle:
            return "middle"
    turned = one.words[0] == other.words[-1] and one.words[-1] == other.words[0]
    return "turned" if turned and one.words[1:-1] == other.words[1:-1] else ""


def _family_agreement(one: Name, other: Name) -> str:
    if one.particles and other.particles and one.particles != other.particles:
        return ""
    last, its = one.words[-1], other.words[-1]
    # J. S. may be anybody's with these letters, John S. too.
    same = word_agreement(last, its, given=len(last) == 1 or len(its) == 1)
    if same:
        return same
    if one.given == other.given and len(one.given) > 1 and is_typo(last, its):
        return "typo"
    return ""


def is_typo(one: str, other: str) -> bool:
    """Whether two long words differ in one letter, or in two that changed places.

    >>> is_typo("mahmood", "mahmoud"), is_typo("smith", "south")
    (True, False)
    """
    if min(len(one), len(other)) < _LEAST_TYPO - 1 or abs(len(one) - len(other)) > 1 or one[0] != other[0]:
        return False
    return jellyfish.damerau_levenshtein_distance(one, other) == 1


def _middle_agreement(one: tuple[str, ...], other: tuple[str, ...]) -> str:
    """Names between the first and the last: one may leave them out, two that are written have to agree."""
    if not one or not other:
        return "same" if one == other else "part"
    short, long = sorted((one, other), key=len)
    hows = [max((word_agreement(a, b, True) for b in long), key=_sureness) for a in short]
    return weakest(*hows)


def _sureness(how: str) -> float:
    return confidence(how) if how else 0.0


def _agreement_with_lone(lone: Name, full: Name) -> str:
    word = lone.words[0]
    if len(word) == 1:
        return ""  # a letter by itself names nobody
    if lone.particles and lone.particles != full.particles:
        return ""
    last = word_agreement(word, full.words[-1], given=False)
    if lone.particles:
        return weakest(last, "part")
    between = "same" if word in full.middle else ""
    first = word_agreement(word, full.given, given=True)
    if lone.title:
        # Ms Lee is a Lee; Miss Ann is said, too, but less often.
        return weakest(last or between, "part") or weakest(first, "titled_given")
    return weakest(max((last, between, first), key=_sureness), "part")


class _Rules(NamedTuple):
    written_titles: frozenset[str]
    titles: dict[str, str]
    said_for_letter: re.Pattern[str]
    particles: frozenset[str]
    suffixes: dict[str, str]
    late_suffixes: frozenset[str]
    agreements: dict[str, float]


@built_once
def _rules() -> _Rules:
    data = parse_yaml(files("tacenda.transforms.linking").joinpath("names.yaml").read_text(encoding="utf-8"))
    genders = {"men": "m", "women": "f", "anybody": ""}
    written = " ".join(data["titles"].values()).split()
    return _Rules(
        frozenset((*written, *map(plain_letters, written))),
        {
            plain_letters(title): genders[whose]
            for whose, titles in data["titles"].items()
            for title in titles.split()
        },
        re.compile(rf"\b({_LETTER}),?\s(?:{'|'.join(data['said_for_letter'])})\s\1[^\W\d_]+"),
        frozenset(data["particles"].split()),
        {word: word for word in data["generations"].split()} | dict.fromkeys(data["suffixes"].split(), ""),
        frozenset(data["suffixes"].split()),
        data["agreements"],
    )
