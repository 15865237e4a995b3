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
from typing import Literal, NamedTuple

from tacenda.transforms.linking.names import SPELLED, Name, parse_name, word_agreement
from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.inflection import (
    BARE,
    Ending,
    in_case_of,
    split_ending,
    takes,
    with_ending,
)
from tacenda.transforms.replacing.surrogates.lists import document, people
from tacenda.transforms.storage.process_cache import remembered
from tacenda.transforms.text.characters import plain_letters

Role = Literal["given", "family"]

_TOKEN = re.compile(r"[^\W\d_]+(?:['’ʼ‐-][^\W\d_]+)*['’]?|[\W\d_]+")
_HYPHEN = re.compile(r"(?<=[^\W\d_]{2})[-‐](?=[^\W\d_])|(?<=[^\W\d_])[-‐](?=[^\W\d_]{2})")
"""Within a hyphenated name, which is one word here; the dashes of a spelled name do not count."""
_NO_LETTERS = str.maketrans("", "", "'’ʼ-‐")
_LETTER = re.compile(r"[^\W\d_]")
_SHORTEST = 3
"""Fewest letters of a surrogate name; shorter ones are words in many languages."""


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
    """A piece of a mention: a word with its role, spelled letters, or text to keep, which has no word."""

    text: str
    word: str = ""
    role: Role | None = None
    ending: Ending = BARE


class InventedPeople:
    """The people of one conversation and the replacements of their names."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._persons: dict[int, Person] = {}
        self._names: dict[str, str | None] = {}
        self._roles: dict[str, Role] = {}
        self._endings: dict[str, set[Ending]] = {}
        self._origins: Counter[str] = Counter()
        self._accented: dict[str, str] = {}

    def add(self, entity: int, mentions: Sequence[str]) -> None:
        """Register an entity with all of its mentions, before anything is written, so that parts agree."""
        person = self._persons.setdefault(entity, Person())
        # "Virtasen Matti" begins with the family name, which "Matti Virtanen" tells.
        for text in sorted(mentions, key=lambda text: self._base(_parsed(text).given) != _parsed(text).given):
            name = _parsed(text)
            person.gender = person.gender or name.gender
            given, family = self._base(name.given), self._base(name.family)
            if (given, family) != (person.family, person.given):
                person.given = max(person.given, given, key=len)
                person.family = person.family or (family if len(family) > 1 else "")
            for part in self._parts(text):
                if part.role and part.ending != BARE:
                    self._endings.setdefault(part.word, set()).add(part.ending)
        for word, role in person.roles:
            if len(word) > 1:
                self._roles.setdefault(word, role)

    def value(self, entity: int, text: str) -> str | None:
        """The surrogate of a mention; None if no invented name fits."""
        person = self._persons.setdefault(entity, Person())
        parts = [(part, self._name(person, part) if part.word else "") for part in self._parts(text)]
        if any(name is None for _, name in parts):
            return None
        value = "".join(self._as_written(part, name) if name else part.text for part, name in parts)
        return None if value == text else value

    def everybody(self) -> Iterator[tuple[Person, str, str]]:
        """Each person with the surrogate given and family name, or empty."""
        for person in self._persons.values():
            if person.given or person.family:
                names = [self._surrogate(person, *one) if len(one[0]) > 1 else "" for one in person.roles]
                yield person, names[0] or "", names[1] or ""

    def _base(self, word: str) -> str:
        base = self._split(word)[0] if word else ""
        return base if len(base) > 1 else word

    def _split(self, token: str) -> tuple[str, Ending]:
        """A word of a name without its ending; a form of another name that is said is rather that."""
        may_be_form = token[-1:] in ("s", "n") and self._context.inflects
        if may_be_form or not _is_name(token):
            own = _letters(token)
            base, ending = split_ending(token, lambda word: word != token and _letters(word) in self._said)
            gender = people().genders.get(_letters(base), "n")
            if ending != BARE and people().genders.get(own, gender) in (gender, "n"):
                return base, ending
        return split_ending(token, _is_name)

    @cached_property
    def _said(self) -> frozenset[str]:
        """The words of all mentions of people."""
        texts = self._context.mentions_of("person")
        return frozenset(_letters(word) for text in texts for word in _TOKEN.findall(text))

    def _parts(self, text: str) -> list[_Part]:
        name, at = _parsed(text), 0
        parts: list[_Part] = []
        for spelled in SPELLED.finditer(text):
            parts += self._words(text[at : spelled.start()], name)
            parts.append(_Part(spelled[0], plain_letters("".join(_LETTER.findall(spelled[0])))))
            at = spelled.end()
        return [*parts, *self._words(text[at:], name)]

    def _words(self, text: str, name: Name) -> Iterator[_Part]:
        for token in _TOKEN.findall(text):
            base, ending = self._split(token) if token[0].isalpha() else ("", BARE)
            word, own = _letters(base), _letters(token)
            self._accented.setdefault(word, base.casefold())
            if base and (word in name.words or own in name.words):
                yield _Part(token, word, self._role_of(word, own, name), ending)
            else:
                yield _Part(token)  # a title, a particle, a suffix

    def _role_of(self, word: str, own: str, name: Name) -> Role:
        at = name.words.index(word if word in name.words else own)
        if name.is_full and at == 0:
            return "given"
        if name.family and at == len(name.words) - 1:
            return "family"
        known = people()
        is_given = word in known.given or word in known.genders
        is_family = not is_given and (word in known.family or name.is_full)
        return self._roles.get(word, "family" if is_family else "given")

    def _name(self, person: Person, part: _Part) -> str | None:
        """The surrogate of the word that a part equals, sounds like, or begins."""
        word = part.word
        for own, role in person.roles:
            if own and (word == own or (len(word) == 1 and own[0] == word)):
                return self._surrogate(person, own, role)
        if word not in self._names and len(word) > 1:
            if person.given and word_agreement(word, person.given, True):
                return self._surrogate(person, person.given, "given")
            if person.family and word_agreement(word, person.family, False):
                return self._surrogate(person, person.family, "family")
        if part.role is None and word not in self._roles and not _is_name(word):
            return None  # spelled letters of no name
        return self._surrogate(person, word, part.role or self._roles.get(word, "given"))

    def _surrogate(self, person: Person, word: str, role: Role) -> str | None:
        if word not in self._names:
            self._names[word] = self._drawn(person, word, role)
        return self._names[word]

    def _drawn(self, person: Person, word: str, role: Role) -> str | None:
        person.origin = person.origin or self._origin(person, word)
        self._origins[person.origin] += 1
        draw = self._context.draws.draw("person", role, word)
        endings = sorted(self._endings.get(word, ()))
        initial = word if len(word) == 1 else ""

        def fits(name: str) -> bool:
            is_other = len(name) >= _SHORTEST and name[0].lower() != initial
            return is_other and all(takes(name, ending) for ending in endings)

        for part in self._pools(person, word, role):
            pool = person.origin, part, initial, *chain.from_iterable(endings)
            names = people().pools.get((person.origin, part), ())
            if drawn := self._context.drawn(pool, names, draw, fits):
                return drawn
        return None

    def _pools(self, person: Person, word: str, role: Role) -> Sequence[str]:
        given, known = word if role == "given" else person.given, people()
        # Ola is a woman's name in some countries and a man's in Norway.
        by_name = known.genders_in.get((person.origin, given)) or known.genders.get(given, "n")
        gender = person.gender or by_name
        if role == "family":
            return ("lf", "l") if gender == "f" else ("lm", "l")
        # If an origin has no neutral names left, one of either gender is still a name.
        either = self._context.draws.draw("gender", word).pick(("fm", "mf"))
        return (gender, "n") if gender != "n" else ("n", *either)

    def _origin(self, person: Person, word: str) -> str:
        """The origin whose lists have a name; rare names say more about it than common ones."""
        settings, known = document("origins.yaml"), people()
        own_script = settings["scripts"].get(_script(word), ())
        votes: dict[str, float] = {}
        for index, name in ((known.given, person.given or word), (known.family, person.family or word)):
            # José is in fewer lists than Jose.
            origins = index.get(self._accented.get(name, name)) or index.get(name, ())
            for origin in origins:
                if (origin in own_script) == (_script(word) != "latin"):
                    votes[origin] = votes.get(origin, 0) + 1 / len(origins)
        at_home = str(settings["languages"].get(self._context.language, "english"))
        if votes:
            order = settings["order"]
            rank = {origin: -order.index(origin) if origin in order else -99 for origin in votes}
            return max(votes, key=lambda o: (votes[o], self._origins[o], o == at_home, rank[o], o))
        if _script(word) != "latin":
            return str(own_script[0]) if own_script else ""
        return max(self._origins, key=self._origins.__getitem__, default=at_home)

    def _as_written(self, part: _Part, name: str) -> str:
        name = self._context.accented(name)
        if part.role is None:
            return _spelled(part.text, name)
        if len(part.word) == 1 and sum(map(str.isalpha, part.text)) == 1:
            return in_case_of(part.text, name[0])
        cased = in_case_of(part.text.removesuffix(part.ending.written), name)
        return with_ending(cased, part.ending)


@remembered
def _is_name(word: str) -> bool:
    known, plain = people(), plain_letters(word)
    return plain in known.genders or plain in known.given or plain in known.family


def _letters(word: str) -> str:
    return plain_letters(word).translate(_NO_LETTERS)


def _spelled(original: str, name: str) -> str:
    """Spell a name letter by letter, with the separators of the original."""
    between = [text for text in _LETTER.split(original)[1:-1] if text]
    cased = name.upper() if original[0].isupper() else name.lower()
    return (between[0] if between else " ").join(filter(str.isalpha, cased))


def _parsed(text: str) -> Name:
    return parse_name(_HYPHEN.sub("", text))


def _script(word: str) -> str:
    return unicodedata.name(word[0], "LATIN").partition(" ")[0].lower()
