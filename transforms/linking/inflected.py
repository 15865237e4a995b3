"""Inflected names: ``Virtaselle`` and ``Virtasen`` are forms of ``Virtanen``, ``Karlssons`` of ``Karlsson``.

The endings are those by which propagation searches (``propagation/inflections.py``), in the languages of the
conversation. A name of its own is no form of another: Andreas is not Andrea's, and Peters is a family.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache

from tacenda.transforms.linking.nicknames import gender_of
from tacenda.transforms.linking.propagation.guards import facts
from tacenda.transforms.linking.propagation.inflections import (
    Endings,
    every_language,
    inflecting,
    stems,
)
from tacenda.transforms.storage.process_cache import remembered

_FAMILY = 3
"""The level from which on the lists have a word as a common family name."""
_LISTED = 2
"""The level from which on the lists have a word as a name."""


class Inflections:
    """The inflections of one conversation's languages; besides the one told, its words say which."""

    def __init__(self, texts: Sequence[str] = (), told: str = "") -> None:
        self._texts = texts
        self._told = told

    @cached_property
    def _languages(self) -> tuple[Endings, ...]:
        return inflecting(set("\n".join(self._texts).lower().split()), self._told)

    def are_forms(self, one: str, other: str) -> bool:
        """Whether two folded words are forms of one name: either of the other, or both of a listed name."""
        return _are_forms(one, other, every_language()) and _are_forms(one, other, self._languages)


@lru_cache(maxsize=65_536)  # names are asked for again and again, and their stems take long
def possible_stems(word: str) -> Sequence[str]:
    """The words that a folded one may be a form of in any language."""
    return stems(word, every_language())


@remembered
def _are_forms(one: str, other: str, languages: tuple[Endings, ...]) -> bool:
    ours, theirs = stems(one, languages), stems(other, languages)
    if other in ours:
        return _is_inflected(one, other)
    if one in theirs:
        return _is_inflected(other, one)
    return any(
        max(facts(stem)[:2]) >= _LISTED and _is_inflected(one, stem) and _is_inflected(other, stem)
        for stem in ours
        if stem in theirs
    )


def _is_inflected(word: str, stem: str) -> bool:
    """Whether a word is rather a form of a name than a name of its own."""
    known = facts(word)
    if known.family >= _FAMILY:
        return False
    gender = gender_of(word)
    return not gender or (gender == gender_of(stem) and known.given < facts(stem).given)
