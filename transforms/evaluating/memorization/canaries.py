"""Canaries: invented sentences, drawn by a seed from a known space, that are planted in training data.

A model that memorised one finds it likelier than the others of its space. Files identify a canary by the hash
of its text.
"""

import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files
from math import prod
from typing import NamedTuple

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_PLACE = re.compile(r"\{(digits|word):(\w+)\}")


class Canary(NamedTuple):
    """One canary: its ``name`` in files, its format, and its place in the space of ``size`` texts."""

    name: str
    format: str
    place: int
    size: int

    @property
    def text(self) -> str:
        """The sentence that is planted."""
        return text_at(self.format, self.place)

    @property
    def fingerprint(self) -> str:
        """The hash that identifies the sentence."""
        return fingerprint(self.text)


def fingerprint(text: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def formats() -> list[str]:
    """The names of all formats."""
    return list(_data()[0])


def space(name: str) -> int:
    """The number of texts of a format.

    >>> space("number")
    1000000000
    """
    return prod(map(len, _choices(name)))


def text_at(name: str, place: int) -> str:
    """The text of a format at a place of its space, from 0 on.

    >>> text_at("number", 42)
    'The number to give them is 000000042.'
    """
    chosen: list[str] = []
    for choices in reversed(_choices(name)):
        place, index = divmod(place, len(choices))
        chosen.append(choices[index])
    return _PLACE.sub(lambda match: "".join(chosen.pop() for _ in range(_width(match))), _data()[0][name])


def drawn(count: int, seed: int) -> list[Canary]:
    """``count`` canaries, of each format in turn; the same for the same seed."""
    names = formats()
    canaries = []
    for number in range(count):
        name = names[number % len(names)]
        size = space(name)
        place = _random(f"{seed}/{number}/{name}") % size
        canaries.append(Canary(f"c{number:04d}", name, place, size))
    return canaries


def candidates(canary: Canary, count: int, seed: int) -> Iterator[str]:
    """The texts that a canary is compared with, including itself, in an order that does not reveal it.

    All texts of its space, if there are at most ``count``; else the canary and ``count`` others, drawn by
    the seed.
    """
    if canary.size <= count:
        places = set(range(canary.size))
    else:
        places, tried = {canary.place}, 0
        while len(places) <= count:
            places.add(_random(f"{seed}/{canary.name}/{tried}") % canary.size)
            tried += 1
    for place in sorted(places):
        yield text_at(canary.format, place)


def _random(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")


@built_once
def _data() -> tuple[dict[str, str], dict[str, list[str]]]:
    data = parse_yaml(files(__package__).joinpath("canaries.yaml").read_text("utf-8"))
    return data["formats"], {name: words.split() for name, words in data["words"].items()}


def _width(place: "re.Match[str]") -> int:
    return int(place[2]) if place[1] == "digits" else 1


def _choices(name: str) -> list[list[str]]:
    """The possible fillings of each gap of a format."""
    sentences, words = _data()
    choices: list[list[str]] = []
    for place in _PLACE.finditer(sentences[name]):
        one = list("0123456789") if place[1] == "digits" else words[place[2]]
        choices += [one] * _width(place)
    return choices
