"""Numbers in words, in the languages of the spoken detectors: parse and write numbers below 100."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from tacenda.transforms.detecting.spoken.lexicon import LANGUAGES, Part, lexicon
from tacenda.transforms.storage.process_cache import built_once


class NumberWords(NamedTuple):
    """The number words of a language: the value of each, and the first word for each number below 100."""

    language: str
    digits: Mapping[str, str]
    pairs: Mapping[str, str]
    tens: Mapping[str, str]
    repeats: Mapping[str, int]
    said: Mapping[str, str]
    ordinals: Mapping[str, int]

    def knows(self, word: str) -> bool:
        """Whether it is a number word, or one that doubles the next digit."""
        return word in self.digits or word in self.pairs or word in self.tens or word in self.repeats

    def say(self, digits: str) -> str:
        """One or two digits in words; two that have no common word are said one by one.

        >>> number_words()[0].say("42"), number_words()[0].say("07")
        ('forty two', 'zero seven')
        """
        if digits in self.said:
            return self.said[digits]
        whole = digits[0] + "0"
        if len(digits) == 2 and whole in self.said and digits[0] not in "01":
            return f"{self.said[whole]} {self.said[digits[1]]}"
        return " ".join(self.said[digit] for digit in digits)

    def say_ordinal(self, number: int) -> str | None:
        """The ordinal of a day of the month in words; None if the language has none for it."""
        tens, ones = divmod(number, 10)
        whole = next((word for word, value in self.ordinals.items() if value == number), None)
        if whole is not None or not ones or f"{tens}0" not in self.said:
            return whole
        last = self.say_ordinal(ones)
        return last and f"{self.said[f'{tens}0']} {last}"


@built_once
def number_words() -> tuple[NumberWords, ...]:
    """All languages, English first, since it is the most likely meaning of shared words."""
    return tuple(map(_of_language, LANGUAGES))


def number_words_for(words: Sequence[str]) -> NumberWords:
    """The language that knows the most of some lower-case words."""
    known = number_words()
    knowing = _knowing()
    counts = [0] * len(known)
    for word in words:
        for i in knowing.get(word, ()):
            counts[i] += 1
    return known[counts.index(max(counts))]


@built_once
def _knowing() -> Mapping[str, Sequence[int]]:
    """The languages that know each number word, by their places in :func:`number_words`."""
    found: dict[str, list[int]] = {}
    for i, known in enumerate(number_words()):
        for word in {*known.digits, *known.pairs, *known.tens, *known.repeats}:
            found.setdefault(word, []).append(i)
    return found


def _of_language(language: str) -> NumberWords:
    known = lexicon(language)
    digits = {word: said.value for word, said in known.numbers.items() if said.part is Part.UNIT}
    pairs = {
        word: said.value
        for word, said in known.numbers.items()
        if said.part in (Part.TEEN, Part.WHOLE) and len(said.value) == 2
    }
    tens = {word: said.value for word, said in known.numbers.items() if said.part is Part.TEN}
    repeats = {word: int(said.value) for word, said in known.numbers.items() if said.part is Part.REPEAT}
    said: dict[str, str] = {}
    for word, value in {**digits, **pairs, **tens}.items():
        if len(value) in (1, 2) and not word.isdigit():
            said.setdefault(value, word)
    return NumberWords(language, digits, pairs, tens, repeats, said, known.ordinals)


Kind = Literal["literal", "digit", "letter", "words"]

_PIECE = re.compile(r"\d|[^\W\d_]+|[\W_]+")
_LONGEST_CODE = 3
"""Most lower-case letters in a row, without digits beside them, that are not a word."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text and the digits and letters that it means; literals mean none."""

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
        return any(piece.kind == "words" for piece in self.pieces)

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
        piece, taken = _piece(found, i, words)
        pieces.append(piece)
        i += taken
    symbols = "".join([piece.symbols for piece in pieces])
    return Written(text, tuple(pieces), words, symbols, _places(pieces))


def _places(pieces: Sequence[Piece]) -> tuple[int, ...] | None:
    places: list[int] = []
    at = 0
    for piece in pieces:
        if piece.kind == "words":
            return None
        places += range(at, at + len(piece.symbols))
        at += len(piece.text)
    return tuple(places)


def _piece(found: Sequence[str], i: int, words: NumberWords) -> tuple[Piece, int]:
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
    if low.isascii():
        return Piece("letter", text, low), 1
    return Piece("literal", text), 1
