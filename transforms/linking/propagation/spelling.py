"""Spelling: find known names in runs of single letters, as L-E-E, l e e and A. N. N."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

_MOST_LETTERS = 64
_RUN = re.compile(rf"(?<![\w'’])[^\W\d_](?:(?: ?[-–.,] ?| )[^\W\d_](?![\w'’])){{1,{_MOST_LETTERS - 1}}}")
_LEAST = 3
"""Fewest letters of a name within a longer run; two are enough if the name is the whole run."""


class Spelled(NamedTuple):
    """A known word that is spelled out at a position."""

    start: int
    end: int
    word: str


def spelled_words(text: str, words: Collection[str]) -> Iterator[Spelled]:
    """The known words (in plain lower case) that are spelled out in a text, the longest at each position.

    >>> list(spelled_words("it is L-E-E", {"lee"}))
    [Spelled(start=6, end=11, word='lee')]
    """
    longest = min(max(map(len, words), default=0), _MOST_LETTERS)
    for run in _RUN.finditer(text):
        places = [run.start() + i for i, character in enumerate(run[0]) if character.isalpha()]
        letters = "".join(text[place] for place in places).lower()
        if len(letters) != len(places):
            continue
        i = 0
        while i < len(letters):
            for size in range(min(longest, len(letters) - i), 1, -1):
                word = letters[i : i + size]
                if word in words and (size >= _LEAST or size == len(letters)):
                    yield Spelled(places[i], places[i + size - 1] + 1, word)
                    i += size
                    break
            else:
                i += 1
