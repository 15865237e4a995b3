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
    hyphenated = "|".join(re.escape(word) for word in words.hyphenated)
    first = rf"(?P<hyphenated>(?<![^\W_])(?i:{hyphenated})(?![^\W_]))|" if hyphenated else ""
    return re.compile(
        first
        + r"(?P<word>(?:[^\W\d_][\u0300-\u036f]*)+(?:['’][^\W\d_]+)*)|(?P<figures>\d+)|(?P<mark>[^\w\s]|_)"
    )


_FORMS = {"hyphenated": Form.WORD, "word": Form.WORD, "figures": Form.FIGURES, "mark": Form.MARK}


def tokens(text: str, words: Lexicon) -> list[Token]:
    """The tokens of a text, in order; white space is in none of them."""
    found = []
    for match in _token_pattern(words).finditer(text):
        form = _FORMS[match.lastgroup or "mark"]
        piece = match[0]
        capital = form is Form.WORD and piece[0].isupper()
        if form is Form.FIGURES:
            piece = piece if piece.isascii() else "".join(str(unicodedata.decimal(c)) for c in piece)
        elif form is Form.WORD:
            folded = piece.lower().replace("’", "'")
            piece = folded if folded.isascii() else unicodedata.normalize("NFC", folded)
        found.append(Token(match.start(), match.end(), form, piece, capital))
    return found


def glued(left: Token, right: Token) -> bool:
    """Nothing stands between two tokens."""
    return left.end == right.start


def phrase_at(found: Sequence[Token], i: int, phrase: Sequence[str]) -> bool:
    """Do the tokens from ``i`` on spell a phrase?"""
    if i < 0 or i + len(phrase) > len(found) or found[i].folded != phrase[0]:
        return False
    return all(found[i + k].folded == word for k, word in enumerate(phrase))
