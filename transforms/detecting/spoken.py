"""Values said aloud: runs of number words, digits, letters and signs, as "four one five double two oh nine".

A run is a match of one pattern a language, made of the words of ``languages/<language>/spoken.yaml``. Its parts
tell its infoType: signs an address, letters a spelled word, letters and digits a code, digits a number. Where
other detectors see a part of it, theirs counts, and the run says how far it reaches (``overlaps.resolve``).
"""

import re
from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import ClassVar, NamedTuple

from tacenda.transforms.detecting.candidates import candidates
from tacenda.transforms.detecting.patterns.scanning import scan
from tacenda.transforms.detecting.rule_sets import FindingFilter
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.detecting.word_lists import alternatives, of_language
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.column import TextColumn

LANGUAGES = ("en", "es", "sv", "fi", "nb", "da")

NUMBER, PHONE, SPELLED, CODE = "NUMERIC", "PHONE_NUMBER", "SPELLED_WORD", "GENERIC_ID"
MAIL, WEB = "EMAIL_ADDRESS", "URL"
INFO_TYPES = (NUMBER, PHONE, SPELLED, CODE, MAIL, WEB)

_GAP = r"[ ,.…–-]{1,4}"
_FIGURES = r"[0-9]+"
_LETTER = r"\b\pL\b"
_LEAST = 3  # digits of a number, where a word counts as one
_LEAST_SINGLE, _LEAST_FIGURES = 4, 7  # figures that stand alone, and figures in groups …
_LONGEST_GROUP = 5  # … of at most so many
_LEAST_SPELLED, _LEAST_TIED = 4, 3  # letters of a spelled word; with hyphens between all of them
_LEAST_OF_PHONES, _MOST_OF_PHONES = 7, 15  # digits (ITU-T E.164)
_LEAST_CODE, _LEAST_PLAIN_CODE = 5, 6  # parts of a code with number words, and without
_PIECE = re.compile(r"[^\W\d_]+|\d+")


class Speech(NamedTuple):
    """The words of one language: numbers, what may stand between them, and letters that are words too."""

    numbers: frozenset[str]
    weak: frozenset[str]
    between: frozenset[str]
    word_letters: frozenset[str]
    repeats: frozenset[str]
    pattern: str


@built_once
def _words() -> Mapping[str, Mapping[str, str]]:
    """What ``spoken.yaml`` has of each of ``LANGUAGES``."""
    return {language: of_language(language, "spoken") for language in LANGUAGES}


@built_once
def speech(language: str) -> Speech:
    """The words of one of ``LANGUAGES``, and the pattern of a run."""
    told = _words()[language]
    numbers = frozenset(told["numbers"].split())
    between = frozenset(f"{told['joiners']} {told['fillers']}".split())
    parts = alternatives({*numbers, *told["compounds"].split()})
    number = rf"(?:{parts})+" if told["compounds"] else rf"(?:{parts})"
    repeats = frozenset(told["repeats"].split())
    item = rf"(?:(?:{alternatives(repeats)}) )?(?:{number}|{_FIGURES}|{_LETTER})"
    gap = rf"(?:{_GAP}(?:(?:{alternatives(between)}){_GAP}){{0,2}})"
    pattern = rf"(?i)(?:{item})(?:{gap}{item})+"
    weak = frozenset(told["weak"].split())
    letters = frozenset(" ".join(one["word_letters"] for one in _words().values()).split())
    return Speech(numbers, weak, between, letters, repeats, pattern)


@built_once
def _address() -> tuple[str, re.Pattern[str], frozenset[str]]:
    """The pattern of an address in all languages, that of an at sign, and words that are no part of one."""
    told = _words().values()
    dots, ats, signs, stops = (
        {word for one in told for word in one[name].split("|" if name != "stops" else None)}
        for name in ("dots", "ats", "signs", "stops")
    )
    tops = alternatives(of_language("any", "spoken_addresses")["top_level"].split())
    dot, at, any_sign = (alternatives(some) for some in (dots, ats, {*dots, *ats, *signs}))
    label = r"(?:(?:\pL[ -])*[\pL\pN][\pL\pN'_-]*)"
    end = rf"(?: (?:{any_sign}) {label})*"
    said = rf"{label}(?: (?:{any_sign}) {label})* (?:{dot}) (?:{tops})\b{end}"
    half = rf"{label}(?: (?:{any_sign}) {label})* (?:{at}|@) [\pL\pN-]+\.(?:{tops})\b{end}"
    return rf"(?i)\b(?:{said}|{half})", re.compile(rf"(?i) (?:{at}|@) "), frozenset(stops)


class SpokenDetector:
    """Finds values said aloud; deterministic, offline, linear in the text. Pickled as its settings."""

    name = "spoken"
    languages: ClassVar = frozenset({"en", "es", "fi", "nb", "sv"})
    """Those of ``LANGUAGES`` in which it was measured on gold."""

    def __init__(self, settings: InspectSettings, min_likelihood: Likelihood | None = None) -> None:
        self._state = settings, min_likelihood
        self._asked = FindingFilter(settings, settings.asked(INFO_TYPES), min_likelihood)

    def __reduce__(self) -> tuple[type["SpokenDetector"], tuple[InspectSettings, Likelihood | None]]:
        return SpokenDetector, self._state

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """See ``detector.Detector``."""
        return self.find_twice(column)[0]

    def find_twice(self, column: TextColumn) -> tuple[list[list[Finding]], list[list[Finding]]]:
        """See ``detector.TwoLookDetector``."""
        unsure: list[list[Finding]] = [[] for _ in column.texts]
        if not self._asked.least or not len(column):
            return [[] for _ in column.texts], unsure
        rows: dict[str, list[tuple[int, int, int, int]]] = {name: [] for name in self._asked.least}
        for cell, start, end, kind in spoken(column):
            if kind in rows:
                rows[kind].append((cell, start, end, Likelihood.LIKELY))
        places = {name: candidates(several) for name, several in rows.items()}
        return self._asked.findings(column, places, self.name, unsure), unsure


def spoken(column: TextColumn) -> list[tuple[int, int, int, str]]:
    """The runs of a column: cell, start, end, infoType; the longest of those that overlap.

    >>> spoken(TextColumn(["it is four one five double two oh nine, thanks"]))
    [(0, 6, 38, 'PHONE_NUMBER')]
    """
    runs = chain(_addresses(column), *(_runs(column, speech(language)) for language in LANGUAGES))
    kept: list[tuple[int, int, int, str]] = []
    for run in sorted(set(runs), key=lambda run: (run[1] - run[2], run)):
        i = bisect_left(kept, (run[0], run[2]))  # the first that begins at its end or later
        if not i or kept[i - 1][0] < run[0] or kept[i - 1][2] <= run[1]:
            insort(kept, run)
    return kept


def _matches(column: TextColumn, pattern: str) -> Iterator[tuple[int, int, int, str]]:
    buffer = column.utf8.everything
    for cell, start, end in zip(*(p.tolist() for p in buffer.locate(*scan(buffer, pattern))), strict=True):
        yield cell, start, end, column.texts[cell][start:end]


def _runs(column: TextColumn, words: Speech) -> Iterator[tuple[int, int, int, str]]:
    for cell, first, last, text in _matches(column, words.pattern):
        before, behind = column.texts[cell][max(first - 1, 0) : first], column.texts[cell][last : last + 1]
        pieces = [m for m in _PIECE.finditer(text) if m[0].lower() not in words.between]
        begin, end = 0, len(pieces)
        while begin < end and (
            (pieces[begin].start() == 0 and _goes_on(before))
            or _is_word(pieces[begin], pieces[begin + 1 : begin + 3], words)
        ):
            begin += 1
        while begin < end and (
            (pieces[end - 1].end() == len(text) and _goes_on(behind))
            or _is_word(pieces[end - 1], pieces[max(end - 3, 0) : end - 1], words)
        ):
            end -= 1
        own = pieces[begin:end]
        if own and (kind := _kind([piece[0].lower() for piece in own], text, words)) is not None:
            yield cell, first + own[0].start(), first + own[-1].end(), kind


def _goes_on(beside: str) -> bool:
    """Whether the character beside a match makes its edge a part of a word."""
    return beside.isalnum() or beside in tuple("'’")


def _is_word(piece: re.Match[str], beside: Sequence[re.Match[str]], words: Speech) -> bool:
    """Whether the letter at the edge of a run is a word, as "a" and "I": not near another letter."""
    return piece[0].lower() in words.word_letters and not any(_is_letter(one[0]) for one in beside)


def _is_letter(piece: str) -> bool:
    return len(piece) == 1 and piece.isalpha()


def _kind(pieces: Sequence[str], text: str, words: Speech) -> str | None:
    """The infoType of a run, if there is enough evidence that somebody reads it out."""
    more = sum(piece in words.repeats for piece in pieces)
    pieces = [piece for piece in pieces if piece not in words.repeats]
    letters = [piece for piece in pieces if _is_letter(piece) and piece != "o"]
    figures = [piece for piece in pieces if piece.isdigit()]
    said = [piece for piece in pieces if len(piece) > 1 and not piece.isdigit()]
    size = len(letters) + sum(map(len, figures)) + len(said) + pieces.count("o") + more
    if not figures and not said:
        tied = text.count("-") >= len(pieces) - 1
        known = sum(piece in words.word_letters for piece in pieces)
        enough = size >= (_LEAST_TIED if tied else _LEAST_SPELLED) and len(set(pieces)) > 2
        return SPELLED if enough and (tied or 2 * known < size) else None
    sure = any(piece not in words.weak for piece in said)
    if letters:
        plain = size >= _LEAST_PLAIN_CODE <= 2 * len(pieces) and not re.search(r"[.…]|\d{5}", text)
        return CODE if (size >= _LEAST_CODE if sure else plain) else None
    if sure:
        if size < _LEAST:
            return None
        return PHONE if _LEAST_OF_PHONES <= size <= _MOST_OF_PHONES else NUMBER
    longest = max(map(len, figures), default=0)
    groups = len(figures) > 3 and size >= _LEAST_FIGURES and longest <= _LONGEST_GROUP
    return NUMBER if (longest == 1 and len(figures) >= _LEAST_SINGLE) or groups else None


def _addresses(column: TextColumn) -> Iterator[tuple[int, int, int, str]]:
    pattern, at, stops = _address()
    for cell, start, end, text in _matches(column, pattern):
        if _goes_on(column.texts[cell][max(start - 1, 0) : start]):
            start, text = start + len(text.partition(" ")[0]) + 1, text.partition(" ")[2]
        while (first := text.partition(" ")[0]).lower() in stops and first != text:
            start, text = start + len(first) + 1, text[len(first) + 1 :]
        if " " in text:
            yield cell, start, end, MAIL if at.search(text) else WEB
