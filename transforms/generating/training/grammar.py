"""Grammar: what the slots of templates say, by the rules of the data folder (``slots.yaml`` explains them)."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from tacenda.transforms.gazetteers.word_list import NAMES, ORGANIZATIONS, PLACES, rows
from tacenda.transforms.generating import identifiers
from tacenda.transforms.generating.data_folder import DataFolder, separated
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.finnish import inflected
from tacenda.transforms.generating.spoken_words import DATA as CALENDARS
from tacenda.transforms.generating.spoken_words import ordinal_ending
from tacenda.transforms.generating.templates import Piece, Slot, Template, fill, parse, patterned
from tacenda.transforms.text.characters import slug

DATA = DataFolder(__package__)
SLOTS = {
    slot: label for label, slots in DATA.document("slots.yaml")["labels"].items() for slot in separated(slots)
}
"""Slots by name, ``{person}``, ``{person.a}`` (the same person every time), ``{city}`` …, with their labels."""

_FILES = ("identifiers", "names", "organizations", "places", "things")
_WEIGHTED = re.compile(r"(\d+)\* (.*)", re.DOTALL)
_LATIN_END = "\u024f"
_THRICE = re.compile(r"([a-zåäöø])\1\1")
_WITH_ARTICLES = {"LOCATION", "ORGANIZATION_NAME", "MEDICAL_TERM", "NATIONALITY", "PROFESSION"}


@cache
def _rules() -> dict[str, Any]:
    return {name: rule for file in _FILES for name, rule in DATA.document(f"{file}.yaml").items()}


def _options(node: str | Sequence[str]) -> tuple[str, ...]:
    """The texts of a list, those with a weight as many times."""
    found: list[str] = []
    for text in separated(node) if isinstance(node, str) else node:
        weighted = _WEIGHTED.fullmatch(text)
        found += [weighted[2]] * int(weighted[1]) if weighted else [text]
    return tuple(found)


@cache
def rule(name: str, lang: str) -> tuple[tuple[str, ...], tuple[str, ...], float]:
    """The texts of a rule in a language, those for all languages, and how often the former are taken."""
    node = _rules()[name]
    if not isinstance(node, dict):
        return (), _options(node), 0.0
    own: Any = node.get(lang, "")
    common: Any = node.get("all") or node.get("en", "")
    return _options(own), _options(common), node.get("share", 1.0) if own else 0.0


@cache
def words(lang: str, kind: str) -> tuple[str, ...]:
    """Ordinary words of a language; none if it has no list of the kind."""
    return separated(DATA.document("words.yaml").get(lang, {}).get(kind, ""))


@cache
def _from_gazetteer(least: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Given and family names of at least a level, of all origins.

    Patronymics are left out: there are thousands of Icelandic ones, which would outnumber all other origins.
    """
    endings = ("sson", "sdóttir", "sdottir", "ardóttir", "ardottir", "ardottur")
    given, family = [], []
    for word, levels in rows(NAMES):
        if len(word) > 2 and max(word) <= _LATIN_END and word.replace("-", "").replace("'", "").isalpha():
            given += [word.title()] if levels[0] >= least else []
            family += [word.title()] if levels[1] >= least and not word.endswith(endings) else []
    return tuple(given), tuple(family)


@cache
def _world_places() -> tuple[str, ...]:
    """Places of the gazetteer in Latin letters; larger ones are repeated."""
    small = separated(_rules()["small"])
    found: list[str] = []
    for place, level in rows(PLACES):
        if 3 < len(place) < 24 and max(place) <= _LATIN_END and not any(c.isdigit() for c in place):
            parts = [w if w in small and i else w[:1].upper() + w[1:] for i, w in enumerate(place.split(" "))]
            found += [" ".join(parts)] * int(level)
    return tuple(found)


@cache
def _world_organizations() -> tuple[str, ...]:
    """Companies and universities of the gazetteer."""
    return tuple(
        " ".join(w.upper() if len(w) < 3 else w.capitalize() for w in line.split())
        for (line,) in rows(ORGANIZATIONS)
        if 4 < len(line) < 28
        and max(line) <= _LATIN_END
        and line[0].isalpha()
        and not re.search(r"\d| gf ", line)
    )


HOME = {lang: separated(listed) for lang, listed in DATA.document("names.yaml")["homes"].items()}
"""Most common origins of people in conversations of a language."""
_TWO_SURNAMES = {"spanish", "mexican", "andean", "portuguese", "brazilian"}
_EVERYDAY = 0.16
"""Share of people whose given name is also an everyday word."""


@cache
def origins() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The given and family names of each origin."""
    listed = DATA.document("names.yaml")["origins"].items()
    return {name: (separated(entry["given"]), separated(entry["family"])) for name, entry in listed}


class Person:
    """A person with a given and a family name; ``origin`` is empty for names from the gazetteer."""

    __slots__ = ("family", "family_first", "given", "origin")

    def __init__(self, draw: Draw, lang: str) -> None:
        chance = draw.random()
        self.origin, self.family_first = "", False
        if chance < 0.4:
            given, family = _from_gazetteer("3" if draw.chance(0.35) else "2")
            self.given, self.family = draw.pick(given), draw.pick(family)
            if draw.chance(0.04):
                self.family = f"{draw.pick(rule('particle', lang)[1])} {self.family}"
        else:
            homely = lang != "en" and chance < 0.75
            self.origin = draw.pick(HOME[lang] if homely else [*origins()])
            given, family = origins()[self.origin]
            self.given = draw.pick(given)
            # People migrate and marry: sometimes the family name is of another origin.
            self.family = draw.pick(origins()[draw.pick([*origins()])][1] if draw.chance(0.06) else family)
            order = DATA.document("names.yaml")["origins"][self.origin].get("order")
            self.family_first = order == "family" and draw.chance(0.4)
            if self.origin in _TWO_SURNAMES and draw.chance(0.35):
                self.family = f"{self.family} {draw.pick(family)}"
        if draw.chance(_EVERYDAY):
            self.given = draw.pick(rule("everyday", lang)[1])


class Setting:
    """The language of a conversation, and the values generated for it."""

    __slots__ = ("_people", "_said", "draw", "lang")

    def __init__(self, draw: Draw, lang: str) -> None:
        self.draw, self.lang = draw, lang
        self._people: dict[str, Person] = {}
        self._said: dict[Slot, Sequence[Piece]] = {}

    def filled(self, text: str) -> list[Piece]:
        """The pieces of a template.

        Raises:
            ValueError: it names a slot that does not exist, or leaves a choice open.
        """
        return fill(_template(text), self)

    def value(self, slot: Slot) -> Sequence[Piece]:
        """The pieces of a slot; the same every time for an owner, except for the form of full names."""
        if not slot.owner:
            self._people.pop("", None)
        if slot.owner and slot.name != "person" and slot in self._said:
            return self._said[slot]
        label = SLOTS[slot.name]
        if slot.name == "address":
            said: Sequence[Piece] = self.filled(self._drawn("address", self.lang)[0])
        else:
            text = self.text(slot.name, slot.owner)
            text = _THRICE.sub(r"\1\1", text) if label == "ORGANIZATION_NAME" else text
            article = next((a for a in ("the ", "a ") if text.startswith(a)), "")
            # A leading article is not part of the span.
            apart = article if label in _WITH_ARTICLES else ""
            said = [Piece(apart), Piece(text[len(apart) :], label)] if apart else [Piece(text, label)]
        self._said[slot] = said
        return said

    def person(self, owner: str) -> Person:
        """The person of this owner, or of the slot that is being filled in."""
        known = self._people.get(owner)
        if known is None:
            known = self._people[owner] = Person(self.draw, self.lang)
        return known

    def _drawn(self, name: str, lang: str) -> tuple[str, str]:
        """A text of a rule, with gaps, and the language of the words in it."""
        own, common, share = rule(name, lang)
        if share and (share == 1 or self.draw.chance(share)):
            return self.draw.pick(own), lang
        return self.draw.pick(common), "en"

    def text(self, name: str, owner: str = "", tongue: str | None = None) -> str:
        """A text by a rule; ordinary words in it are of the language ``tongue``.

        Raises:
            KeyError: there is no such rule.
        """
        lower = name[0].lower() + name[1:]
        ordinary = words(tongue, lower) if tongue else ()
        if ordinary:
            word = self.draw.pick(ordinary)
            return word if name == lower else _capitalised(word)
        if name in _MADE:
            return _MADE[name](self, owner)
        pattern, language = self._drawn(name, self.lang)

        def said(gap: str) -> str:
            other, _, change = gap.partition(":")
            text = self.text(other, owner, language)
            return _CHANGES[change](text, self.lang) if change else text

        return patterned(self.draw, pattern, said)


def _capitalised(text: str) -> str:
    return " ".join(word if word == "de" else word[:1].upper() + word[1:] for word in text.split(" "))


@cache
def _template(text: str) -> Template:
    return parse(text, lambda gap: isinstance(gap, Slot) and gap.name in SLOTS and not gap.part)


def _date(draw: Draw, lang: str, first_year: int = 1990, last_year: int = 2027, whole: bool = False) -> str:
    """A date in a format of the language; with ``whole``, always with day and year."""
    patterns = CALENDARS.document("calendar.yaml")[lang]["date"]
    pattern: str = draw.pick([p for p in patterns if not whole or ("{d" in p and "{y" in p)])
    day, month, year = draw.between(1, 28), draw.below(12), draw.between(first_year, last_year)
    months, short, weekdays = (
        CALENDARS.listed("calendar.yaml", lang, kind) for kind in ("months", "short", "weekdays")
    )
    return pattern.format(
        d=day,
        dd=f"{day:02d}",
        o=f"{day}{ordinal_ending(day)}",
        M=months[month],
        m=short[month],
        mm=f"{month + 1:02d}",
        y=year,
        yy=f"{year % 100:02d}",
        w=draw.pick(weekdays),
    )


def _time(draw: Draw, lang: str) -> str:
    pattern: str = draw.pick(CALENDARS.document("calendar.yaml")[lang]["time"])
    minute = draw.pick(("00", "15", "30", "45", f"{draw.below(60):02d}"))
    return pattern.format(h=draw.between(1, 12), HH=f"{draw.below(24):02d}", mi=minute)


_RANDOM = "abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPRSTUVWXYZ23456789!#$%&*"
_MADE: dict[str, Callable[[Setting, str], str]] = {
    "given": lambda scene, owner: scene.person(owner).given,
    "family": lambda scene, owner: scene.person(owner).family,
    "g": lambda scene, owner: scene.person(owner).given[0],
    "f": lambda scene, owner: scene.person(owner).family[0],
    "person": lambda scene, owner: scene.text(
        "family_first" if scene.person(owner).family_first else "full", owner
    ),
    "forename": lambda scene, owner: Person(scene.draw, scene.lang).given,
    "surname": lambda scene, owner: Person(scene.draw, scene.lang).family,
    "world_given": lambda scene, owner: scene.draw.pick(_from_gazetteer("2")[0]),
    "world_family": lambda scene, owner: scene.draw.pick(_from_gazetteer("2")[1]),
    "world_place": lambda scene, owner: scene.draw.pick(_world_places()),
    "world_organization": lambda scene, owner: scene.draw.pick(_world_organizations()),
    "random": lambda scene, owner: scene.draw.letters(8, _RANDOM),
    "us_number": lambda scene, owner: identifiers.social_security(scene.draw),
    "test_card": lambda scene, owner: identifiers.credit_card(scene.draw),
    "test_iban": lambda scene, owner: identifiers.iban(scene.draw),
    "test_vin": lambda scene, owner: identifiers.vehicle_identification(scene.draw),
    "test_ip": lambda scene, owner: identifiers.ip_address(scene.draw),
    "date": lambda scene, owner: _date(scene.draw, scene.lang),
    "fulldate": lambda scene, owner: _date(scene.draw, scene.lang, whole=True),
    "dob": lambda scene, owner: _date(scene.draw, scene.lang, 1930, 2016, whole=True),
    "time": lambda scene, owner: _time(scene.draw, scene.lang),
}
"""What no list has, by name."""


@cache
def _stems() -> dict[str, str]:
    """Finnish nouns with irregular stems, longest first: ``puoti`` has the stem ``puodi``."""
    pairs = sorted(words("fi", "stems"), key=len, reverse=True)
    return dict(pair.split(":") for pair in pairs)


def noun(name: str, case: str) -> str:
    """Inflect a Finnish name that ends with an ordinary noun, in any of the cases but the illative.

    >>> noun("Kahvipuoti", "inessive"), noun("Ravintola Lyhty", "genitive"), noun("Leipomo Omena", "adessive")
    ('Kahvipuodissa', 'Ravintola Lyhdyn', 'Leipomo Omenalla')
    """
    for word, stem in _stems().items():
        if name.lower().endswith(word):
            start = len(name) - len(word)
            return name[:start] + inflected(name[start] + stem[1:], case)
    return inflected(name, case)


def _genitive(name: str, lang: str, finnish: Callable[[str, str], str]) -> str:
    """The genitive of Finnish or the Scandinavian languages."""
    if lang == "fi":
        return finnish(name, "genitive")
    return name if name[-1] in "sxz" else name + "s"


_CHANGES: dict[str, Callable[[str, str], str]] = {
    "lower": lambda text, lang: text.lower(),
    "capital": lambda text, lang: text.capitalize(),
    "plain": lambda text, lang: text.replace("-", "").replace(" ", ""),
    "spaced": lambda text, lang: text.replace("-", " "),
    "dashed": lambda text, lang: text.replace(" ", "-"),
    "slug": lambda text, lang: slug(text) or "user",
    "end": lambda text, lang: (slug(text) or "user")[-1],
    # One word (Skolgränd), except for streets with a person's full name (Lars Kaggs gränd).
    "joined": lambda text, lang: f"{text} " if " " in text and text.endswith((".", "s")) else text,
    "of": lambda text, lang: _genitive(text, lang, inflected),
    "nounof": lambda text, lang: _genitive(text, lang, noun),
    "nounin": lambda text, lang: noun(text, "inessive"),
    "nounfrom": lambda text, lang: noun(text, "elative"),
    "nounat": lambda text, lang: noun(text, "adessive"),
    "inessive": lambda text, lang: inflected(text, "inessive"),
    "elative": lambda text, lang: inflected(text, "elative"),
    "illative": lambda text, lang: inflected(text, "illative"),
}
"""How a text can be changed: ``{city:illative}``."""
