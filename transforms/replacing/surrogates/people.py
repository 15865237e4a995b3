"""Invented people: one for each person of a conversation, with corresponding parts of names.

Replacement is word by word: wherever the conversation says ``Lee``, its surrogate has the same other family
name, so that ``Ann``, ``Ann Lee``, ``Ms Lee`` and her brother ``Bob Lee`` stay consistent (NorDeid, Ngo et
al. 2025, after Dalianis 2019: the same name gets the same surrogate of the same gender, neutral names a
neutral one).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Literal, NamedTuple

from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.linking.names import Name, is_typo, parse_name, word_agreement
from tacenda.transforms.replacing.surrogates.context import Context, kind_of
from tacenda.transforms.replacing.surrogates.inflection import (
    Ending,
    finnish_bases,
    split_ending,
    takes,
    with_ending,
)
from tacenda.transforms.replacing.surrogates.lists import document, people
from tacenda.transforms.replacing.surrogates.writing import in_case_of, without_accents
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.text.characters import plain_letters

Role = Literal["given", "family"]

_TOKEN = re.compile(r"[^\W\d_]+(?:['’ʼ‐-][^\W\d_]+)*['’]?|[\W\d_]+")
_HYPHEN = re.compile(r"(?<=[^\W\d_]{2})[-‐](?=[^\W\d_])|(?<=[^\W\d_])[-‐](?=[^\W\d_]{2})")
"""Within a hyphenated name, which is one word here; the dashes of a spelled name do not count."""
_NO_LETTERS = str.maketrans("", "", "'’ʼ-‐")
_SPELLED = re.compile(
    r"(?<![^\W_])(?:[^\W\d_](?:\s?[-‐-―]\s?[^\W\d_])+|[^\W\d_](?:,?\s[^\W\d_]){2,})(?![^\W_]|['’])"
)
_LETTER = re.compile(r"[^\W\d_]")
_SHORTEST = 3
"""Fewest letters of a surrogate name; shorter ones are words in many languages."""
_COMMON = 2
"""Lowest level of given names that genitives are formed of."""


@dataclass(slots=True)
class Person:
    """A person: the folded names of the original, each empty if no mention has it."""

    given: str = ""
    family: str = ""
    gender: str = ""
    origin: str = ""

    @property
    def roles(self) -> tuple[tuple[str, Role], ...]:
        """The given and the family name, each with its role."""
        return (self.given, "given"), (self.family, "family")


class _Part(NamedTuple):
    """A piece of a mention: a word with its role, spelled letters, an initial, or text to keep."""

    text: str
    word: str = ""
    role: Role | None = None
    ending: Ending | None = None
    is_spelled: bool = False


class _Reading(NamedTuple):
    """A word of a name: its base and ending, and the letters of the base and of the whole."""

    base: str
    ending: Ending | None
    word: str
    own: str


class InventedPeople:
    """The people of one conversation and the replacements of their names."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._persons: dict[int, Person] = {}
        self._names: dict[str, str | None] = {}
        self._roles: dict[str, Role] = {}
        self._endings: dict[str, set[Ending]] = {}
        self._origins: Counter[str] = Counter()
        self._written: dict[str, str] = {}

    def add(self, entity: int, mentions: Sequence[str]) -> None:
        """Register an entity with all of its mentions, before anything is written, so that parts agree."""
        person = self._persons.setdefault(entity, Person())
        # "Virtasen Matti" begins with the family name, which "Matti Virtanen" tells.
        for text in sorted(mentions, key=lambda text: self._bare(_parsed(text).given) != _parsed(text).given):
            name = _parsed(text)
            person.gender = person.gender or name.gender
            given, family = self._bare(name.given), self._bare(name.family)
            if (given, family) == (person.family, person.given):
                given = family = ""
            if len(given) > len(person.given):
                person.given = given
            if len(family) > 1 and not person.family:
                person.family = family
            for part in self._parts(text, name):
                if part.role and part.ending:
                    self._endings.setdefault(part.word, set()).add(part.ending)
        for word, role in person.roles:
            if len(word) > 1:
                self._roles.setdefault(word, role)

    def value(self, entity: int, text: str) -> str | None:
        """The surrogate of a mention; None if no invented name fits."""
        person = self._persons.setdefault(entity, Person())
        out = []
        for part in self._parts(text, _parsed(text)):
            if not part.role and not part.is_spelled:
                out.append(part.text)
                continue
            name = self._name(person, part)
            if name is None:
                return None
            out.append(self._as_written(part, name))
        value = "".join(out)
        return None if value == text else value

    def everybody(self) -> Iterator[tuple[Person, str, str]]:
        """Each person with the surrogate given and family name, or empty."""
        for person in self._persons.values():
            names = [
                self._surrogate(person, word, role) if len(word) > 1 else None for word, role in person.roles
            ]
            if person.given or person.family:
                yield person, names[0] or "", names[1] or ""

    def name_for(self, word: str, role: Role) -> str | None:
        """The surrogate of a word that occurs in an address or user name but in no mention."""
        return self._surrogate(Person(), word, self._roles.get(word, role))

    def _bare(self, word: str) -> str:
        base = self._reading(word)[0] if word else word
        return base if len(base) > 1 else word

    def _reading(self, token: str) -> _Reading:
        """A word of a name, read as a genitive if the language has them and it is likelier one than a name."""
        read = _read(token)
        if read.ending is not None and read.ending.case and read.word not in self._said:
            base, ending = split_ending(token, lambda word: word != token and _letters(word) in self._said)
            return read if ending is None else _Reading(base, ending, _letters(base), read.own)
        if read.ending is not None or token[-1:] not in ("s", "n"):
            return read
        if token[-1] == "n" and self._context.language == "fi":
            return next((one for one in _finnish_genitives(token) if self._is_likelier(one)), read)
        genitive = _genitive(token) if token[-1] == "s" and self._context.has_bare_genitives else None
        if genitive is None or (_is_own_name(read.word) and not self._is_said(genitive)):
            return read
        return genitive

    def _is_likelier(self, genitive: _Reading) -> bool:
        """Whether the base is a given name that is commoner, or as common and in the conversation."""
        lists = lexicon()
        base, own = lists.kinds_of([genitive.word, genitive.own])
        level = int(lists.given[base])
        least = max(int(lists.given[own]), int(lists.family[own]))
        return level >= _COMMON and level + (genitive.word in self._said) > least

    def _is_said(self, genitive: _Reading) -> bool:
        """Whether the base is a name in the conversation, of the same gender: Andreas is none of Andrea."""
        genders = people().genders
        same = genders.get(genitive.word, "n") == genders.get(genitive.own, "n")
        return same and genitive.word in self._said

    @cached_property
    def _said(self) -> frozenset[str]:
        """The words of all mentions of people."""
        mentions = self._context.mentions.items()
        texts = (text for info_type, own in mentions if kind_of(info_type) == "person" for text in own)
        return frozenset(_letters(word) for text in texts for word in _TOKEN.findall(text))

    def _parts(self, text: str, name: Name) -> list[_Part]:
        parts: list[_Part] = []
        at = 0
        for spelled in _SPELLED.finditer(text):
            parts += self._words(text[at : spelled.start()], name)
            word = plain_letters("".join(_LETTER.findall(spelled[0])))
            parts.append(_Part(spelled[0], word, is_spelled=True))
            at = spelled.end()
        return parts + self._words(text[at:], name)

    def _words(self, text: str, name: Name) -> list[_Part]:
        parts = []
        for match in _TOKEN.finditer(text):
            token = match[0]
            if not token[0].isalpha():
                parts.append(_Part(token))
                continue
            base, ending, word, own = self._reading(token)
            if not base.isascii():
                self._written[word] = base.casefold()
            if word not in name.words and own not in name.words:
                parts.append(_Part(token))  # a title, a particle, a suffix
                continue
            parts.append(_Part(token, word, self._role_of(word, own, name), ending))
        return parts

    def _role_of(self, word: str, own: str, name: Name) -> Role:
        at = name.words.index(word if word in name.words else own)
        if name.is_full and at == 0:
            return "given"
        if name.family and at == len(name.words) - 1:
            return "family"
        if word in self._roles:
            return self._roles[word]
        known = people()
        if word in known.given or word in known.genders:
            return "given"
        return "family" if word in known.family or name.is_full else "given"

    def _name(self, person: Person, part: _Part) -> str | None:
        """The surrogate of the word that a part equals, sounds like, or begins."""
        word = part.word
        for own, role in person.roles:
            if own and (word == own or (len(word) == 1 and own[0] == word)):
                return self._surrogate(person, own, role)
        if word not in self._names and len(word) > 1:
            if person.given and word_agreement(word, person.given, True):
                return self._surrogate(person, person.given, "given")
            if person.family and (word_agreement(word, person.family, False) or is_typo(word, person.family)):
                return self._surrogate(person, person.family, "family")
        if part.is_spelled and word not in self._roles and not _is_name(word):
            return None
        return self._surrogate(person, word, part.role or self._roles.get(word, "given"))

    def _surrogate(self, person: Person, word: str, role: Role) -> str | None:
        if word not in self._names:
            self._names[word] = self._drawn(person, word, role)
        return self._names[word]

    def _drawn(self, person: Person, word: str, role: Role) -> str | None:
        person.origin = person.origin or self._origin(person, word)
        self._origins[person.origin] += 1
        draw = self._context.draws.draw("person", role, word)
        endings = self._endings.get(word, ())
        initial = word if len(word) == 1 else ""

        def fits(name: str) -> bool:
            return (
                len(name) >= _SHORTEST
                and name[0].lower() != initial
                and all(takes(name, ending) for ending in endings)
            )

        drawn = (
            self._context.pools.drawn(
                (person.origin, part, initial, *chain.from_iterable(sorted(endings))),
                people().pools.get((person.origin, part), ()),
                draw,
                fits,
            )
            for part in self._pools(person, word, role)
        )
        return next(filter(None, drawn), None)

    def _pools(self, person: Person, word: str, role: Role) -> Sequence[str]:
        given, known = word if role == "given" else person.given, people()
        # Ola is a woman's name in some countries and a man's in Norway.
        by_name = known.genders_in.get((person.origin, given)) or known.genders.get(given, "n")
        gender = person.gender or by_name
        if role == "family":
            return ("lf", "l") if gender == "f" else ("lm", "l")
        # If an origin has no neutral names left, one of either gender is still a name.
        return (
            (gender, "n")
            if gender != "n"
            else ("n", *self._context.draws.draw("gender", word).pick(("fm", "mf")))
        )

    def _origin(self, person: Person, word: str) -> str:
        settings = _origins()
        known = people()
        votes: dict[str, float] = {}
        # Rare names say more about an origin than common ones.
        for index, name in ((known.given, person.given or word), (known.family, person.family or word)):
            # José occurs in fewer origins than Jose.
            origins = index.get(self._written.get(name, name)) or index.get(name, ())
            for origin in origins:
                votes[origin] = votes.get(origin, 0) + 1 / len(origins)
        script = _script(word)
        own_script = settings["scripts"].get(script, ())
        votes = {o: n for o, n in votes.items() if (o in own_script) == (script != "latin")}
        at_home = settings["languages"].get(self._context.language, "english")
        if votes:
            order = settings["order"]
            return max(
                votes,
                key=lambda o: (
                    votes[o],
                    self._origins[o],
                    o == at_home,
                    -order.index(o) if o in order else -99,
                    o,
                ),
            )
        if script != "latin":
            return str(own_script[0]) if own_script else ""
        return str(self._origins.most_common(1)[0][0] if self._origins else at_home)

    def _as_written(self, part: _Part, name: str) -> str:
        if not self._context.writes_accents:
            name = without_accents(name)
        if part.is_spelled:
            return _spelled(part.text, name)
        letters = [c for c in part.text if c.isalpha()]
        if len(part.word) == 1 and len(letters) == 1:
            return in_case_of(part.text, name[0])
        bare = part.text
        if part.ending is not None and part.ending.written:
            bare = part.text[: len(part.text) - len(part.ending.written)]
        cased = in_case_of(bare, name)
        return cased if part.ending is None else with_ending(cased, part.ending)


def _is_name(word: str) -> bool:
    known = people()
    plain = plain_letters(word)
    return plain in known.genders or plain in known.given or plain in known.family


@remembered
def _read(token: str) -> _Reading:
    base, ending = split_ending(token, _is_name)
    return _Reading(base, ending, _letters(base), _letters(token))


@remembered
def _genitive(token: str) -> _Reading | None:
    """A word that lists have as a name, read as the genitive of a given name as common; else None."""
    own, base = _letters(token), token[:-1]
    word, lists = _letters(base), lexicon()
    if len(word) < _SHORTEST:
        return None
    kinds = lists.kinds_of([word, own])
    levels = [int(lists.given[kind]) for kind in kinds]
    if levels[0] < levels[1] or levels[0] < _COMMON:
        return None
    return _Reading(base, Ending("s"), word, own)


@remembered
def _finnish_genitives(token: str) -> list[_Reading]:
    """A word that lists have as a name, read as the genitive of others: Matin of Matti."""
    bases = finnish_bases(token[:-1], "genitive")
    return [
        _Reading(base, Ending("", "genitive"), _letters(base), _letters(token))
        for base in bases
        if len(base) >= _SHORTEST
    ]


def _is_own_name(word: str) -> bool:
    """Whether people are certainly called so, whatever else the word may be."""
    return word in people().given or word in people().family


def _letters(word: str) -> str:
    return plain_letters(word).translate(_NO_LETTERS)


def _spelled(original: str, name: str) -> str:
    """Spell a name letter by letter, with the separators of the original."""
    between = [text for text in _LETTER.split(original)[1:-1] if text]
    separator = between[0] if between else " "
    letters = [c for c in name if c.isalpha()]
    return separator.join(in_case_of("AA" if original[0].isupper() else "a", letter) for letter in letters)


def _parsed(text: str) -> Name:
    return parse_name(_HYPHEN.sub("", text))


@built_once
def _origins() -> Any:
    return document("origins.yaml")


def _script(word: str) -> str:
    return unicodedata.name(word[0], "LATIN").partition(" ")[0].lower()
