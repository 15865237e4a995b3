"""Tokens: words, numbers and marks of a column as objects with positions."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import partial
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from tacenda.transforms.detecting.spoken.folded_column import (
    DIGIT,
    LETTER,
    MARK,
    NEWLINE,
    Bytes,
    FoldedColumn,
    Offsets,
)
from tacenda.transforms.text.column import TextColumn


class Form(Enum):
    """The characters of a token."""

    WORD = "letters"
    FIGURES = "decimal digits"
    MARK = "one character of another kind"


class Token(NamedTuple):
    """``text[start:end]``; words folded to lower case, numbers as ASCII digits.

    ``capital`` says that it begins with a capital letter.
    """

    start: int
    end: int
    form: Form
    folded: str
    capital: bool


_FORMS = {LETTER: Form.WORD, DIGIT: Form.FIGURES, MARK: Form.MARK}
_token: Callable[[Iterable[object]], Token] = partial(tuple.__new__, Token)
"""``Token._make`` in C, since there are many tokens."""


def folded_word(piece: str) -> str:
    """A word as in the lexicons: lower case, composed, with plain apostrophes."""
    folded = piece.lower().replace("’", "'")
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


def tokens(text: str) -> list[Token]:
    """The tokens of a text, in order, without white space."""
    column = FoldedColumn(TextColumn([text]))
    chosen = np.flatnonzero(column.data[column.starts] != NEWLINE)
    starts, ends = column.starts[chosen], column.ends[chosen]
    return tokens_at(text, starts, ends, column.kinds[chosen], np.zeros(len(chosen), dtype=np.int64))


def tokens_at(text: str, starts: Offsets, ends: Offsets, kinds: Bytes, origins: Offsets) -> list[Token]:
    """The tokens ``text[starts[t]:ends[t]]`` of a column, with positions relative to ``origins[t]``."""
    pieces = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    forms = list(map(_FORMS.__getitem__, kinds.tolist()))
    words = list(map(str.lower, pieces))
    if not text.isascii():
        for t in [t for t, is_ascii in enumerate(map(str.isascii, words)) if not is_ascii]:
            words[t] = _folded(pieces[t], forms[t])
    capitals = map(str.isupper, map(itemgetter(0), pieces))
    first, last = (starts - origins).tolist(), (ends - origins).tolist()
    return list(map(_token, zip(first, last, forms, words, capitals, strict=True)))


def _folded(piece: str, form: Form) -> str:
    if form is Form.WORD:
        return folded_word(piece)
    if form is Form.FIGURES:
        return "".join(str(unicodedata.decimal(character)) for character in piece)
    return piece


def glued(left: Token, right: Token) -> bool:
    """Whether nothing separates two tokens."""
    return left.end == right.start


def phrase_at(found: Sequence[Token], i: int, phrase: Sequence[str]) -> bool:
    """Whether the tokens from ``i`` on form a phrase."""
    if i < 0 or i + len(phrase) > len(found) or found[i].folded != phrase[0]:
        return False
    return all(found[i + k].folded == word for k, word in enumerate(phrase))
