"""The swap test: other names in the place of those that were found, and how many of them are found again.

What detectors miss they do not report, so a look at the replaced text says nothing of it. But whoever finds a
name that stands in a place also finds most names that stand there, and misses the others: so in a sample of
conversations every found name is replaced by one that is in none of our lists, and where nothing was found in
a kind of text, one is planted. The share that is found again estimates the share of such names that were found
in the first place.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import ClassVar, NamedTuple

from tacenda.transforms.auditing.residuals import Letters
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

NAMES_FILE = "unlisted_names.yaml"

_WORD = re.compile(r"[^\W\d_]+")
_INITIAL = 1


class Unlisted(NamedTuple):
    """Names to put in: people's by origin, places, organisations; and lines to plant one, by kind of text."""

    people: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    places: tuple[str, ...]
    organizations: tuple[str, ...]
    carriers: Mapping[str, Mapping[str, Sequence[str]]]


@built_once
def unlisted() -> Unlisted:
    """The shipped names, which are in none of our lists."""
    told = data_file(__package__, NAMES_FILE)
    people = {
        origin: (tuple(of["given"].split()), tuple(of["family"].split()))
        for origin, of in sorted(told["people"].items())
    }
    places, organizations = (tuple(told[name].split()) for name in ("places", "organizations"))
    return Unlisted(people, places, organizations, told["carriers"])


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
        places = [i for i, character in enumerate(like) if character.isdecimal()]
        told = list(like)
        for i in places[4:]:
            told[i] = str(self.number(10))
        return "".join(told)

    def value(self, info_type: str, like: str = "") -> str:
        """A value of one of ``KINDS``, if possible of the form of another one."""
        _, at, domain = (like or "@example.com").partition("@")
        if info_type == "LOCATION":
            return self.one_of(unlisted().places)
        if info_type == "ORGANIZATION_NAME":
            return self.one_of(unlisted().organizations)
        if info_type == "STREET_ADDRESS":
            return f"{1 + self.number(200)} {self.one_of(unlisted().places)} Street"
        if info_type == "PHONE_NUMBER" or (info_type == "EMAIL_ADDRESS" and not at):
            return self.digits(like or "+1 415 555 0100")
        if info_type == "EMAIL_ADDRESS":
            return f"{self.name().replace(' ', '.').lower()}@{domain}"
        if not like:
            return self.name()
        whole = [word for word in _WORD.findall(like) if len(word) > _INITIAL]
        names = iter(self.name(max(1, len(whole))).split())
        return _WORD.sub(lambda word: next(names, word[0]) if len(word[0]) > _INITIAL else word[0], like)


KINDS = ("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME", "PHONE_NUMBER", "EMAIL_ADDRESS")
"""The infoTypes that are swapped."""

_SHARE, _FEW_BYTES, _MANY_BYTES = 0.05, 100_000, 2_000_000
"""Of the text, and bounds of what is searched again: so much takes some seconds, and has hundreds of names."""

_PUT, _FOUND = "put", "found"

_LINES = {
    "mail": re.compile(r"(?m)(?:From|To|Cc|Bcc|Subject|Sent|Date|X-[\w-]+): |(?:^>.*\n?){2}"),
    "records": re.compile(
        r'(?m)\s*[\[{]"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|(?:[^|\n]*\|){2,}|(?:^[\w -]{1,30}: \S.*\n){3}|#{1,6} '
    ),
    "code": re.compile(
        r"\s*(?:(?://|/\*|\$ )|(?:def|class|import|from|return|SELECT|INSERT|function|const|var|at)\s)"
    ),
}
"""How a line of a kind of text begins."""
_CODE = re.compile(r"```|`[^`\n]+`|(?m:[;{}]\s*$)")


class Swap(NamedTuple):
    """A place of a swapped or planted name, and the entity of the conversation that it means."""

    cell: int
    start: int
    end: int
    info_type: str
    region: str
    entity: str


class Swapped(NamedTuple):
    """A conversation with other names."""

    texts: list[str]
    swaps: list[Swap]


def region_of(text: str) -> str:
    r"""The kind of text of a cell: mail, code, records or prose; of text beside code, code.

    >>> [region_of(t) for t in ("See `make`, Ann.", "Subject: hi\nHi Ann", '{"a": 1}\nAnn', "hello Ann")]
    ['code', 'mail', 'records', 'prose']
    """
    lines = [0, *(end.end() for end in re.finditer("\n", text))]
    begun = (kind for kind, line in _LINES.items() if any(map(line.match, repeat(text), lines)))
    return next(begun, "code" if _CODE.search(text) else "prose")


def swap(
    texts: Sequence[str], findings: Sequence[Sequence[Finding]], key: bytes, language: str = ""
) -> Swapped:
    """Put other names in the place of those that were found, and plant one where a kind of text has none.

    ``findings`` are what was replaced in each cell, disjoint and sorted; the key determines the names.
    """
    draws = Draws(key)
    values: dict[tuple[str, str], str] = {}
    written, swaps = [], []
    regions = [region_of(text) for text in texts]
    for cell, (text, several) in enumerate(zip(texts, findings, strict=True)):
        pieces, at, length = [], 0, 0
        for start, end, info_type, *_ in several:
            if info_type not in KINDS or not any(map(str.isalnum, text[start:end])):
                continue
            old = text[start:end]
            entity = info_type, " ".join(old.casefold().split())
            if entity not in values:
                values[entity] = draws.value(info_type, old)
            new = _in_case_of(old, values[entity])
            pieces += [text[at:start], new]
            place = length + start - at
            at, length = end, place + len(new)
            swaps.append(Swap(cell, place, length, info_type, regions[cell], "/".join(entity)))
        written.append("".join([*pieces, text[at:]]))
    for region in dict.fromkeys(regions):
        named = any(one.region == region and one.info_type == KINDS[0] for one in swaps)
        if not named and (planted := _planted(draws, regions, region, written, language)) is not None:
            swaps.append(planted)
    return Swapped(written, swaps)


def found_again(
    swapped: Swapped, findings: Sequence[Sequence[Finding]], context: str, language: str
) -> Iterator[str]:
    """Keys to count in one conversation: names put in and names found, by infoType, context, language and kind.

    An entity is found if all letters and digits of one of its places are under findings: its other places are
    then found by propagation.
    """
    cells = {one.cell: swapped.texts[one.cell] for one in swapped.swaps}
    letters = {i: (Letters(text), Letters(text, sorted(findings[i]))) for i, text in cells.items()}
    entities: dict[str, tuple[Swap, bool]] = {}
    for one in swapped.swaps:
        seen = any(start <= one.start and one.end <= end for start, end, *_ in findings[one.cell])
        if not seen:
            whole, found = (of.count(one.start, one.end) for of in letters[one.cell])
            seen = found >= whole
        entities[one.entity] = one, seen or entities.get(one.entity, (one, False))[1]
    for one, seen in entities.values():
        traits = {"all": "", "infoType": one.info_type, "kind of text": one.region}
        for by, name in {**traits, "language": language or "unknown", "context": context}.items():
            yield f"{by}/{name}/{_PUT}"
            if seen:
                yield f"{by}/{name}/{_FOUND}"


def _in_case_of(old: str, new: str) -> str:
    if old.islower():
        return new.lower()
    return new.upper() if old.isupper() and len(old) > 1 else new


def _planted(
    draws: Draws, regions: Sequence[str], region: str, texts: list[str], language: str
) -> Swap | None:
    """Plant a full name in one of the cells of a kind of text; None where there is no way to say it there."""
    ways = unlisted().carriers.get(region, {})
    several = ways.get(language) or ways.get("any")
    cells = [i for i, one in enumerate(regions) if one == region and texts[i].strip()]
    if not several or not cells:
        return None
    cell = cells[draws.number(len(cells))]
    before, after = several[draws.number(len(several))].split("{name}")
    name = _in_case_of(texts[cell], draws.name())
    start = len(texts[cell]) + len(before)
    texts[cell] = f"{texts[cell]}{before}{name}{after}"
    return Swap(cell, start, start + len(name), KINDS[0], region, f"planted/{region}")


def swap_rate(text_bytes: int) -> float:
    """The share of conversations to swap: one in twenty, more of a small corpus, and less of a large one.

    >>> [round(swap_rate(size), 4) for size in (10_000, 1_000_000, 20_000_000, 1_000_000_000)]
    [1.0, 0.1, 0.05, 0.002]
    """
    if not text_bytes:
        return 0.0
    return min(1.0, max(_FEW_BYTES, min(_SHARE * text_bytes, _MANY_BYTES)) / text_bytes)


def sampled(text_hashes: Iterable[str], rate: float) -> list[int]:
    """The numbers of the conversations of a sample, by the hashes of their texts."""
    return [i for i, one in enumerate(text_hashes) if int(one[:13], 16) < rate * 16**13]
