"""Exclusion rules: which findings a user's dictionary, pattern, other finding or context takes back."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from transforms.detecting.candidate import Candidate
from transforms.detecting.column import Column
from transforms.detecting.dictionaries import Terms, Words, load
from transforms.detecting.proximity import HotSpots
from transforms.detecting.scanning import compiled
from transforms.detecting.settings import Exclusion, Matching

Others = Callable[[str], Sequence[Candidate]]
"""Gives the candidates of an infoType, found whether or not they are to be returned."""


def excluded(
    column: Column, spots: HotSpots, candidates: Sequence[Candidate], rule: Exclusion, others: Others
) -> list[bool]:
    """For each candidate: does the rule take it back?

    Full, partial and inverse matching mean what the DLP API says they mean: the condition covers the whole
    finding, touches it, or does not touch it.
    """
    if rule.hotword is not None:
        near = spots.near([c.place for c in candidates], rule.hotword).tolist()
        return [n != (rule.matching is Matching.INVERSE) for n in near]
    if rule.dictionary is not None:
        terms = load(rule.dictionary)
        covers = _each_text_once(column, candidates, lambda text: _dictionary_covers(text, terms))
    elif rule.regex is not None:
        regex = compiled(rule.regex)
        covers = _each_text_once(column, candidates, lambda text: _regex_covers(text, regex))
    else:
        ranges = _Ranges(other for name in rule.info_types for other in others(name))
        covers = [ranges.cover(c) for c in candidates]
    if rule.matching is Matching.FULL:
        return [whole for whole, _ in covers]
    if rule.matching is Matching.PARTIAL:
        return [touched for _, touched in covers]
    return [not touched for _, touched in covers]


def _each_text_once(
    column: Column, candidates: Sequence[Candidate], covers: Callable[[str], tuple[bool, bool]]
) -> list[tuple[bool, bool]]:
    texts = [column.texts[c.cell][c.start : c.end] for c in candidates]
    known = {text: covers(text) for text in dict.fromkeys(texts)}
    return [known[text] for text in texts]


def _dictionary_covers(text: str, terms: Terms) -> tuple[bool, bool]:
    words = Words(text)
    found = list(terms.find(text, words))
    covered = {i for start, end in found for i in range(start, end)}
    whole = all(start in covered for start in words.starts.tolist())
    return bool(found) and whole, bool(found)


def _regex_covers(text: str, regex: Any) -> tuple[bool, bool]:
    encoded = text.encode()
    return regex.fullmatch(encoded) is not None, regex.search(encoded) is not None


class _Ranges:
    """The places of other findings, to be asked whether one of them covers or touches a candidate."""

    def __init__(self, others: Iterable[Candidate]) -> None:
        self._starts: list[tuple[int, int]] = []
        self._reach: list[tuple[int, int]] = []
        for other in sorted(others):
            self._starts.append((other.cell, other.start))
            reach = (other.cell, other.end)
            self._reach.append(max(reach, self._reach[-1]) if self._reach else reach)

    def cover(self, candidate: Candidate) -> tuple[bool, bool]:
        """Does one hold the whole candidate, does one share a character with it?"""
        cell, start, end, _ = candidate
        holding = bisect_right(self._starts, (cell, start))
        sharing = bisect_left(self._starts, (cell, end))
        return (
            holding > 0 and self._reach[holding - 1] >= (cell, end),
            sharing > 0 and self._reach[sharing - 1] > (cell, start),
        )
