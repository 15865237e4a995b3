"""Numbers in words, in the languages of the spoken detectors: parse and write numbers below 100."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

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
    alphabet: Mapping[str, str]
    """The spelling word of each letter (a as in alpha)."""
    ordinals: Mapping[str, int]
    misheard: Mapping[str, str]
    """Words that recognisers write for a digit that sounds alike."""

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
    misheard = {word: said.value for word, said in known.numbers.items() if said.part is Part.MISHEARD}
    repeats = {word: int(said.value) for word, said in known.numbers.items() if said.part is Part.REPEAT}
    said: dict[str, str] = {}
    for word, value in {**digits, **pairs, **tens}.items():
        if len(value) in (1, 2) and not word.isdigit():
            said.setdefault(value, word)
    alphabet: dict[str, str] = {}
    for word, letter in known.alphabet.items():
        alphabet.setdefault(letter, word)
    return NumberWords(language, digits, pairs, tens, repeats, said, alphabet, known.ordinals, misheard)
