"""Eponyms: names in the names of diseases, signs and tests, which mean nobody who can be harmed.

After Vakili et al. ("Sjögren's syndrome" stays, "Dr. Sjögren" goes). A name counts only where the words around
it make it one; where they do not, it is a person's, since a name that stays by mistake harms more than a
disease that goes. So names that are common words or first names, Still and Robin, never count alone.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

import re2

from tacenda.transforms.detecting.correcting.marks import Marks, Protected
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml
from tacenda.transforms.text.column import TextColumn

EPONYM = "eponym"
"""Why a finding stays readable: it is part of a medical term."""

INFO_TYPES = frozenset(
    {"PERSON_NAME", "FIRST_NAME", "LAST_NAME", "LOCATION", "ORGANIZATION_NAME", "STREET_ADDRESS"}
)
"""What a name is taken for."""

_REACH = 40
"""Code points that are looked at before a name."""

_GENITIVE = r"(?:['’]s|s['’]?|['’])?"
_BETWEEN = r"(?:[- ](?:like|related|type|associated|associerad|liknande))?"
_SPACE = r"[ -]"
_BARE_AFTER = re.compile(
    r"\s*(?:$|[.,;:!?)]|(?:since|and|or|with|in|for|is|was|but|on|who|at|diagnos\w+|treat\w+|then|when)\b)",
    re.IGNORECASE,
)
_BARE_BEFORE = re.compile(
    r"\b(?:has|have|had|having|with|of|from|suspected|for|got|develop\w*|severe|mild|advanced|early|known|or|is"
    r"|possible|probable|like|about)\s+$",
    re.IGNORECASE,
)
_INITIAL_BEFORE = re.compile(r"\b[A-ZÀ-ÞŠŽ]\.\s?$")
_TITLE_BEFORE = re.compile(r"([^\W\d_]+)\.?[,]?\s+$")
_CAPITAL_BEFORE = re.compile(r"(?P<mark>^|[.!?:;,\n]\s*)?\b(?P<word>[A-ZÀ-ÞŠŽ][\w’'-]*)[ ]$")


class _Words(NamedTuple):
    pattern: "re2._Regexp[str]"
    titles: frozenset[str]


class EponymMarking:
    """Marks the places of eponyms."""

    def __init__(self) -> None:
        self._words = _words()

    def marks(self, batch: ConversationBatch, column: TextColumn) -> Marks:
        """The eponyms of a batch: findings of people, places and firms within them are left."""
        marks = Marks()
        for cell, text in enumerate(batch.texts):
            places = self.places(text)
            if places:
                marks.protected[cell] = [Protected(start, end, INFO_TYPES, EPONYM) for start, end in places]
        return marks

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where the eponyms of a text stand, with the words that make them so: code points, half-open.

        >>> text = "Dr. Sjögren suspects Sjögren's syndrome."
        >>> [text[start:end] for start, end in EponymMarking().places(text)]
        ["Sjögren's syndrome"]
        """
        folded = _folded(text)
        found = (match.span() for match in self._words.pattern.finditer(folded))
        return [(start, end) for start, end in found if not self._is_of_a_person(text, start, end)]

    def _is_of_a_person(self, text: str, start: int, end: int) -> bool:
        """Whether a title, or another name, stands before it; or it is a genitive of anything."""
        before = text[max(0, start - _REACH) : start]
        if text[end - 2 : end].lower() in ("'s", "’s") and not (
            _BARE_BEFORE.search(before) and _BARE_AFTER.match(text, end)
        ):
            return True
        if _INITIAL_BEFORE.search(before):
            return True
        title = _TITLE_BEFORE.search(before)
        if title and title[1].lower() in self._words.titles:
            return True
        capital = _CAPITAL_BEFORE.search(before)
        # Within a sentence, a capital before a name is one of a name; an initial is always.
        return bool(capital and capital["mark"] is None)


@built_once
def _words() -> _Words:
    data = parse_yaml(files(__package__).joinpath("eponyms.yaml").read_text("utf-8"))
    heads: Mapping[str, str] = {name: _any(words.split()) for name, words in data["heads"].items()}
    forms = [
        rf"(?:{_any(group['names'].split())}){_GENITIVE}{_BETWEEN}{_SPACE}"
        rf"(?:{'|'.join(heads[head] for head in group['heads'])})"
        for group in data["groups"].values()
    ]
    # The genitive alone: not at the start of a longer name, and not before another word with a capital.
    forms.append(rf"(?:{_any(data['bare'].split())})['’]s")
    pattern = re2.compile(rf"(?i)\b(?:{'|'.join(forms)})\b")
    return _Words(pattern, frozenset(data["titles"].split()))


def _any(words: Sequence[str]) -> str:
    """One of some words; where one has a hyphen, the text may have a dash or a space."""
    longest_first = sorted({_folded(word) for word in words}, key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace(r"\-", "[- ]") for word in longest_first)


def _folded(text: str) -> str:
    """The text without accents and with plain hyphens, of the same length."""
    if text.isascii():
        return text
    return "".join(map(_plain, text))


def _plain(character: str) -> str:
    if character.isascii():
        return character
    if unicodedata.category(character) == "Pd":
        return "-"
    base = unicodedata.normalize("NFD", character)[0]
    return base if base.isascii() else character
