"""Turn pattern matches into candidates: fit, check boundaries, and validate."""

import unicodedata
from collections.abc import Callable
from functools import lru_cache

from tacenda.transforms.detecting.candidates import Candidates, candidates
from tacenda.transforms.detecting.patterns.scanning import scan
from tacenda.transforms.detecting.rules.catalogue import Boundary, Pattern
from tacenda.transforms.detecting.rules.fitting import FITS
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.storage.process_cache import remembered
from tacenda.transforms.text.utf8 import Buffer, Utf8Column

_REMEMBERED = 100
"""Maximum length of matches whose validity is cached; hostile ones would fill the memory."""

_FIRST_UNCASED = "\u05d0"  # the first letter of Hebrew


def pattern_candidates(column: Utf8Column, buffer: Buffer, pattern: Pattern) -> Candidates:
    """The candidates of a built-in pattern in some cells.

    Matches are few, and taken one by one: the neighbours of one are known only after fitting.
    """
    starts, ends = scan(buffer, pattern.regex, (pattern.group,))
    fit = FITS[pattern.fit] if pattern.fit else None
    rows: list[tuple[int, int, int, int]] = []
    places = zip(*(place.tolist() for place in buffer.locate(starts, ends)), strict=True)
    for cell, first, last in places if len(starts) else ():
        text = column.texts[cell]
        fitted = (first, last) if fit is None else fit(text, first, last)
        if fitted is None:
            continue
        first, last = fitted
        if not _stands_apart(text, first, last, pattern.boundary):
            continue
        valid = _is_valid(pattern.validators, text[first:last])
        likelihood = pattern.likelihood if valid else pattern.invalid
        if likelihood is not None:
            rows.append((cell, first, last, int(likelihood)))
    return candidates(rows)


def _is_valid(validators: tuple[str, ...], text: str) -> bool:
    return not validators or _judge(validators, len(text) <= _REMEMBERED)(text)


@lru_cache(maxsize=256)
def _judge(validators: tuple[str, ...], remembers: bool) -> Callable[[str], bool]:
    """All validators as one function; results are cached, since words repeat."""
    checks = [VALIDATORS[name] for name in validators]

    def judge(text: str) -> bool:
        return all(check(text) for check in checks)

    return remembered(judge) if remembers else judge


def _stands_apart(text: str, start: int, end: int, boundary: Boundary) -> bool:
    """Whether neither neighbour of a match is one that its boundary forbids."""
    if boundary == "none":
        return True
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if boundary == "digit":
        return not (before.isdigit() or after.isdigit())
    return not (_continues(before, text[start:end][:1]) or _continues(after, text[start:end][-1:]))


def _continues(neighbour: str, edge: str) -> bool:
    """Whether a neighbouring character belongs to the same word as the edge of a match.

    A letter of a script without capitals (Han, Hangul, Arabic, Thai …) is no part of a word or number in ASCII:
    Chinese has no spaces, Korean particles and Hebrew prepositions are written beside a number without one.
    """
    # The letters before the first such script (a and o of ordinals) continue a word.
    if edge.isascii() and neighbour >= _FIRST_UNCASED and unicodedata.category(neighbour) in ("Lo", "Lm"):
        return False
    return neighbour == "_" or neighbour.isalnum()
