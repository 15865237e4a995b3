"""The words of a conversation, their tokens, and which of them are forms of the same word."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tacenda.models.token_classifier.token_columns import Int32s, TokenColumns
from tacenda.transforms.linking.propagation.inflections import inflecting, stems
from tacenda.transforms.text.characters import plain_letters

_WORD = re.compile(r"[^\W_]+")
"""Letters and digits: so a name within an e-mail address is a copy of the name."""


class Word(NamedTuple):
    """``start:end`` of a cell; ``first:last`` are its tokens in the document.

    ``group`` is equal for words that have a form in common.
    """

    cell: int
    start: int
    end: int
    first: int
    last: int
    group: int


class Document(NamedTuple):
    """The tokens of a conversation, with a separator after each cell, and its words."""

    ids: Int32s
    words: list[Word]


def document(texts: Sequence[str], encoded: TokenColumns, separator: int) -> Document:
    """Read the cells of one conversation.

    Args:
        texts: its cells.
        encoded: the tokens of exactly these cells.
        separator: the token between two cells.
    """
    ids: list[int] = []
    found: list[tuple[int, int, int, int, int]] = []
    for cell, text in enumerate(texts):
        begin, end = int(encoded.first_token[cell]), int(encoded.first_token[cell + 1])
        starts, ends = encoded.starts[begin:end], encoded.ends[begin:end]
        for word in _WORD.finditer(text):
            first = int(np.searchsorted(ends, word.start(), side="right"))
            last = int(np.searchsorted(starts, word.end(), side="left"))
            found.append((cell, *word.span(), len(ids) + first, len(ids) + last))
        ids += [*encoded.ids[begin:end].tolist(), separator]
    groups = word_groups([texts[cell][start:end].lower() for cell, start, end, _, _ in found])
    words = [Word(*place, group) for place, group in zip(found, groups, strict=True)]
    return Document(np.asarray(ids, dtype=np.int32), words)


def word_groups(words: Sequence[str]) -> list[int]:
    """Equal numbers for lower-case words that are equal or share a base form, directly or by others."""
    languages = inflecting(frozenset(words))
    parent: dict[str, str] = {}

    def top(form: str) -> str:
        while parent.setdefault(form, form) != form:
            parent[form] = form = parent[parent[form]]
        return form

    for word in dict.fromkeys(words):
        for stem in stems(word, languages):
            one, other = sorted((top(plain_letters(word)), top(stem)))
            parent[other] = one
    numbers: dict[str, int] = {}
    return [numbers.setdefault(top(plain_letters(word)), len(numbers)) for word in words]
