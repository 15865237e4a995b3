"""Values to put into text, to see whether somebody or something finds them: names in none of our lists."""

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import ClassVar, NamedTuple

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

NAMES_FILE = "unlisted_names.yaml"


class Unlisted(NamedTuple):
    """Given and family names by origin, places and organisations."""

    people: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    places: tuple[str, ...]
    organizations: tuple[str, ...]


@built_once
def unlisted() -> Unlisted:
    """The shipped names."""
    told = parse_yaml(files(__package__).joinpath(NAMES_FILE).read_text(encoding="utf-8"))
    people = {
        origin: (tuple(of["given"].split()), tuple(of["family"].split()))
        for origin, of in sorted(told["people"].items())
    }
    return Unlisted(people, tuple(told["places"].split()), tuple(told["organizations"].split()))


class Draws:
    """Draws values, the same for the same key; none comes twice from one object as long as there are others."""

    KINDS: ClassVar[frozenset[str]] = frozenset(
        ("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME", "PHONE_NUMBER", "EMAIL_ADDRESS", "STREET_ADDRESS")
    )
    """The infoTypes of which there are values."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._drawn = 0
        self._used: set[str] = set()

    def number(self, below: int) -> int:
        """A number from 0 up."""
        self._drawn += 1
        digest = hashlib.blake2b(self._drawn.to_bytes(8, "big"), key=self._key[:64], digest_size=8).digest()
        return int.from_bytes(digest, "big") % below

    def one_of(self, words: tuple[str, ...]) -> str:
        """One of some words, if possible one that did not come yet."""
        for _ in range(8):
            word = words[self.number(len(words))]
            if word not in self._used:
                break
        self._used.add(word)
        return word

    def name(self, words: int = 2) -> str:
        """The name of a person of any origin: a given name alone, or with a family name."""
        origins = tuple(unlisted().people)
        given, family = unlisted().people[origins[self.number(len(origins))]]
        if words == 1:
            return self.one_of(given)
        middle = [self.one_of(given) for _ in range(min(2, words - 2))]
        return " ".join([self.one_of(given), *middle, self.one_of(family)])

    def digits(self, like: str) -> str:
        """Digits in the places of digits; the first four stay, as they say where a number is from."""
        kept = 0
        told = []
        for character in like:
            if character.isdecimal():
                kept += 1
                told.append(character if kept <= 4 else str(self.number(10)))
            else:
                told.append(character)
        return "".join(told)

    def value(self, info_type: str) -> str:
        """A value of one of ``KINDS``."""
        if info_type == "LOCATION":
            return self.one_of(unlisted().places)
        if info_type == "ORGANIZATION_NAME":
            return self.one_of(unlisted().organizations)
        if info_type == "PHONE_NUMBER":
            return self.digits("+1 415 555 0100")
        if info_type == "EMAIL_ADDRESS":
            return f"{self.name().replace(' ', '.').lower()}@example.com"
        if info_type == "STREET_ADDRESS":
            return f"{1 + self.number(200)} {self.one_of(unlisted().places)} Street"
        return self.name()
