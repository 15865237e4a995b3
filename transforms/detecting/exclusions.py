"""Exclusion rules: which findings a user's dictionary, pattern, other finding or context takes back."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence

from transforms.detecting.candidate import Candidate
from transforms.detecting.column import Column
from transforms.detecting.dictionaries import Words, load
from transforms.detecting.proximity import HotSpots
from transforms.detecting.scanning import compiled
from transforms.detecting.settings import Exclusion, Matching, WordDictionary

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
        covers = [_dictionary_covers(column, c, rule.dictionary) for c in candidates]
    elif rule.regex is not None:
        covers = [_regex_covers(column, c, rule.regex) for c in candidates]
    else:
        ranges = _Ranges(other for name in rule.info_types for other in others(name))
        covers = [ranges.cover(c) for c in candidates]
    if rule.matching is Matching.FULL:
        return [whole for whole, _ in covers]
    if rule.matching is Matching.PARTIAL:
        return [touched for _, touched in covers]
    return [not touched for _, touched in covers]


def _dictionary_covers(column: Column, candidate: Candidate, dictionary: WordDictionary) -> tuple[bool, bool]:
    text = column.texts[candidate.cell][candidate.start : candidate.end]
    found = list(load(dictionary).find(text))
    if not found:
        return False, False
    words = Words(text)
    whole = all(
        any(s <= start and end <= e for s, e in found)
        for start, end in zip(words.starts.tolist(), words.ends.tolist(), strict=True)
    )
    return whole, True


def _regex_covers(column: Column, candidate: Candidate, pattern: str) -> tuple[bool, bool]:
    text = column.texts[candidate.cell][candidate.start : candidate.end].encode()
    regex = compiled(pattern)
    return regex.fullmatch(text) is not None, regex.search(text) is not None


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
