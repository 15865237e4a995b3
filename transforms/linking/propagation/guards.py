"""How common words are: a common word counts as a mention of a known name only where it has a capital."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from tacenda.transforms.detecting.names.lexicon import kind_of, lexicon
from tacenda.transforms.storage.process_cache import remembered


class Facts(NamedTuple):
    """List levels of a word: as a given name, as a family name, and as a word in each language."""

    given: int
    family: int
    levels: tuple[int, ...]


class Vocabulary:
    """The languages of one conversation, and how common a word is in them.

    Args:
        words: the distinct words of the conversation.
    """

    def __init__(self, words: Collection[str]) -> None:
        lists = lexicon()
        kinds = lists.kinds_of([*{word.lower() for word in words}] or [""])
        sets, number = lists.everyday
        counts = sets[number[kinds]].sum(axis=0, dtype=np.int64)
        self._languages = np.flatnonzero(lists.plausible(counts[None])[0]).tolist()

    def level(self, word: str) -> int:
        """How common a lower-case word is in these languages, 0 to 4; words that are mostly names have 0."""
        levels = facts(word).levels
        return max((levels[language] for language in self._languages), default=0)


@remembered
def facts(word: str) -> Facts:
    """List levels of a word in lower case."""
    lists = lexicon()
    kind = kind_of(word)
    return Facts(int(lists.given[kind]), int(lists.family[kind]), tuple(lists.word[kind].tolist()))
