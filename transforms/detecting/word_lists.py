"""The small word lists of ``words/``: one lower-case word per line, ``#`` starts a comment."""

import re
from collections.abc import Iterable
from importlib.resources import files

from tacenda.transforms.storage.process_cache import built_once


@built_once
def word_list(name: str) -> frozenset[str]:
    """The words of ``words/<name>.txt``, or of all lists in the folder ``words/<name>``."""
    folder = files("tacenda.transforms.detecting") / "words"
    lists = (folder / name).iterdir() if (folder / name).is_dir() else [folder / f"{name}.txt"]
    lines = (line for one in lists for line in one.read_text(encoding="utf-8").split("\n"))
    return frozenset(line for line in lines if line and not line.startswith("#"))


@built_once
def words_of(*names: str) -> frozenset[str]:
    """The words of several lists."""
    return frozenset().union(*map(word_list, names))


def alternatives(words: Iterable[str]) -> str:
    """A pattern of any of the words, the longest first; without a group around it.

    >>> alternatives(["fl", "floor"])
    'floor|fl'
    """
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def is_everyday(word: str) -> bool:
    """Whether a lower-case word is everyday language, such as answers to questions."""
    return word in word_list("not_names") or word in word_list("everyday")
