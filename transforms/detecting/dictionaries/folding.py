"""Fold text for dictionary matching: ignore case, accents and variant spellings.

Each character is folded on its own, to zero or more characters (``transforms/text/folding.py`` maps one to
one and keeps accents, which distinguish names). Each character is looked up in ``unicodedata`` once per
process, then kept in tables shared by all threads.
"""

import unicodedata
from enum import Enum
from importlib.resources import files
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.folding import CODES, UNSPACED

Codes = npt.NDArray[np.unsignedinteger[Any]]
Kinds = npt.NDArray[np.uint8]

GAP, LETTER, DIGIT, ALONE, MARK = range(1, 6)
"""The role of a character in words: separator; part of a word of letters, or of digits; a word on its own;
part of whatever precedes it. 0 means not looked up yet."""

APOSTROPHES = "'’‘ʼʻʽʹ＇`´Ꞌꞌ"
"""All are separators, even those that Unicode calls letters: O'Brien is one name, whatever key was used."""

_IGNORED = "\u00ad\u0640\u200d\u2060" + "".join(map(chr, range(0xFE00, 0xFE10)))
"""Soft hyphen, Arabic elongation, joiners and variation selectors: they occur within words and mean
nothing."""

_ACCENTS = range(200, 256)
_POINTS = range(10, 37)
"""Combining classes (Unicode Standard, table 3-14) of accents, and of vowel points in Hebrew, Arabic and
Syriac. Marks of other classes, such as the vowel signs of Indic scripts and Thai, count as letters."""


class Folding(Enum):
    """How much is folded.

    LOOSE is for finding: accents, vowel points and letters such as ø are ignored, since transcripts lose
    them. STRICT is for exclusions: there, só is different from so.
    """

    LOOSE = "loose"
    STRICT = "strict"


class FoldTable:
    """The role of each character, and its folded form."""

    def __init__(self, folding: Folding) -> None:
        self._folding = folding
        # Untouched pages of zeros take no memory.
        self._kinds: Kinds = np.zeros(CODES, dtype=np.uint8)
        self._counts: Kinds = np.zeros(CODES, dtype=np.uint8)  # number plus one; 0 while unknown
        self._parts: list[npt.NDArray[np.uint32]] = []
        self._one_at_a_time = Lock()
        self._learn(range(128))

    def kinds(self, codes: Codes) -> Kinds:
        """The role of each character in words."""
        kinds: Kinds = self._kinds[codes]
        if not kinds.all():
            self._learn(np.unique(codes[kinds == 0]).tolist())
            kinds = self._kinds[codes]
        return kinds

    def fold(self, codes: Codes) -> tuple[Codes, Kinds | None]:
        """Fold characters whose roles were looked up before; separators become spaces.

        The second array has the number of resulting characters of each; None if all have one.

        Raises:
            RecordError: a character was not looked up, and would be missing from its word.
        """
        counts = self._counts[codes]
        folded: Codes = self._parts[0][codes]
        if (counts == 2).all():
            return folded, None
        if not counts.all():
            raise RecordError("CharacterNotFolded")
        counts -= 1
        folded = np.repeat(folded, counts)
        if counts.max() > 1:
            origins = np.cumsum(counts, dtype=np.int64) - counts
            for i, part in enumerate(self._parts[1:], 1):
                several = np.flatnonzero(counts > i)
                folded[origins[several] + i] = part[codes[several]]
        return folded, counts

    def _learn(self, codes: "range | list[int]") -> None:
        with self._one_at_a_time:
            for code in codes:
                kind, folded = _fold(chr(code), self._folding)
                while len(self._parts) < len(folded):
                    self._parts.append(np.zeros(CODES, dtype=np.uint32))
                for part, character in zip(self._parts, folded, strict=False):
                    part[code] = ord(character)
                self._counts[code] = len(folded) + 1
                self._kinds[code] = kind  # last: other threads read without the lock


@built_once
def fold_table(folding: Folding) -> FoldTable:
    """The table of this process."""
    return FoldTable(folding)


def _fold(character: str, folding: Folding) -> tuple[int, str]:
    decomposed = unicodedata.normalize("NFD", character)
    if decomposed in APOSTROPHES:
        return GAP, " "
    if character in _IGNORED:
        return MARK, ""
    is_mark = unicodedata.category(character)[0] == "M"
    if not (is_mark or character.isalnum()):
        return GAP, " "
    lower = _plain(decomposed, folding).casefold()
    if character == "İ":
        lower = "i"  # without the combining dot
    folded = unicodedata.normalize("NFKD", lower)
    if not _plain(folded, Folding.LOOSE).isalnum():
        folded = lower  # ½ does not become 1/2, which would be two words
    folded = _plain(folded, folding)
    if folding is Folding.LOOSE:
        folded = "".join(_letters().get(letter, letter) for letter in folded)
    return (MARK, folded) if is_mark else (_kind(character), folded or character)


def _plain(text: str, folding: Folding) -> str:
    if folding is Folding.STRICT:
        return text
    return "".join(c for c in text if unicodedata.combining(c) not in (*_ACCENTS, *_POINTS))


def _kind(character: str) -> int:
    if not character.isalpha():
        return DIGIT
    code = ord(character)
    return ALONE if any(first <= code <= last for first, last in UNSPACED) else LETTER


@built_once
def _letters() -> dict[str, str]:
    text = (files(__package__) / "letters.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))
