"""How common words are: a common word counts as a mention of a known name only where it has a capital."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from tacenda.transforms.detecting.names.lexicon import kind_of, lexicon
from tacenda.transforms.storage.process_cache import remembered


class Facts(NamedTuple):
    """List levels of a word, 0 to 4: as a given name, as a family name, and as a word in each language.

    Words that are mostly names have level 0 as words.
    """

    given: int
    family: int
    levels: tuple[int, ...]


def languages_of(words: Collection[str]) -> list[int]:
    """The languages of a conversation with these distinct words, by their places in ``Facts.levels``."""
    lists = lexicon()
    kinds = lists.kinds_of([*{word.lower() for word in words}] or [""])
    sets, number = lists.everyday
    counts = sets[number[kinds]].sum(axis=0, dtype=np.int64)
    return [int(one) for one in np.flatnonzero(lists.plausible(counts[None])[0])]


@remembered
def facts(word: str) -> Facts:
    """List levels of a word in lower case."""
    lists = lexicon()
    kind = kind_of(word)
    return Facts(int(lists.given[kind]), int(lists.family[kind]), tuple(lists.word[kind].tolist()))
