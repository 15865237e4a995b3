"""Words, figures and marks of a text, with their places."""

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from transforms.normalising.lexicon import Lexicon


class Form(Enum):
    """What a token is written with."""

    WORD = "letters"
    FIGURES = "decimal digits"
    MARK = "one character of another kind"


class Token(NamedTuple):
    """``text[start:end]``; words folded to lower case, figures as ASCII digits.

    ``capital`` says that it begins with a capital letter.
    """

    start: int
    end: int
    form: Form
    folded: str
    capital: bool


@lru_cache(maxsize=16)
def _token_pattern(words: Lexicon) -> re.Pattern[str]:
    """One group for each form, in the order of ``_FORMS``."""
    hyphenated = "|".join(re.escape(word) for word in words.hyphenated)
    first = rf"(?<![^\W_])(?i:{hyphenated})(?![^\W_])|" if hyphenated else ""
    return re.compile(rf"({first}(?:[^\W\d_][\u0300-\u036f]*)+(?:['’][^\W\d_]+)*)|(\d+)|([^\w\s]|_)")


_WORD = Form.WORD
_FORMS = (_WORD, _WORD, Form.FIGURES, Form.MARK)


def folded_word(piece: str) -> str:
    """A word as lexicons have it: lower case, composed, with the plain apostrophe."""
    folded = piece.lower().replace("’", "'")
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


def tokens(text: str, words: Lexicon) -> list[Token]:
    """The tokens of a text, in order; white space is in none of them."""
    matches = _token_pattern(words).finditer(text)
    if text.isascii():
        folded = text.lower()
        return [
            Token(start, end, form, folded[start:end], form is _WORD and text[start] != folded[start])
            for match in matches
            for (start, end), form in [(match.span(), _FORMS[match.lastindex or 0])]
        ]
    return [_token(match[0], match.start(), match.end(), _FORMS[match.lastindex or 0]) for match in matches]


def _token(piece: str, start: int, end: int, form: Form) -> Token:
    if form is Form.WORD:
        return Token(start, end, form, folded_word(piece), piece[0].isupper())
    if form is Form.FIGURES and not piece.isascii():
        piece = "".join(str(unicodedata.decimal(character)) for character in piece)
    return Token(start, end, form, piece, False)


def glued(left: Token, right: Token) -> bool:
    """Nothing stands between two tokens."""
    return left.end == right.start


def phrase_at(found: Sequence[Token], i: int, phrase: Sequence[str]) -> bool:
    """Do the tokens from ``i`` on spell a phrase?"""
    if i < 0 or i + len(phrase) > len(found) or found[i].folded != phrase[0]:
        return False
    return all(found[i + k].folded == word for k, word in enumerate(phrase))
