"""The words of lists that the entities of one conversation are replaced with: one each, and no word for two."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from tacenda.transforms.replacing.surrogates.taken import Taken


class Choices:
    """What the entities of a conversation were given so far.

    A word that occurs in the conversation is never chosen, whether replaced or not: it would be taken for a
    person who is meant. Where in a list the choice begins follows from the conversation's id alone, so it is
    the same on every worker.

    Args:
        conversation: the id.
        originals: the texts that are replaced.
        texts: all texts of the conversation.
    """

    def __init__(self, conversation: str, originals: Iterable[str], texts: Iterable[str]) -> None:
        digest = hashlib.sha256(conversation.encode("utf-8", "surrogatepass")).digest()
        self._first = int.from_bytes(digest[:8], "big")
        self._taken = Taken(originals, texts)
        self._chosen: dict[int, str | None] = {}
        self._left: dict[int, Iterator[str]] = {}

    def word(self, entity: int, words: Sequence[str]) -> str | None:
        """The word of an entity; None if no word of its list is left.

        Args:
            entity: its number.
            words: the list, the same object each time.
        """
        if entity not in self._chosen:
            if id(words) not in self._left:
                self._left[id(words)] = self._walk(words)
            free = (word for word in self._left[id(words)] if self._is_free(word))
            self._chosen[entity] = next(free, None)
        return self._chosen[entity]

    def _walk(self, words: Sequence[str]) -> Iterator[str]:
        first = self._first % len(words)
        return (words[(first + place) % len(words)] for place in range(len(words)))

    def _is_free(self, word: str) -> bool:
        return not self._taken.is_word(word) and self._taken.take(word)
