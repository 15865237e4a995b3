"""Organisations: an invented name that keeps the words for its kind (bank, clinic, AB, GmbH)."""

import re
from typing import Any

from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.inflection import Ending, takes, with_ending
from tacenda.transforms.replacing.surrogates.lists import document
from tacenda.transforms.replacing.surrogates.writing import in_case_of
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import plain_letters

_WORD = re.compile(r"[^\W_]+(?:['’&-][^\W_]+)*")
_ARTICLES = frozenset(("the", "el", "la", "die", "der", "das"))
_S = Ending("s")
_LEAST_LETTERS = 4
"""Letters of an organisation at the beginning of a host name."""


class InventedOrganizations:
    """The organisations of one conversation: one invented stem for each original stem."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._stems: dict[str, str | None] = {}
        self._slugs: dict[str, str] = {}
        self._mentioned = frozenset(context.mentions_of("organization"))

    def value(self, text: str) -> str | None:
        """The surrogate of an organisation; None if stems are exhausted, or it has no letters."""
        if text[-1:] == "s" and text[:-1] in self._mentioned and self._context.has_bare_genitives:
            named = self.value(text[:-1])
            return named and (with_ending(named, _S) if takes(named, _S) else named)
        words = list(_WORD.finditer(text))
        if not words:
            return None
        own = [word for word in words if word[0].lower() not in _kinds()]
        kept = words.index(own[-1]) + 1 if own else 0
        first = int(len(words) > 1 and words[0][0].lower() in _ARTICLES)
        if kept <= first:
            first, kept = 0, len(words)
        start, end = words[first].start(), words[kept - 1].end()
        invented = self._stem(plain_letters(text[start:end]))
        return invented and text[:start] + in_case_of(text[start:end], invented) + text[end:]

    def host(self, label: str) -> str:
        """The host name of an organisation whose letters it begins with, or an invented one."""
        for size in range(_LEAST_LETTERS, len(label) + 1):
            if label[:size] in self._slugs:
                return self._slugs[label[:size]]
        return _slug(self._stem(f"host {label}") or "example")

    def _stem(self, original: str) -> str | None:
        if original not in self._stems:
            draw = self._context.draws.draw("organization", original)
            found = self._context.pools.drawn(("organization",), invented_stems(), draw)
            self._stems[original] = found
            if found:
                self._slugs.setdefault(_slug(original), _slug(found))
        return self._stems[original]


def _slug(name: str) -> str:
    return "".join(filter(str.isalnum, plain_letters(name)))


@built_once
def _kinds() -> frozenset[str]:
    """Words that describe the kind of an organisation."""
    forms = (*inventory.organization_words("forms"), *inventory.organization_words("family_forms"))
    words = (word for form in forms for word in _WORD.findall(form.lower()))
    return frozenset((*words, *_data()["kinds"].split()))


@built_once
def invented_stems() -> tuple[str, ...]:
    """Invented stems: compounds of two parts, like many company names."""
    first_parts, last_parts = (_data()[name].split() for name in ("first_parts", "last_parts"))
    return tuple(first + last for first in first_parts for last in last_parts if first[-1] != last[0])


def _data() -> Any:
    return document("organizations.yaml")
