"""Exclusion rules: which findings a user's dictionary, pattern, other finding or context takes back."""

from collections.abc import Callable, Sequence

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
        by_cell: dict[int, list[Candidate]] = {}
        for name in rule.info_types:
            for other in others(name):
                by_cell.setdefault(other.cell, []).append(other)
        covers = [_findings_cover(c, by_cell.get(c.cell, ())) for c in candidates]
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


def _findings_cover(candidate: Candidate, others: Sequence[Candidate]) -> tuple[bool, bool]:
    whole = any(o.start <= candidate.start and candidate.end <= o.end for o in others)
    touched = any(o.start < candidate.end and candidate.start < o.end for o in others)
    return whole, touched
