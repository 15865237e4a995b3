"""Values that no surrogate of a conversation may have: originals, words of the text, earlier surrogates."""

import re
from collections.abc import Iterable
from functools import cached_property

from tacenda.transforms.storage.process_cache import remembered
from tacenda.transforms.text.plain_letters import plain_letters

_WORD = re.compile(r"\w+")


class Taken:
    """Values and words that are taken, ignoring case.

    ``originals`` are all values that are replaced. A name must not be any word of the conversation either:
    that word might be a missed mention, which would then be taken for the invented person.
    """

    def __init__(self, originals: Iterable[str], texts: Iterable[str]) -> None:
        self.originals = {value.casefold().strip() for value in originals}
        self._texts = texts
        self._given: set[str] = set()

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the texts and the originals, in plain letters."""
        found: set[str] = set()
        for text in (*self._texts, *self.originals):
            found.update(_WORD.findall(plain_letters(text)))
        return frozenset(found)

    def is_original(self, value: str) -> bool:
        """Whether a value is one of the conversation's originals."""
        return value.casefold().strip() in self.originals

    def is_word(self, name: str) -> bool:
        """Whether any word of a name occurs in the conversation."""
        return not self.words.isdisjoint(_words_of(name))

    def is_taken(self, value: str) -> bool:
        """Whether a value is an original or was claimed."""
        folded = value.casefold().strip()
        return folded in self.originals or folded in self._given

    def take(self, value: str) -> bool:
        """Claim a value for one entity; False if it is an original or already claimed."""
        if self.is_taken(value):
            return False
        self._given.add(value.casefold().strip())
        return True


@remembered
def _words_of(name: str) -> tuple[str, ...]:
    """The words of an invented name, which come from lists and so come again."""
    return tuple(_WORD.findall(plain_letters(name)))
