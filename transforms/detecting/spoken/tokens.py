"""Tokens: words, numbers and marks of a text as objects with positions."""

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from tacenda.transforms.detecting.spoken.lexicon import hyphenated_words
from tacenda.transforms.detecting.word_lists import alternatives
from tacenda.transforms.storage.process_cache import built_once


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


@built_once
def _pattern() -> re.Pattern[str]:
    """A listed word with a hyphen, a word with apostrophes, digits, or another character."""
    hyphenated = alternatives(hyphenated_words())
    letter = "[^\\W\\d_][\u0300-\u036f]*"
    return re.compile(
        rf"(?P<word>(?<![^\W_])(?:{hyphenated})(?![^\W_])|(?:{letter})+(?:['’](?:{letter})+)*)|(?P<figures>\d+)|\S",
        re.IGNORECASE,
    )


def folded_word(piece: str) -> str:
    """A word as in the lexicons: lower case, composed, with plain apostrophes."""
    folded = piece.lower().replace("’", "'")
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


def tokens(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of ``text[start:end]``, in order, without white space; their places are those of ``text``."""
    found = []
    for match in _pattern().finditer(text, start, len(text) if end is None else end):
        piece, form = match[0], match.lastgroup
        if form == "word":
            token = Token(*match.span(), Form.WORD, folded_word(piece), piece[0].isupper())
        elif form == "figures":
            digits = piece if piece.isascii() else "".join(str(unicodedata.decimal(c)) for c in piece)
            token = Token(*match.span(), Form.FIGURES, digits, capital=False)
        else:
            token = Token(*match.span(), Form.MARK, piece, capital=False)
        found.append(token)
    return found


def glued(left: Token, right: Token) -> bool:
    """Whether nothing separates two tokens."""
    return left.end == right.start


def phrase_at(found: Sequence[Token], i: int, phrase: Sequence[str]) -> bool:
    """Whether the tokens from ``i`` on form a phrase."""
    if i < 0 or i + len(phrase) > len(found) or found[i].folded != phrase[0]:
        return False
    return all(found[i + k].folded == word for k, word in enumerate(phrase))
