"""Look up whether a text is the name of a listed place."""

import re
from functools import lru_cache

import numpy as np

from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.text.words import hashes_of

_PARTS = re.compile(r"\s*,\s*")
_WORDS = re.compile(r"\w+")


@lru_cache(maxsize=4096)
def is_known_place(text: str) -> bool:
    """Whether each part between commas is a listed place, ignoring case.

    >>> is_known_place("Boston, Massachusetts"), is_known_place("new york"), is_known_place("Dunder Mifflin")
    (True, True, False)
    """
    parts = [words for part in _PARTS.split(text.casefold()) if (words := _WORDS.findall(part))]
    return bool(parts) and all(map(_is_listed, parts))


def _is_listed(words: list[str]) -> bool:
    known = lexicon()
    if len(words) == 1:
        return bool(known.place[known.kinds_of(words)[0]])
    cells = np.zeros(len(words), np.int64)
    found = known.phrases.find(hashes_of(words), cells, np.zeros(1, np.int64)).get(0, [])
    return any(count == len(words) and level for count, level in found)
