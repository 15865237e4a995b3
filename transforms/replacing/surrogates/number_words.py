"""Numbers in words, in the languages of the spoken detectors: parse and write numbers below 100."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from tacenda.transforms.detecting.spoken.lexicon import LANGUAGES, Part, Said, lexicon
from tacenda.transforms.storage.process_cache import built_once

_PARTS = (Part.UNIT, Part.TEEN, Part.WHOLE, Part.TEN)
_NOTHING = Said(Part.PAUSE, "")


class NumberWords(NamedTuple):
    """The number words of a language: what each means, and the first word for each number below 100."""

    language: str
    meanings: Mapping[str, Said]
    said: Mapping[str, str]
    ordinals: Mapping[str, int]

    def read(self, words: Sequence[str]) -> tuple[str, int]:
        """The digits that the first of some lower-case words mean, and how many words do; none is 0."""
        first, second = (self.meanings.get(word, _NOTHING) for word in (*words, "")[:2])
        if second.part is Part.UNIT:
            if first.part is Part.REPEAT:
                return second.value * int(first.value), 2
            if first.part is Part.TEN and second.value != "0":
                return first.value[0] + second.value, 2
        return (first.value, 1) if first.part in _PARTS else ("", 0)

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
    counts = Counter(number for word in words for number in _knowing().get(word, ()))
    return number_words()[max(counts, key=lambda number: (counts[number], -number), default=0)]


@built_once
def _knowing() -> Mapping[str, Sequence[int]]:
    """The languages that know each number word, by their places in :func:`number_words`."""
    found: dict[str, list[int]] = {}
    for i, known in enumerate(number_words()):
        for word in known.meanings:
            found.setdefault(word, []).append(i)
    return found


def _of_language(language: str) -> NumberWords:
    known = lexicon(language)
    meanings = {word: said for word, said in known.numbers.items() if said.part in (*_PARTS, Part.REPEAT)}
    first: dict[str, str] = {}
    for word, (part, value) in meanings.items():
        if part is not Part.REPEAT:
            first.setdefault(value, word)
    own = "no" if language == "nb" else language  # as the calendar and conversations have it
    return NumberWords(own, meanings, first, known.ordinals)


_PIECE = re.compile(r"\d|[^\W\d_]+|[\W_]+")
_LONGEST_CODE = 3
"""Most lower-case letters in a row, without digits beside them, that are not a word."""


class Piece(NamedTuple):
    """A part of a text, and the digits and lower-case letters that it means; separators mean none."""

    text: str
    symbols: str = ""

    @property
    def is_said(self) -> bool:
        """Whether it is a number word."""
        return self.symbols not in ("", self.text.lower())


class Written(NamedTuple):
    """A number or code as written."""

    pieces: tuple[Piece, ...]
    words: NumberWords

    @property
    def symbols(self) -> str:
        """Its digits and lower-case letters, in order."""
        return "".join([piece.symbols for piece in self.pieces])

    @property
    def is_code(self) -> bool:
        """Whether it consists only of a number or code, without words of a sentence."""
        for i, piece in enumerate(self.pieces):
            if piece.symbols.isalpha() and len(piece.text) > _LONGEST_CODE and not piece.text.isupper():
                beside = self.pieces[max(i - 1, 0) : i + 2]
                if not any(other.symbols.isdigit() for other in beside):
                    return False
        return True

    def with_symbols(self, symbols: str) -> str:
        """The same form with other symbols, equally many."""
        written: list[str] = []
        at = 0
        for piece in self.pieces:
            own = symbols[at : at + len(piece.symbols)]
            at += len(own)
            if piece.is_said:
                said = [own] if len(own) <= 2 else own
                written.append(" ".join(map(self.words.say, said)))
            elif own:
                cased = zip(own, piece.text, strict=True)
                written += [c.upper() if like.isupper() else c for c, like in cased]
            else:
                written.append(piece.text)
        return "".join(written)


@lru_cache(maxsize=4096)
def read_symbols(text: str) -> Written:
    """Split a number or code into digits, letters, number words and spelled letters.

    >>> read_symbols("four one double five").symbols, read_symbols("INC-29 a").symbols
    ('4155', 'inc29a')
    """
    found = _PIECE.findall(text)
    low = [piece.lower() for piece in found]
    words = number_words_for(low)
    pieces: list[Piece] = []
    i = 0
    while i < len(found):
        follows = low[i + 2 : i + 3] if i + 2 < len(found) and found[i + 1].isspace() else []
        digits, count = words.read([low[i], *follows]) if found[i][0].isalpha() else ("", 0)
        if count:
            taken = 2 * count - 1
            pieces.append(Piece("".join(found[i : i + taken]), digits))
        else:
            taken = 1
            pieces.append(Piece(found[i], low[i] if low[i].isascii() and low[i].isalnum() else ""))
        i += taken
    return Written(tuple(pieces), words)
