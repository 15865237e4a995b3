"""The rules engine as anybody would write it first: cell by cell, pattern by pattern, hotword by hotword.

No joined buffers, no automaton, no character classes as a sieve, no offsets in bytes: only what a pattern, a
hotword and a token mean. Slow, and the measure of what is fast. For built-in infoTypes, without the rules of a
config.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import re2

from tacenda.transforms.detecting.rules.catalogue import InfoType, Pattern, catalogue
from tacenda.transforms.detecting.rules.fitting import FITS
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.detecting.settings import Hotword
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.text.utf8 import CLASSES

Found = tuple[int, int, str, int]
"""Start, end, infoType, likelihood."""

_GROUP = re.compile(r"(?:[^\W_]|[^\x00-\x7f])+")


def reference_findings(
    texts: Sequence[str], first_cell: Sequence[int], names: Sequence[str], least: Likelihood
) -> list[list[Found]]:
    """The expected result of ``RulesDetector.find``, by cell and sorted."""
    found: list[list[Found]] = []
    for first, stop in pairwise(first_cell):
        cells = [re.sub("[\ud800-\udfff]", "\ufffd", text) for text in texts[first:stop]]
        hotwords: dict[str, list[tuple[int, int]]] = {}
        for k, text in enumerate(cells):
            here: list[Found] = []
            for name in names:
                places = _places(cells, k, catalogue()[name], hotwords)
                here += [(*place, name, how) for place, how in places.items() if how >= least]
            found.append(sorted(piece for finding in here for piece in _outside_tokens(text, finding)))
    return found


def _places(
    cells: Sequence[str], k: int, info_type: InfoType, hotwords: dict[str, list[tuple[int, int]]]
) -> dict[tuple[int, int], int]:
    best: dict[tuple[int, int], int] = {}
    text = cells[k]
    for pattern in info_type.patterns:
        if not all(any(byte in text.encode() for byte in CLASSES[need]) for need in pattern.needs):
            continue
        for start, end, likelihood in _matches(text, pattern):
            near = [_near(cells, k, start, end, hotword, hotwords) for hotword in info_type.hotwords]
            if pattern.only_near_hotword and not any(near):
                continue
            for hotword, is_near in zip(info_type.hotwords, near, strict=True):
                if is_near:
                    likelihood = hotword.fixed or likelihood.shifted(hotword.relative)
            best[start, end] = max(best.get((start, end), 0), int(likelihood))
    return best


def _matches(text: str, pattern: Pattern) -> Iterator[tuple[int, int, Likelihood]]:
    for match in _compiled(pattern.regex).finditer(text):
        start, end = match.span(pattern.group)
        if start >= end:
            continue
        fitted = FITS[pattern.fit](text, start, end) if pattern.fit else (start, end)
        if fitted is None:
            continue
        start, end = fitted
        if not _stands_apart(text, start, end, pattern.boundary):
            continue
        if all(VALIDATORS[name](text[start:end]) for name in pattern.validators):
            yield start, end, pattern.likelihood
        elif pattern.may_join and (inner := list(_within(text, start, end, pattern))):
            yield from ((*place, pattern.likelihood) for place in inner)
        elif pattern.invalid is not None:
            yield start, end, pattern.invalid


def _within(text: str, start: int, end: int, pattern: Pattern) -> Iterator[tuple[int, int]]:
    """From each group of a rejected match, the longest accepted run of groups, without overlaps."""
    behind = start
    firsts = [start, *(group.start() for group in list(_GROUP.finditer(text, start, end))[1:])]
    for first in firsts if len(firsts) > 1 else []:
        greedy = _compiled(pattern.regex).match(text, first)
        if first < behind or greedy is None:
            continue
        for stop in sorted({greedy.end(), *(g.end() for g in _GROUP.finditer(text, first, greedy.end()))})[
            ::-1
        ]:
            if (first, stop) == (start, end) or not _stands_apart(text, first, stop, pattern.boundary):
                continue
            if stop < greedy.end() and not _compiled(pattern.regex).fullmatch(text, first, stop):
                continue
            if all(VALIDATORS[name](text[first:stop]) for name in pattern.validators):
                yield first, stop
                behind = stop
                break


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> "re2._Regexp":
    options = re2.Options()
    options.max_mem = 64 << 20
    return re2.compile(pattern, options)


def _stands_apart(text: str, start: int, end: int, boundary: str) -> bool:
    neighbours = [*text[max(start - 1, 0) : start], *text[end : end + 1]]
    if boundary == "digit":
        return not any(c.isdigit() for c in neighbours)
    if boundary == "none":
        return True
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    return not (_goes_on(before, text[start]) or _goes_on(after, text[end - 1]))


def _goes_on(neighbour: str, edge: str) -> bool:
    """Letters of scripts without capitals, from Hebrew on, stand beside ASCII without a space."""
    uncased = neighbour >= "\u05d0" and unicodedata.category(neighbour[0]) in ("Lo", "Lm")
    return neighbour == "_" or (neighbour.isalnum() and not (uncased and edge.isascii()))


def _near(
    cells: Sequence[str],
    k: int,
    start: int,
    end: int,
    hotword: Hotword,
    known: dict[str, list[tuple[int, int]]],
) -> bool:
    if hotword.regex not in known:
        known[hotword.regex] = list(_on_axis(cells, hotword.regex))
    origin = sum(len(text) + 1 for text in cells[:k])
    low, high = origin + start - hotword.window_before, origin + end + hotword.window_after
    return any(low <= first and last <= high for first, last in known[hotword.regex])


def _on_axis(cells: Sequence[str], pattern: str) -> Iterator[tuple[int, int]]:
    origin = 0
    for text in cells:
        for match in _compiled(pattern).finditer(text):
            if match.start() < match.end():
                yield origin + match.start(), origin + match.end()
        origin += len(text) + 1


def _outside_tokens(text: str, finding: Found) -> Iterator[Found]:
    start, end, name, likelihood = finding
    inside = {i for token in TOKEN.finditer(text) for i in range(token.start(), token.end())}
    if inside.isdisjoint(range(start, end)):
        yield finding
        return
    piece = start
    for i in range(start, end + 1):
        if i == end or i in inside:
            if any(c.isalnum() for c in text[piece:i]):
                yield piece, i, name, likelihood
            piece = i + 1
