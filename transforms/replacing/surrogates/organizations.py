"""Organisations: an invented name that keeps the words for its kind (bank, clinic, AB, GmbH)."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.replacing.surrogates.context import Context, kind_of
from tacenda.transforms.replacing.surrogates.inflection import Ending, takes, with_ending
from tacenda.transforms.replacing.surrogates.lists import document
from tacenda.transforms.replacing.surrogates.writing import in_case_of
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import plain_letters

_WORD = re.compile(r"[^\W_]+(?:['’&-][^\W_]+)*")


_S = Ending("s")
_LEAST_LETTERS = 4
"""Letters of an organisation at the beginning of a host name."""


class InventedOrganizations:
    """The organisations of one conversation: one invented stem for each original stem."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._stems: dict[str, str | None] = {}
        self._letters: dict[str, tuple[int, str]] = {}

    def value(self, text: str) -> str | None:
        """The surrogate of an organisation; None if stems are exhausted, or it has no letters."""
        if self._is_genitive(text):
            named = self.value(text[:-1])
            return named and (with_ending(named, _S) if takes(named, _S) else named)
        words = list(_WORD.finditer(text))
        kept = _kept_from(words)
        first = 1 if len(words) > 1 and words[0][0].lower() in ("the", "el", "la", "die", "der", "das") else 0
        if kept <= first:
            first, kept = 0, len(words)
        if not words:
            return None
        start, end = words[first].start(), words[kept - 1].end()
        invented = self._stem(plain_letters(text[start:end]))
        if invented is None:
            return None
        return text[:start] + in_case_of(text[start:end], invented) + text[end:]

    def _is_genitive(self, text: str) -> bool:
        """Whether it is another mention with an s that shows a genitive: Volvos, where Volvo is mentioned."""
        return text[-1:] == "s" and text[:-1] in self._mentioned and self._context.has_bare_genitives

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        mentions = self._context.mentions.items()
        return frozenset(text for kind, own in mentions if kind_of(kind) == "organization" for text in own)

    def slug(self, chunk: str) -> str | None:
        """The letters of an organisation's surrogate, for a host name with the letters of the original."""
        lengths = range(_LEAST_LETTERS, len(chunk) + 1)
        found = [self._letters[chunk[:k]] for k in lengths if chunk[:k] in self._letters]
        return min(found)[1] if found else None

    def host(self, chunk: str) -> str:
        """An invented host name; equal for equal originals."""
        return self.slug(chunk) or _slug(self._stem(f"host {chunk}") or "example")

    def _stem(self, original: str) -> str | None:
        if original not in self._stems:
            draw = self._context.draws.draw("organization", original)
            found = self._context.pools.drawn(("organization",), invented_stems(), draw)
            if found:
                self._letters.setdefault(_slug(original), (len(self._stems), _slug(found)))
            self._stems[original] = found
        return self._stems[original]


def _slug(name: str) -> str:
    return "".join(filter(str.isalnum, plain_letters(name)))


def _kept_from(words: Sequence[re.Match[str]]) -> int:
    """The index of the first word that describes the kind of organisation."""
    at = len(words)
    while at > 0 and words[at - 1][0].lower() in _kinds():
        at -= 1
    return at


@built_once
def _kinds() -> frozenset[str]:
    forms = (*inventory.organization_words("forms"), *inventory.organization_words("family_forms"))
    ours: Any = document("organizations.yaml")
    words = {word for form in forms for word in _WORD.findall(form.lower())}
    return frozenset(words) | frozenset(ours["kinds"].split())


@built_once
def invented_stems() -> tuple[str, ...]:
    """Invented stems: compounds of two parts, like many company names."""
    ours: Any = document("organizations.yaml")
    return tuple(
        first + last
        for first in ours["first_parts"].split()
        for last in ours["last_parts"].split()
        if first[-1] != last[0]
    )
