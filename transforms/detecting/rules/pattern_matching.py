"""Turn pattern matches into candidates: trim, check boundaries, validate, and part joined numbers."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.candidates import Candidates, candidates
from tacenda.transforms.detecting.patterns.scanning import Ranges, end_of_match, scan
from tacenda.transforms.detecting.rules.catalogue import Boundary, Pattern
from tacenda.transforms.detecting.rules.match_boundaries import TRIMMERS
from tacenda.transforms.detecting.rules.match_context import EXTENDERS
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.storage.process_cache import remembered
from tacenda.transforms.text.utf8 import SEPARATOR, Buffer, Utf8Column

_GROUP = re.compile(rb"[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\xff]+")
"""ASCII letters and digits, and all non-ASCII characters, in UTF-8."""


def numbers_within(
    data: bytes, start: int, end: int, pattern: str, accepts: Callable[[int, int], bool]
) -> list[tuple[int, int]]:
    """Disjoint byte ranges, ascending; each begins at a group of the rejected match ``data[start:end]``.

    The last may extend beyond the match, which the neighbour before it has cut short. The time is quadratic
    in the number of groups in a match, so the pattern must bound them.
    """
    firsts = [group.start() for group in _GROUP.finditer(data, start, end)]
    if len(firsts) < 2:
        return []
    firsts[0] = start
    match_end = end_of_match(pattern)
    found: list[tuple[int, int]] = []
    behind = start
    for first in firsts:
        if first < behind:
            continue
        last = end if first == start else match_end(data, first, None)
        if last is None:
            continue
        stops = [group.end() for group in _GROUP.finditer(data, first, last)]
        if first != start and stops[-1] != last:
            stops.append(last)
        for stop in reversed(stops):
            is_match = stop == last or match_end(data, first, stop) is not None
            if is_match and (first, stop) != (start, end) and accepts(first, stop):
                found.append((first, stop))
                behind = stop
                break
    return found


_BYTES_REMEMBERED = 100
"""Maximum length of cached matches; longer ones are rare, and hostile ones would fill the memory."""


def _table(characters: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
    """For each byte, whether it is such an ASCII character."""
    return np.asarray([byte < 0x80 and characters(chr(byte)) for byte in range(256)])


_WORDS = _table(lambda character: character.isalnum() or character == "_")
_DIGITS = _table(str.isdigit)
_BEYOND_ASCII = ~_table(lambda character: True)
_BEYOND_ASCII[ord(SEPARATOR)] = False
_FIRST_BEYOND_ASCII = 0x80
_FIRST_UNCASED = "\u05d0"  # the first letter of Hebrew


def pattern_candidates(column: Utf8Column, buffer: Buffer, pattern: Pattern) -> Candidates:
    """The candidates of a built-in pattern in some cells."""
    starts, ends = scan(buffer, pattern.regex, (pattern.group,))
    if not len(starts):
        return candidates([])
    if pattern.trim is not None or pattern.extend is not None:
        return _trimmed(column, buffer, pattern, (starts, ends))
    if pattern.boundary != "none":
        apart = _apart(buffer, starts, ends, pattern.boundary)
        starts, ends = starts[apart], ends[apart]
    likelihoods = np.full(len(starts), int(pattern.likelihood), dtype=np.int64)
    if pattern.validators:
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        judge = _judge(pattern.validators, int((ends - starts).max(initial=0)) <= _BYTES_REMEMBERED)
        accepted = np.fromiter(map(judge, [buffer.data[start:end] for start, end in spans]), np.bool_)
        left = accepted | (pattern.invalid is not None)
        if pattern.invalid is not None:
            likelihoods[~accepted] = int(pattern.invalid)
        within: list[tuple[int, int]] = []
        for i in np.flatnonzero(~accepted).tolist() if pattern.may_join else ():
            inner = _within(buffer, pattern, judge, int(starts[i]), int(ends[i]))
            left[i] &= not inner
            within += inner
        starts, ends, likelihoods = starts[left], ends[left], likelihoods[left]
        if within:
            inside = np.asarray(within, dtype=np.int64)
            starts, ends = np.append(starts, inside[:, 0]), np.append(ends, inside[:, 1])
            likelihoods = np.append(likelihoods, np.full(len(inside), int(pattern.likelihood)))
    return Candidates(*buffer.locate(starts, ends), likelihoods)


def _within(
    buffer: Buffer, pattern: Pattern, judge: Callable[[bytes], bool], start: int, end: int
) -> list[tuple[int, int]]:
    """The numbers among the groups of a rejected match."""

    def accepts(first: int, last: int) -> bool:
        apart = pattern.boundary == "none" or _bytes_stand_apart(buffer.data, first, last, pattern.boundary)
        return apart and judge(buffer.data[first:last])

    return numbers_within(buffer.data, start, end, pattern.regex, accepts)


@lru_cache(maxsize=256)
def _judge(validators: tuple[str, ...], remembers: bool) -> Callable[[bytes], bool]:
    """All validators as one function; results are cached, since words repeat."""
    checks = [VALIDATORS[name] for name in validators]

    def judge(matched: bytes) -> bool:
        text = matched.decode()
        return all(check(text) for check in checks)

    return remembered(judge) if remembers else judge


def _trimmed(column: Utf8Column, buffer: Buffer, pattern: Pattern, ranges: Ranges) -> Candidates:
    """Trim matches one by one, since the neighbours of a match are known only after trimming."""
    trim = TRIMMERS[pattern.trim] if pattern.trim else None
    extend = EXTENDERS[pattern.extend] if pattern.extend else None
    checks = [VALIDATORS[name] for name in pattern.validators]
    rows: list[tuple[int, int, int, int]] = []
    for cell, start, end in zip(*(places.tolist() for places in buffer.locate(*ranges)), strict=True):
        text = column.texts[cell]
        if trim is not None:
            cut = trim(text[start:end])
            if cut is None:
                continue
            start, end = start + cut[0], start + cut[1]
        taken = extend(text, start, end) if extend is not None else (start, end)
        if taken is None:
            continue
        first, last = taken
        if not _stands_apart(text, first, last, pattern.boundary):
            continue
        likelihood = pattern.likelihood
        if checks and not _all(checks, text[first:last]):
            if pattern.invalid is None:
                continue
            likelihood = pattern.invalid
        rows.append((cell, first, last, int(likelihood)))
    return candidates(rows)


def _all(checks: Iterable[Callable[[str], bool]], text: str) -> bool:
    return all(check(text) for check in checks)


def _apart(
    buffer: Buffer, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], boundary: Boundary
) -> npt.NDArray[np.bool_]:
    """For each range, whether neither neighbour is one that its boundary forbids."""
    data = buffer.bytes
    # Index -1 wraps around to the last byte: a separator, which is not part of any word.
    before, after = data[starts - 1], data[ends]
    forbidden = _WORDS if boundary == "word" else _DIGITS
    apart = ~(forbidden[before] | forbidden[after])
    unclear = apart & (_BEYOND_ASCII[before] | _BEYOND_ASCII[after])
    for i in np.flatnonzero(unclear).tolist():
        apart[i] = _bytes_stand_apart(buffer.data, int(starts[i]), int(ends[i]), boundary)
    return apart


def _bytes_stand_apart(data: bytes, start: int, end: int, boundary: Boundary) -> bool:
    before = data[max(start - 4, 0) : start].rpartition(b"\xff")[2].decode(errors="ignore")[-1:]
    after = data[end : end + 4].partition(b"\xff")[0].decode(errors="ignore")[:1]
    # Of the match, only whether its edges are ASCII matters.
    edges = "".join(chr(byte) if byte < _FIRST_BEYOND_ASCII else "ÿ" for byte in (data[start], data[end - 1]))
    return _stands_apart(before + edges + after, len(before), len(before) + 2, boundary)


def _stands_apart(text: str, start: int, end: int, boundary: Boundary) -> bool:
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
    if neighbour == "_":
        return True
    return neighbour.isalnum() and not (edge.isascii() and _is_uncased_letter(neighbour))


def _is_uncased_letter(character: str) -> bool:
    # The letters before the first such script (a and o of ordinals) continue a word.
    return character >= _FIRST_UNCASED and unicodedata.category(character) in ("Lo", "Lm")
