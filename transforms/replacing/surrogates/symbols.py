"""Symbols: the digits and letters of a number or code, written or spoken."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tacenda.transforms.replacing.surrogates.number_words import NumberWords, number_words_for

Kind = Literal["literal", "digit", "letter", "words", "as_in"]

_PIECE = re.compile(r"\d|[^\W\d_]+|[\W_]+")
_LONGEST_CODE = 3
"""Most lower-case letters in a row, without digits beside them, that are not a word."""
_AS_IN = frozenset({"as", "in", "like", "for", "som", "i", "kuin", "como", "de"})


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text and the digits and letters that it means.

    Literals mean none, nor does a word that repeats the letter before it (``as_in``).
    """

    kind: Kind
    text: str
    symbols: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A number or code as written; ``symbols`` are its digits and lower-case letters, in order.

    ``places`` are those of the symbols in ``text``, None if any of them is said in a word.
    """

    text: str
    pieces: tuple[Piece, ...]
    words: NumberWords
    symbols: str
    places: tuple[int, ...] | None

    @property
    def is_code(self) -> bool:
        """Whether it consists only of a number or code, without words of a sentence."""
        for i, piece in enumerate(self.pieces):
            if piece.kind == "letter" and len(piece.text) > _LONGEST_CODE and not piece.text.isupper():
                beside = self.pieces[max(i - 1, 0) : i + 2]
                if not any(other.kind in ("digit", "words") for other in beside):
                    return False
        return True

    @property
    def is_spoken(self) -> bool:
        """Whether any of it is in number words."""
        return any(piece.kind in ("words", "as_in") for piece in self.pieces)

    def with_symbols(self, symbols: str) -> str:
        """The same form with other symbols, equally many."""
        if self.places is not None:
            written = list(self.text)
            for place, symbol in zip(self.places, symbols, strict=True):
                written[place] = symbol.upper() if written[place].isupper() else symbol
            return "".join(written)
        out: list[str] = []
        at = 0
        for piece in self.pieces:
            own = symbols[at : at + len(piece.symbols)]
            at += len(piece.symbols)
            if piece.kind == "literal":
                out.append(piece.text)
            elif piece.kind == "words":
                out.append(self._said(own))
            elif piece.kind == "as_in":
                last = symbols[at - 1 : at]
                out.append(self.words.alphabet.get(last, last))
            else:
                out.append(
                    "".join(c.upper() if o.isupper() else c for c, o in zip(own, piece.text, strict=True))
                )
        return "".join(out)

    def _said(self, digits: str) -> str:
        if len(digits) <= 2:
            return self.words.say(digits)
        return " ".join(self.words.say(digit) for digit in digits)


@lru_cache(maxsize=4096)
def read_symbols(text: str) -> Written:
    """Split a number or code into digits, letters, number words and spelled letters.

    >>> read_symbols("four one double five").symbols, read_symbols("INC-29 a").symbols
    ('4155', 'inc29a')
    """
    found = [match[0] for match in _PIECE.finditer(text)]
    words = number_words_for([piece.lower() for piece in found])
    pieces: list[Piece] = []
    i = 0
    while i < len(found):
        piece, taken = _piece(found, i, words, pieces)
        pieces.append(piece)
        i += taken
    symbols = "".join([piece.symbols for piece in pieces])
    return Written(text, tuple(pieces), words, symbols, _places(pieces))


def _places(pieces: Sequence[Piece]) -> tuple[int, ...] | None:
    places: list[int] = []
    at = 0
    for piece in pieces:
        if piece.kind in ("words", "as_in"):
            return None
        places += range(at, at + len(piece.symbols))
        at += len(piece.text)
    return tuple(places)


def _piece(found: Sequence[str], i: int, words: NumberWords, before: Sequence[Piece]) -> tuple[Piece, int]:
    text, low = found[i], found[i].lower()
    if text.isdigit():
        return Piece("digit", text, text) if text.isascii() else Piece("literal", text), 1
    if not text[0].isalpha():
        return Piece("literal", text), 1
    following = found[i + 2].lower() if i + 2 < len(found) and found[i + 1].isspace() else ""
    if low in words.repeats and following in words.digits:
        return Piece("words", "".join(found[i : i + 3]), words.digits[following] * words.repeats[low]), 3
    if low in words.tens and following in words.digits and words.digits[following] != "0":
        return Piece("words", "".join(found[i : i + 3]), words.tens[low][0] + words.digits[following]), 3
    for known in (words.digits, words.pairs, words.tens):
        if low in known:
            return Piece("words", text, known[low]), 1
    if low in words.misheard and (following in words.digits or any(p.kind == "words" for p in before)):
        return Piece("words", text, words.misheard[low]), 1
    if low in _AS_IN and i > 1:
        return Piece("literal", text), 1
    if words.alphabet.get(low[0]) == low and len(low) > 1 and _spells(before):
        return Piece("as_in", text), 1
    if low.isascii():
        return Piece("letter", text, low), 1
    return Piece("literal", text), 1


def _spells(before: Sequence[Piece]) -> bool:
    """Whether the previous word says that the next one spells a letter."""
    words = [piece.text.lower() for piece in before if piece.text.strip()]
    return bool(words) and words[-1] in _AS_IN
