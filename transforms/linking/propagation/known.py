"""Known: index, by word, the forms in which a conversation's findings may be mentioned again."""

from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.linking.names import Name, parse_name, sound_key
from tacenda.transforms.linking.nicknames import other_forms
from tacenda.transforms.linking.propagation.accounts import account_names, local_part
from tacenda.transforms.linking.propagation.addresses import street
from tacenda.transforms.linking.propagation.inflections import Endings, stems
from tacenda.transforms.linking.propagation.words import folded, is_unspaced, words_of
from tacenda.transforms.linking.speakers import is_role
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

MOST_WORDS = 8
"""Most words of a value to be searched for whole; longer names are searched for by their parts."""
LEAST_LETTERS = 3
"""Fewest letters of a part of a name; two-letter parts only count with a capital, as Li and Bo."""
_MOST_OWNERS = 8
"""Most names recorded for one word."""
_MOST_CHARS = 256
"""Maximum length of a value in a script without spaces."""
NAME = "PERSON_NAME"
_SAME_FIRST_SOUND = ("ckqsxz", "gj", "fpv", "vw", "kng", "rw", "hw", "aeiouyhj")
_ALIKE = {
    letter: "".join(letters for letters in _SAME_FIRST_SOUND if letter in letters)
    for letter in "abcdefghijklmnopqrstuvwxyz"
}
"""Initial letters that may sound like another one: Karl, Carl; Philip, Filip; Knut, Nut."""


class Value(NamedTuple):
    """A distinct finding: its infoType, its text, and its detector."""

    info_type: str
    text: str
    detector: str


class Form(NamedTuple):
    """The value that a word or phrase is a form of.

    ``sure``: it is exactly the value's form; ``is_name``: guards for names apply; ``listed``: only words that
    the lists have as names match. ``owners`` are the numbers of its names.
    """

    info_type: str
    detector: str
    sure: bool = True
    is_name: bool = False
    listed: bool = False
    owners: frozenset[int] = frozenset()


class Known:
    """The forms of the values of one conversation.

    Attributes:
        words: one-word forms, folded.
        phrases: forms of several words; ``lengths`` has their numbers of words, by first word.
        sounds, stems, nicknames, accounts: less certain forms of names, by sound, stem, word and joined word.
        unspaced: values in scripts without spaces.
        initials: for each part of a name, the initials of its other parts.
        likely_firsts: the first letters of everything that may be in ``sounds`` or ``stems``.
    """

    def __init__(self, values: Iterable[Value], languages: tuple[Endings, ...]) -> None:
        self.words: dict[str, Form] = {}
        self.phrases: dict[tuple[str, ...], Form] = {}
        self.lengths: dict[str, list[int]] = {}
        self.sounds: dict[str, Form] = {}
        self.stems: dict[str, Form] = {}
        self.nicknames: dict[str, Form] = {}
        self.accounts: dict[str, Form] = {}
        self.unspaced: dict[str, Form] = {}
        self.initials: dict[str, set[str]] = {}
        self.likely_firsts: set[str] = set()
        self._languages = languages
        later: list[Value] = []
        for number, value in enumerate(values):
            kind = kind_of(value.info_type)
            if is_unspaced(value.text):
                self._add_unspaced(value)
            elif kind == "names":
                self._add_name(value, number)
            elif kind == "spelled":
                later.append(value)
            elif kind != "never":
                self._add_text(value, kind)
                if kind == "accounts":
                    later.append(value)
        self._add_names_of(later)

    def _add_unspaced(self, value: Value) -> None:
        text = value.text.strip()
        if 1 < len(text) <= _MOST_CHARS:
            self.unspaced.setdefault(text, Form(value.info_type, value.detector))

    def _add_text(self, value: Value, kind: str) -> None:
        texts = [value.text]
        if kind == "addresses":
            texts.append(street(value.text))
        elif kind == "accounts":
            texts.append(local_part(value.text))
        form = Form(value.info_type, value.detector)
        for text in texts:
            words = tuple(map(folded, words_of(text.replace("_", " "))))
            if len(words) == 1 and len(words[0]) > 2 and not words[0].isdecimal():
                self.words.setdefault(words[0], form)
            elif not all(map(str.isdecimal, words)):
                self._add_phrase(words, form)

    def _add_phrase(self, words: tuple[str, ...], form: Form) -> None:
        if 1 < len(words) <= MOST_WORDS and words not in self.phrases:
            self.phrases[words] = form
            lengths = self.lengths.setdefault(words[0], [])
            if len(words) not in lengths:
                lengths.append(len(words))
                lengths.sort(reverse=True)

    def _add_name(self, value: Value, number: int) -> None:
        text = value.text.replace("_", " ")
        name = parse_name(text)
        form = Form(value.info_type, value.detector, is_name=True, owners=frozenset((number,)))
        for phrase in (*_phrases_of(name), *_hyphenated(text)):
            self._add_phrase(phrase, form)
        parts = _parts_of(name, text)
        unsure = Form(value.info_type, "", sure=False, is_name=True)
        for part in parts:
            self._add_part(part, form, unsure)
            if len(name.words) > 1:
                firsts = {word[0] for word in name.words if word != part}
                self.initials.setdefault(part, set()).update(firsts)
        if name.given in parts or len(parts) == 1:
            for nickname in other_forms(name.words[0]):
                self.nicknames.setdefault(nickname, unsure)
        if name.is_full:
            joined = Form(value.info_type, "", sure=False)
            for account in account_names(name):
                self.accounts.setdefault(account, joined)

    def _add_part(self, part: str, form: Form, unsure: Form) -> None:
        known = self.words.get(part)
        if known is None or not known.is_name:
            self.words[part] = form
        elif len(known.owners) < _MOST_OWNERS:
            self.words[part] = known._replace(owners=known.owners | form.owners)
        if len(part) >= LEAST_LETTERS:
            self.likely_firsts.update(part[0], _ALIKE.get(part[0], ""))
            self.sounds.setdefault(sound_key(part), unsure)
            for stem in (part, *stems(part, self._languages)):
                self.stems.setdefault(stem, unsure)

    def _add_names_of(self, values: Iterable[Value]) -> None:
        """Names within addresses and spelled words, if names of people are propagated at all."""
        if not any(form.info_type == NAME for form in self.words.values()):
            return
        for value in values:
            spelled = kind_of(value.info_type) == "spelled"
            text = value.text if spelled else local_part(value.text)
            name = parse_name("".join(c if c.isalpha() or spelled else " " for c in text))
            parts = [word for word in name.words if len(word) >= LEAST_LETTERS and not is_role(word)]
            if spelled or len(parts) > 1:
                for part in parts:
                    self.words.setdefault(part, Form(NAME, "", is_name=True, listed=True))


def _phrases_of(name: Name) -> list[tuple[str, ...]]:
    words, particles = name.words, name.particles
    last = *particles, words[-1] if words else ""
    if len(words) < 2:
        return [last]
    phrases = [words, (*last, *words[:-1])]
    if particles:
        phrases += (*words[:-1], *last), last
    if len(words) > 2:
        phrases += (words[0], words[-1]), (words[-1], words[0])
    return phrases


def _hyphenated(text: str) -> Iterator[tuple[str, ...]]:
    """Bo-ra of Bo-ra Hwangbo: its words are too short or too common to be searched for alone."""
    for chunk in text.split():
        words = words_of(chunk)
        if "-" in chunk and words and words[0][0].isupper():
            yield tuple(map(folded, words))


def _parts_of(name: Name, text: str) -> list[str]:
    """The words of a name to search for alone: the capitalised ones, if the name has any."""
    capitals = {folded(word) for word in words_of(text) if word[0].isupper()}
    small = {folded(word) for word in words_of(text)} - capitals if capitals else ()
    return [
        word
        for word in name.words
        if (len(word) >= LEAST_LETTERS or (len(word) > 1 and word in capitals))
        and word not in small
        and not is_role(word)
        and any(map(str.isalpha, word))
    ]


@built_once
def kinds_of_info_types() -> Mapping[str, str]:
    """How to search for values of each infoType: keys of ``kinds.yaml``; absent: searched for whole."""
    data = parse_yaml(files(__package__).joinpath("kinds.yaml").read_text(encoding="utf-8"))
    return {name: kind for kind, names in data.items() for name in names.split()}


def kind_of(info_type: str) -> str:
    """How to search for values of an infoType; empty if they are searched for whole."""
    return kinds_of_info_types().get(info_type, "")
