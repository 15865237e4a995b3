"""Eponyms: names within names of diseases, signs and tests, which identify nobody.

After Vakili et al. ("Sjögren's syndrome" stays, "Dr. Sjögren" goes). A name only counts as an eponym if its
context shows it; otherwise it is a person's, since keeping a person's name does more harm than removing a
disease. So names that are also common words or first names, such as Still and Robin, never count alone.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import re2

from tacenda.transforms.detecting.correcting.marks import Marks, Protected
from tacenda.transforms.detecting.word_lists import alternatives
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file
from tacenda.transforms.text.column import TextColumn

EPONYM = "eponym"
"""Reason for a finding to stay readable: it is part of a medical term."""

INFO_TYPES = frozenset(
    {"PERSON_NAME", "FIRST_NAME", "LAST_NAME", "LOCATION", "ORGANIZATION_NAME", "STREET_ADDRESS"}
)
"""The infoTypes under which a name is found."""

_REACH = 40  # code points of context before a name
_GENITIVE = r"(?:['’]s|s['’]?|['’]|in|n)?"
_BETWEEN = r"(?:[- ](?:like|related|type|associated|associerad|liknande))?"
_SPACE = r"[ -]"
_INITIAL_BEFORE = re.compile(r"\b[A-ZÀ-ÞŠŽ]\.\s?$")
_TITLE_BEFORE = re.compile(r"([^\W\d_]+)\.?[,]?\s+$")
_CAPITAL_BEFORE = re.compile(r"(?P<mark>^|[.!?:;,\n]\s*)?\b(?P<word>[A-ZÀ-ÞŠŽ][\w’'-]*)[ ]$")


class _Words(NamedTuple):
    pattern: "re2._Regexp[str]"
    titles: frozenset[str]
    bare: "re.Pattern[str]"
    before_bare: "re.Pattern[str]"
    after_bare: "re.Pattern[str]"


def mark_eponyms(marks: Marks, batch: ConversationBatch, _column: TextColumn) -> None:
    """Add the eponyms of a batch: findings of people, places and organisations within them stay readable."""
    for cell, text in enumerate(batch.texts):
        if places := eponyms(text):
            protected = (Protected(start, end, INFO_TYPES, EPONYM) for start, end in places)
            marks.protected.setdefault(cell, []).extend(protected)


def eponyms(text: str) -> list[tuple[int, int]]:
    """The eponyms of a text, including the words that identify them: half-open ranges of code points.

    >>> text = "Dr. Sjögren suspects Sjögren's syndrome."
    >>> [text[start:end] for start, end in eponyms(text)]
    ["Sjögren's syndrome"]
    """
    found = (match.span() for match in _words().pattern.finditer(_folded(text)))
    return [(start, end) for start, end in found if not _is_of_a_person(text, start, end)]


def _is_of_a_person(text: str, start: int, end: int) -> bool:
    """Whether a title or another name precedes it, or it is a genitive that is not an eponym's."""
    words, before = _words(), text[max(0, start - _REACH) : start]
    if words.bare.fullmatch(_folded(text[start:end])) and not (
        words.before_bare.search(before) and words.after_bare.match(text, end)
    ):
        return True
    title = _TITLE_BEFORE.search(before)
    if _INITIAL_BEFORE.search(before) or (title and title[1].lower() in words.titles):
        return True
    # Within a sentence, a capitalised word before a name is part of a name; an initial always is.
    capital = _CAPITAL_BEFORE.search(before)
    return bool(capital and capital["mark"] is None)


@built_once
def _words() -> _Words:
    data = data_file(__package__, "eponyms.yaml")
    heads: Mapping[str, str] = {name: _any(words.split()) for name, words in data["heads"].items()}
    forms = [
        rf"(?:{_any(group['names'].split())}){_GENITIVE}{_BETWEEN}{_SPACE}"
        rf"(?:{'|'.join(heads[head] for head in group['heads'])})"
        for group in data["groups"].values()
    ]
    diseases = _any(data["groups"]["diseases"]["names"].split())
    forms.append(rf"(?:{_any(data['before'].split())}) (?:{diseases}){_GENITIVE}")
    forms.append(rf"(?:{_any(data['alone'].split())}){_GENITIVE}")
    forms.append(rf"(?:{_any(data['numbered'].split())}):? [0-9]+")
    # Genitive alone: not at the start of a longer name, and not before another capitalised word.
    bare = rf"(?:{_any(data['bare'].split())})['’]?s"
    forms.append(bare)
    pattern = re2.compile(rf"(?i)\b(?:non[- ]?)?(?:{'|'.join(forms)})\b")
    before, after = ("|".join(data[name].split()) for name in ("before_bare", "after_bare"))
    return _Words(
        pattern,
        frozenset(data["titles"].split()),
        re.compile(rf"(?i)(?:.*['’])?{bare}|.*['’]s"),
        re.compile(rf"(?i)\b(?:{before})\s+$"),
        re.compile(rf"(?i)\s*(?:$|[.,;:!?)]|(?:{after})\b)"),
    )


def _any(words: Sequence[str]) -> str:
    """A pattern for any of some words; a hyphen also matches a dash or a space."""
    return alternatives({_folded(word) for word in words}).replace(r"\-", "[- ]")


def _folded(text: str) -> str:
    """The text without accents and with plain hyphens, at the same length."""
    return text if text.isascii() else "".join(map(_plain, text))


def _plain(character: str) -> str:
    if character.isascii():
        return character
    if unicodedata.category(character) == "Pd":
        return "-"
    base = unicodedata.normalize("NFD", character)[0]
    return base if base.isascii() else character
