"""Turn pattern matches into candidates: fit, check boundaries, validate, and part joined numbers."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from tacenda.transforms.detecting.candidates import Candidates, candidates
from tacenda.transforms.detecting.patterns.scanning import end_of_match, scan
from tacenda.transforms.detecting.rules.catalogue import Boundary, Pattern
from tacenda.transforms.detecting.rules.fitting import FITS
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.storage.process_cache import remembered
from tacenda.transforms.text.utf8 import Buffer, Utf8Column

_GROUP = re.compile(rb"[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\xff]+")
"""ASCII letters and digits, and all non-ASCII characters, in UTF-8."""

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
    for i, (cell, first, last) in enumerate(places if len(starts) else ()):
        text = column.texts[cell]
        fitted = (first, last) if fit is None else fit(text, first, last)
        if fitted is None:
            continue
        first, last = fitted
        if not _stands_apart(text, first, last, pattern.boundary):
            continue
        likelihood: int | None = int(pattern.likelihood)
        if not _is_valid(pattern.validators, text[first:last]):
            within = list(_within(column, buffer, pattern, int(starts[i]), int(ends[i])))
            rows += within
            likelihood = None if within or pattern.invalid is None else int(pattern.invalid)
        if likelihood is not None:
            rows.append((cell, first, last, likelihood))
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


def _within(
    column: Utf8Column, buffer: Buffer, pattern: Pattern, start: int, end: int
) -> Iterator[tuple[int, int, int, int]]:
    """The numbers among the groups of a rejected match, given by its bytes, if the pattern may join some.

    They are disjoint and ascending, and each begins at a group. The last may extend beyond the match, which the
    neighbour before it has cut short. The time is quadratic in the number of groups in a match, so the pattern
    must bound them.
    """
    data, match_end = buffer.data, end_of_match(pattern.regex)
    firsts = [group.start() for group in _GROUP.finditer(data, start, end)] if pattern.may_join else []
    behind = start
    for first in (start, *firsts[1:]) if len(firsts) > 1 else ():
        last = end if first == start else match_end(data, first, None)
        if first < behind or last is None:
            continue
        stops = [group.end() for group in _GROUP.finditer(data, first, last)]
        if first != start and stops[-1] != last:
            stops.append(last)
        for stop in reversed(stops):
            if (first, stop) == (start, end) or (stop != last and match_end(data, first, stop) is None):
                continue
            places = buffer.locate(np.array([first]), np.array([stop]))
            cell, begin, ends = (int(place[0]) for place in places)
            text = column.texts[cell]
            if _stands_apart(text, begin, ends, pattern.boundary) and _is_valid(
                pattern.validators, text[begin:ends]
            ):
                yield cell, begin, ends, int(pattern.likelihood)
                behind = stop
                break


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
