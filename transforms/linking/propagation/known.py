"""Known: index, by word, the forms in which a conversation's findings may be mentioned again."""

import re
import sys
from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from tacenda.transforms.linking.names import Name, parse_name
from tacenda.transforms.linking.speakers import is_role
from tacenda.transforms.storage.process_cache import built_once, remembered
from tacenda.transforms.storage.yaml_text import data_file
from tacenda.transforms.text.characters import plain_letters
from tacenda.transforms.text.words import UNSPACED

MOST_WORDS = 8
"""Most words of a value to be searched for whole; longer names are searched for by their parts."""
LEAST_LETTERS = 3
"""Fewest letters of a part of a name; two-letter parts only count with a capital, as Li and Bo."""
_MOST_CHARS = 256  # maximum length of a value in a script without spaces, and of an address


class Form(NamedTuple):
    """The value that a word or phrase is a form of; ``is_name``: it is a person's name."""

    info_type: str
    detector: str
    is_name: bool = False


class Known:
    """The forms of the values of one conversation, by infoType and text, each with its detector.

    Values of which no word is among ``said``, the folded words to search, are left out.

    Attributes:
        words: one-word forms, folded.
        phrases: forms of several words; ``lengths`` has their numbers of words, by first word.
        unspaced: values in scripts without spaces between words.
    """

    def __init__(self, values: Mapping[tuple[str, str], str], said: Container[str]) -> None:
        self._said = said
        self.words: dict[str, Form] = {}
        self.phrases: dict[tuple[str, ...], Form] = {}
        self.lengths: dict[str, list[int]] = {}
        self.unspaced: dict[str, Form] = {}
        for (info_type, text), detector in values.items():
            if (kind := kind_of(info_type)) == "never":
                continue
            form = Form(info_type, detector, kind == "names")
            if is_unspaced(text := text.strip()):
                if 1 < len(text) <= _MOST_CHARS:
                    self.unspaced.setdefault(text, form)
            elif form.is_name:
                self._add_name(text.replace("_", " "), form)
            else:
                self._add_text(text.replace("_", " "), form)

    def _add_text(self, text: str, form: Form) -> None:
        if (first := WORD.search(text)) and folded(first[0]) in self._said:
            words = tuple(map(folded, WORD.findall(text)))
            if len(words) == 1 and len(words[0]) > 2 and not words[0].isdecimal():
                self.words.setdefault(words[0], form)
            elif not all(map(str.isdecimal, words)):
                self._add_phrase(words, form)

    def _add_phrase(self, words: tuple[str, ...], form: Form) -> None:
        if 1 < len(words) <= MOST_WORDS and words not in self.phrases:
            self.phrases[words] = form
            lengths = {*self.lengths.get(words[0], ()), len(words)}
            self.lengths[words[0]] = sorted(lengths, reverse=True)

    def _add_name(self, text: str, form: Form) -> None:
        name = parse_name(text)
        if "-" not in text and not any(map(self._said.__contains__, (*name.particles, *name.words))):
            return
        for phrase in (name.words, (*name.particles, *name.words[-1:]), *_hyphenated(text)):
            self._add_phrase(phrase, form)
        for part in _parts_of(name, text):
            if not ((known := self.words.get(part)) and known.is_name):
                self.words[part] = form


def _hyphenated(text: str) -> Iterator[tuple[str, ...]]:
    """Bo-ra of Bo-ra Hwangbo: its words are too short to be searched for alone."""
    for chunk in text.split():
        if "-" in chunk and chunk[0].isupper():
            yield tuple(map(folded, WORD.findall(chunk)))


def _parts_of(name: Name, text: str) -> list[str]:
    """The words of a name to search for alone: the capitalised ones, if the name has any."""
    words = WORD.findall(text)
    capitals = {folded(word) for word in words if word[0].isupper()}
    small = set(map(folded, words)) - capitals if capitals else ()
    return [
        word
        for word in name.words
        if (len(word) >= LEAST_LETTERS or (len(word) > 1 and word in capitals))
        and word not in small
        and not is_role(word)
        and any(map(str.isalpha, word))
    ]


@built_once
def _kinds() -> Mapping[str, str]:
    data = data_file(__package__, "kinds.yaml")
    return {name: kind for kind, names in data.items() for name in names.split()}


def kind_of(info_type: str) -> str:
    """How to search for values of an infoType: a key of ``kinds.yaml``, or empty: as a whole."""
    return _kinds().get(info_type, "")


# The words of a conversation, folded for comparison with known values.

_POSSESSIVE = re.compile(r"(?:['’ʼ][sS]|(?<=[sS])['’ʼ])$")
APOSTROPHES = "'’ʼ"
_NO_APOSTROPHES = str.maketrans("", "", APOSTROPHES)


WORD = re.compile(r"\w+(?:['’ʼ]\w+)*")
"""Letters, digits and inner apostrophes; underscores are to be replaced by spaces before."""
_UNSPACED = re.compile(f"[{''.join(f'{chr(a)}-{chr(b)}' for a, b in (*UNSPACED, (0x900, 0xDFF)))}]")
"""Scripts without spaces, or with vowels that are no letters of a word, as of India."""


@remembered
def folded(word: str) -> str:
    """A word without possessive, apostrophes, case and accents.

    >>> folded("O’Neil's"), folded("José")
    ('oneil', 'jose')
    """
    if word.isascii() and "'" not in word:
        return sys.intern(word.lower())
    return plain_letters(_POSSESSIVE.sub("", word)).translate(_NO_APOSTROPHES)


def possessive(word: str) -> int:
    """The length in characters of the possessive at the end of a word.

    >>> possessive("Ann's"), possessive("Ann")
    (2, 0)
    """
    match = _POSSESSIVE.search(word)
    return len(match[0]) if match else 0


def is_unspaced(text: str) -> bool:
    """Whether a text has letters of a script whose words cannot be told apart by letters and spaces."""
    return not text.isascii() and _UNSPACED.search(text) is not None
