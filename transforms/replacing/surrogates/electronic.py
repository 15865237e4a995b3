"""Organisations; e-mail addresses, user names and URLs, built from the surrogates of the names in them.

An invented organisation keeps the words for its kind (bank, clinic, AB, GmbH).

A user name built from a name is rebuilt from its surrogate (an error of NorDeid: ``Signe Rybakk/Sry001``).
Hosts use reserved domains (RFC 2606), so that no invented address reaches anybody.
"""

import ipaddress
import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice

from tacenda.transforms.generating import identifiers
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.inflection import Ending, in_case_of, takes, with_ending
from tacenda.transforms.replacing.surrogates.lists import document
from tacenda.transforms.replacing.surrogates.numbers import other_symbols
from tacenda.transforms.replacing.surrogates.people import InventedPeople
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import plain_letters, slug

_WORD = re.compile(r"[^\W_]+(?:['’&-][^\W_]+)*")
_ARTICLES = frozenset(("the", "el", "la", "die", "der", "das"))
_S = Ending("s")


class InventedOrganizations:
    """The organisations of one conversation: one invented stem for each original stem."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._stems: dict[str, str | None] = {}
        self._slugs: dict[str, str] = {}
        self._mentioned = frozenset(context.mentions_of("organization"))

    def value(self, text: str) -> str | None:
        """The surrogate of an organisation; None if stems are exhausted, or it has no letters."""
        if text[-1:] == "s" and text[:-1] in self._mentioned and self._context.inflects:
            named = self.value(text[:-1])
            return named and (with_ending(named, _S) if takes(named, _S) else named)
        words = list(_WORD.finditer(text))
        if not words:
            return None
        own = [word for word in words if word[0].lower() not in _kinds_of_organizations()]
        kept = words.index(own[-1]) + 1 if own else 0
        first = int(len(words) > 1 and words[0][0].lower() in _ARTICLES)
        if kept <= first:
            first, kept = 0, len(words)
        start, end = words[first].start(), words[kept - 1].end()
        invented = self._stem(plain_letters(text[start:end]))
        return invented and text[:start] + in_case_of(text[start:end], invented) + text[end:]

    def host(self, label: str) -> str:
        """The host name of the organisation with these letters, or an invented one."""
        return self._slugs.get(label) or slug(self._stem(f"host {label}") or "example")

    def _stem(self, original: str) -> str | None:
        if original not in self._stems:
            draw = self._context.draws.draw("organization", original)
            found = self._context.drawn(("organization",), invented_stems(), draw)
            self._stems[original] = found
            if found:
                self._slugs.setdefault(slug(original), slug(found))
        return self._stems[original]


@built_once
def _kinds_of_organizations() -> frozenset[str]:
    """Words that describe the kind of an organisation."""
    forms = (*inventory.organization_words("forms"), *inventory.organization_words("family_forms"))
    words = (word for form in forms for word in _WORD.findall(form.lower()))
    return frozenset((*words, *document("organizations.yaml")["kinds"].split()))


@built_once
def invented_stems() -> tuple[str, ...]:
    """Invented stems: compounds of two parts, like many company names."""
    first_parts, last_parts = (
        document("organizations.yaml")[name].split() for name in ("first_parts", "last_parts")
    )
    return tuple(first + last for first in first_parts for last in last_parts if first[-1] != last[0])


_AT = re.compile(r"\s*@\s*")
_PIECE = re.compile(r"[^\W\d_]+|\d+|[\W_]+")
_PAGE = re.compile(
    r"(?P<lead>(?:[a-z]+://)?(?:www\.)?)(?P<host>[^/?#\s]+)(?P<path>.*)", re.IGNORECASE | re.DOTALL
)
_TOPS = ("com", "org", "net")
_SHORT = 4
_TRIES = 60
_MOST_PEOPLE = 4_096
"""People of a conversation whose names are looked for in its addresses."""


class ElectronicAddresses:
    """The e-mail addresses, user names and URLs of one conversation."""

    def __init__(
        self, context: Context, people: InventedPeople, organizations: InventedOrganizations
    ) -> None:
        self._context = context
        self._people = people
        self._organizations = organizations
        self._chunks: dict[str, str] = {}

    def email(self, text: str) -> str | None:
        """Another address in the same form; None if the text is not an address."""
        at = _AT.search(text)
        host = at and self._host(text[at.end() :])
        return at and host and self.user(text[: at.start()]) + at[0] + host

    def user(self, text: str) -> str:
        """Another user name in the same form."""
        return "".join(map(self._chunk, _PIECE.findall(text)))

    def url(self, text: str) -> str | None:
        """Another URL: an invented host, and a path of only common words."""
        match = _PAGE.fullmatch(text)
        host = self._host(match["host"]) if match else None
        if match is None or host is None:
            return None
        words = _PIECE.findall(match["path"])
        path = "".join(word if word.lower() in _words("pages") else self._chunk(word) for word in words)
        return f"{match['lead']}{host}{path}"

    def _host(self, text: str) -> str | None:
        labels = text.strip().split(".")
        if len(labels) < 2 or labels[-1].isdigit():
            return None
        top = labels[-1].lower() if labels[-1].lower() in _TOPS else "com"
        own = [label for label in labels[:-1] if label.lower() not in _words("hosts")]
        if not own:
            others = [other for other in _TOPS if other != top]
            return f"example.{self._context.draws.draw('host', text.lower()).pick(others)}"
        new = self._organizations.host(plain_letters("".join(own)).replace(" ", "").replace("-", ""))
        return f"{in_case_of(own[0], new)}.example.{top}"

    def _chunk(self, piece: str) -> str:
        if not piece[0].isalnum():
            return piece
        key = plain_letters(piece)
        if key not in self._chunks:
            draw = self._context.draws.draw("address", key)
            self._chunks[key] = self._of_people.get(key) or other_symbols(key, draw) or key
        return in_case_of(piece, self._chunks[key])

    @cached_property
    def _of_people(self) -> dict[str, str]:
        """The letters of an address that mean somebody of the conversation, and what stands in their place."""
        made: dict[str, str] = {}
        for person, given, family in islice(self._people.everybody(), _MOST_PEOPLE):
            names = (person.given, slug(given)), (person.family, slug(family))
            for first, second in (names, names[::-1]):
                for old, new in _beginnings(*first):
                    if len(old) != 2:  # two letters may begin any word
                        made.setdefault(old, new)
                    for old_second, new_second in _beginnings(*second):
                        made.setdefault(old + old_second, new + new_second)
        return made


def _beginnings(old: str, new: str) -> Iterator[tuple[str, str]]:
    """A name, and what addresses have of it: its first letters; each with the same of another name."""
    if old and new:
        yield old, new
        yield from ((old[:size], new[:size]) for size in range(1, min(len(old), _SHORT)))


@lru_cache(maxsize=8)
def _words(name: str) -> frozenset[str]:
    return frozenset(document("electronic.yaml")[name].split())


def network_address(context: Context, text: str) -> str | None:
    """An IP address of a documentation range; None if the text is none."""
    draw = context.draws.draw("network", text.lower())
    values = (_ip(text, draw) for _ in range(_TRIES))
    return next((value for value in values if value is None or context.taken.take(value)), None)


def _ip(text: str, draw: Draw) -> str | None:
    address, slash, prefix = text.partition("/")
    try:
        version = ipaddress.ip_address(address).version
    except ValueError:
        return None
    return identifiers.ip_address(draw, version) + slash + prefix
