"""E-mail addresses, user names and URLs, built from the surrogates of the names they contain.

A user name built from a name is rebuilt from its surrogate (an error of NorDeid: ``Signe Rybakk/Sry001``).
Hosts use reserved domains (RFC 2606), so that no invented address reaches anybody.
"""

import ipaddress
import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.lists import document, people
from tacenda.transforms.replacing.surrogates.organizations import InventedOrganizations
from tacenda.transforms.replacing.surrogates.people import InventedPeople
from tacenda.transforms.replacing.surrogates.writing import in_case_of
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import plain_letters, slug

_AT = re.compile(r"\s*@\s*|\s+(?:at|snabel-?a|krøllalfa|arroba|ät)\s+", re.IGNORECASE)
_SPELLED = re.compile(r"(?<![^\W_])[^\W_](?:-[^\W_]){2,}(?![^\W_])")
_PIECE = re.compile(r"[^\W\d_]+|\d+|[\W_]+")
_PAGE = re.compile(
    r"(?P<lead>(?:[a-z]+://)?(?:www\.)?)(?P<host>[^/?#\s]+)(?P<path>.*)", re.IGNORECASE | re.DOTALL
)
_SPOKEN_PAGE = re.compile(
    r"(?P<lead>(?:w ?w ?w dot )?)(?P<host>.+?)(?P<path>(?: slash .*)?)", re.IGNORECASE | re.DOTALL
)
_SHORT = 3
_MOST_PEOPLE = 4_096
"""People of a conversation whose names are looked for in its addresses."""


class ElectronicAddresses:
    """The e-mail addresses, user names and URLs of one conversation."""

    def __init__(
        self, context: Context, invented: InventedPeople, organizations: InventedOrganizations
    ) -> None:
        self._context = context
        self._people = invented
        self._organizations = organizations
        self._chunks: dict[str, str] = {}

    def email(self, text: str) -> str | None:
        """Another address in the same form; None if the text is not an address."""
        at = _AT.search(text)
        if at is None:
            return self.url(text)
        local, host = self.user(text[: at.start()]), self._host(text[at.end() :])
        return None if local is None or host is None else local + at[0] + host

    def user(self, text: str) -> str | None:
        """Another user name in the same form."""
        out, at = [], 0
        for spelled in _SPELLED.finditer(text):
            out.append(self._local(text[at : spelled.start()]))
            joined = self._local(spelled[0].replace("-", ""))
            out.append("-".join(joined))
            at = spelled.end()
        return "".join(out) + self._local(text[at:])

    def url(self, text: str) -> str | None:
        """Another URL: an invented host, and a path of only common words."""
        spoken = " dot " in text.lower()
        match = (_SPOKEN_PAGE if spoken else _PAGE).fullmatch(text)
        if match is None:
            return None
        host = self._host(match["host"])
        if host is None:
            return None
        words = _PIECE.findall(match["path"])
        path = "".join(
            word if not word[0].isalnum() or word.lower() in _pages() else self._local(word) for word in words
        )
        return match["lead"] + host + path

    def _host(self, text: str) -> str | None:
        spoken = " dot " in text.lower()
        separator = " dot " if spoken else "."
        labels = re.split(r"\s+dot\s+", text.strip(), flags=re.IGNORECASE) if spoken else text.split(".")
        if len(labels) < 2:
            return None
        top = labels[-1].lower() if labels[-1].lower() in ("com", "org", "net") else "com"
        if all(label.strip().isdigit() for label in labels):
            return self._local(text)
        own = [label for label in labels[:-1] if label.lower() not in _hosts()]
        if not own:
            tops = [other for other in ("com", "org", "net") if other != top]
            return separator.join(["example", self._context.draws.draw("host", text.lower()).pick(tops)])
        new = self._organizations.host(plain_letters("".join(own)).replace(" ", "").replace("-", ""))
        return separator.join([in_case_of(own[0], new), "example", top])

    def _local(self, text: str) -> str:
        pieces = _PIECE.findall(text)
        return "".join(self._chunk(piece) for piece in pieces)

    def _chunk(self, piece: str) -> str:
        if not piece[0].isalnum() or piece.lower() in _spoken():
            return piece
        key = plain_letters(piece)
        if key not in self._chunks:
            self._chunks[key] = self._drawn(key)
        return in_case_of(piece, self._chunks[key])

    def _drawn(self, chunk: str) -> str:
        draw = self._context.draws.draw("address", chunk)
        if chunk.isdigit():
            first = str(draw.between(1, 9)) if chunk[0] != "0" else "0"
            other = first + "".join(draw.digits(1) for _ in chunk[1:])
            return other if other != chunk else f"{(int(other) + 1) % 10 ** len(chunk):0{len(chunk)}d}"
        if (made := self._of_people.get(chunk)) is not None:
            return made
        if (named := self._of_names(chunk)) is not None:
            return named
        if len(chunk) > _SHORT + 1:
            return draw.pick(
                [handle for handle in self._free_handles if handle != chunk]
                or [handle for handle in inventory.organization_words("handles") if handle != chunk]
            )
        while (letters := draw.letters(max(len(chunk), 1)).lower()) == chunk:
            pass
        return letters

    @cached_property
    def _free_handles(self) -> list[str]:
        is_word = self._context.taken.is_word
        return [handle for handle in inventory.organization_words("handles") if not is_word(handle)]

    @cached_property
    def _of_people(self) -> dict[str, str]:
        """The letters of an address that mean somebody of the conversation, and what stands in their place."""
        made: dict[str, str] = {}
        for person, given, family in islice(self._people.everybody(), _MOST_PEOPLE):
            for letters, new in _made_of(person.given, person.family, slug(given), slug(family)):
                made.setdefault(letters, new)
        return made

    def _of_names(self, chunk: str) -> str | None:
        """A replacement, from other names, for a name that no mention has."""
        known = people()
        if len(chunk) >= _SHORT and (chunk in known.given or chunk in known.genders):
            return slug(self._people.name_for(chunk, "given") or "") or None
        if len(chunk) >= _SHORT and chunk in known.family:
            return slug(self._people.name_for(chunk, "family") or "") or None
        for k in range(len(chunk) - _SHORT, 0, -1):
            if chunk[k:] in known.family and (k == 1 or chunk[:k] in known.given):
                first = chunk[0] if k == 1 else chunk[:k]
                given = self._people.name_for(first, "given")
                family = self._people.name_for(chunk[k:], "family")
                if given and family:
                    return slug(given)[: 1 if k == 1 else None] + slug(family)
        return None


def _made_of(given: str, family: str, new_given: str, new_family: str) -> Iterator[tuple[str, str]]:
    """What is made of the beginnings of two names, most of the first one first, and the same of two others."""
    for first, new_first, second, new_second in (
        (given, new_given, family, new_family),
        (family, new_family, given, new_given),
    ):
        if not new_first:
            continue
        for k in range(len(first), 0, -1):
            is_whole = k == len(first)
            # Two letters of one name may begin any word.
            if is_whole or k == 1 or k >= _SHORT:
                yield first[:k], _as_much(new_first, k, first)
            if not new_second:
                continue
            for j in range(1 if is_whole or k <= _SHORT else max(len(second), 1), len(second) + 1):
                yield first[:k] + second[:j], _as_much(new_first, k, first) + _as_much(new_second, j, second)


def _as_much(new: str, count: int, old: str) -> str:
    return new if count == len(old) else new[:count]


@built_once
def _data() -> Any:
    return document("electronic.yaml")


@built_once
def _hosts() -> frozenset[str]:
    return frozenset(_data()["hosts"].split())


@built_once
def _pages() -> frozenset[str]:
    return frozenset((*_data()["pages"].split(), *_data()["spoken"].split()))


@built_once
def _spoken() -> frozenset[str]:
    return frozenset(_data()["spoken"].split())


_TRIES = 60
_HEX = re.compile(r"[0-9A-Fa-f]")
_NUMBER = re.compile(r"(-?)(\d+)\.(\d+)")


def network_address(context: Context, text: str) -> str | None:
    """An address of a documentation range (RFC 5737, 3849, 7042), or a point within one degree; else None."""
    draw = context.draws.draw("network", text.lower())
    for _ in range(_TRIES):
        value = _ip(text, draw) or _mac(text, draw) or _point(text, draw)
        if value is None or context.taken.take(value):
            return value
    return None


def _ip(text: str, draw: Draw) -> str | None:
    address, slash, prefix = text.partition("/")
    try:
        version = ipaddress.ip_address(address).version
    except ValueError:
        return None
    if version == 4:
        new = f"{draw.pick(('192.0.2', '198.51.100', '203.0.113'))}.{draw.between(1, 254)}"
    else:
        new = f"2001:db8:{draw.between(1, 9999):x}::{draw.between(1, 65535):x}"
    return new + slash + prefix


def _mac(text: str, draw: Draw) -> str | None:
    if len(_HEX.findall(text)) != 12 or re.search(r"[^0-9A-Fa-f:.-]", text):
        return None
    digits = iter(f"00005e0053{draw.below(256):02x}")
    return _HEX.sub(lambda old: next(digits).upper() if text.isupper() else next(digits), text)


def _point(text: str, draw: Draw) -> str | None:
    if len(_NUMBER.findall(text)) != 2:
        return None

    def near(match: re.Match[str]) -> str:
        most = 89 if match.start() == 0 else 179
        degrees = min(int(match[2]) + draw.pick((-1, 0, 1)), most)
        return f"{match[1]}{max(degrees, 0)}.{draw.digits(min(len(match[3]), 15))}"

    return _NUMBER.sub(near, text)
