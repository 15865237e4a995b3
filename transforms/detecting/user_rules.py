"""A user's rules: hotwords adjust likelihoods within a window, exclusions reject findings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.candidates import NOWHERE, Candidates, united
from tacenda.transforms.detecting.dictionaries.folding import FoldedWords, Folding
from tacenda.transforms.detecting.dictionaries.loading import load
from tacenda.transforms.detecting.patterns.pattern_set import Matching as CellsOfPatterns
from tacenda.transforms.detecting.patterns.scanning import compiled, scan
from tacenda.transforms.detecting.settings import Exclusion, Hotword, Matching
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.utf8 import Utf8Column

_Spots = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]


class HotwordIndex:
    """The hotwords of one column; each pattern is searched once, when first needed.

    ``matching`` has the cells of those that were searched for together.
    """

    def __init__(self, column: Utf8Column, matching: CellsOfPatterns | None = None) -> None:
        self._column = column
        self._matching: CellsOfPatterns = {} if matching is None else matching
        self._spots: dict[str, _Spots] = {}

    def near(self, places: Candidates, hotword: Hotword) -> npt.NDArray[np.bool_]:
        """For each candidate, whether a match of the hotword lies entirely in its window.

        The window includes the candidate itself and extends over neighbouring cells of the conversation; the
        step between two cells counts as one code point.
        """
        starts, ends = self._find(hotword.regex)
        if not len(starts):
            return np.zeros(len(places), dtype=np.bool_)
        origins = self._column.origins[places.cells]
        low = origins + places.starts - hotword.window_before
        high = origins + places.ends + hotword.window_after
        # Matches of one pattern are disjoint and ascending: the first to start in the window is the first to
        # end.
        index = np.searchsorted(starts, low, side="left")
        near: npt.NDArray[np.bool_] = np.append(ends, np.iinfo(np.int64).max)[index] <= high
        return near

    def cells_near(self, hotwords: Iterable[Hotword]) -> npt.NDArray[np.int64]:
        """The cells in which a finding could have one of the hotwords in its window, ascending."""
        several = [(h, spots) for h in hotwords if len((spots := self._find(h.regex))[0])]
        if not several:
            return NOWHERE
        origins = self._column.origins
        lows = np.concatenate([ends - h.window_after for h, (_, ends) in several])
        highs = np.concatenate([starts + h.window_before for h, (starts, _) in several])
        first = np.maximum(np.searchsorted(origins, lows, side="right") - 1, 0)
        stop = np.searchsorted(origins, highs, side="right")
        # Running count of open windows, from the first cell to the last: memory depends only on the number of
        # cells, however many hotwords are close together.
        least = int(first.min())
        size = int(stop.max()) - least + 1
        begun, ended = (np.bincount(places - least, minlength=size) for places in (first, stop))
        return np.flatnonzero(np.cumsum(begun - ended)[:-1] > 0) + least

    def _find(self, pattern: str) -> _Spots:
        if pattern not in self._spots:
            known = self._matching.get(pattern)
            buffer = self._column.everything if known is None else self._column.select(known)
            cells, starts, ends = buffer.locate(*scan(buffer, pattern))
            origins = self._column.origins[cells]
            self._spots[pattern] = origins + starts, origins + ends
        return self._spots[pattern]


def adjusted(found: Candidates, hotword: Hotword, spots: HotwordIndex) -> Candidates:
    """The candidates, with the likelihoods of those near the hotword adjusted."""
    if not len(found):
        return found
    near = spots.near(found, hotword)
    if not near.any():
        return found
    if hotword.fixed is not None:
        moved = np.full(len(found), int(hotword.fixed), dtype=np.int64)
    else:
        moved = np.clip(
            found.likelihoods + hotword.relative, Likelihood.VERY_UNLIKELY, Likelihood.VERY_LIKELY
        )
    return replace(found, likelihoods=np.where(near, moved, found.likelihoods))


Others = Callable[[str], Candidates]
"""Returns the candidates of an infoType, whether or not they are part of the result."""

Rules = Mapping[str, Sequence[Hotword | Exclusion]]
"""The rules of each infoType, in order."""

_Mask = npt.NDArray[np.bool_]

EXCLUDED = "excluded"
"""Prefix of the counts of what exclusion rules reject."""


@dataclass(frozen=True)
class RuledColumn:
    """A user's rules, applied to the candidates of one column.

    ``least`` has the minimum likelihood at which a candidate of an infoType counts, ``spots`` the hotwords.
    """

    column: TextColumn
    spots: HotwordIndex
    rules: Rules
    least: Mapping[str, Likelihood]

    def left(self, name: str, found: Candidates, others: Others) -> Candidates:
        """The candidates of an infoType that no rule rejects, with their likelihoods; the rest is counted."""
        for rule in self.rules.get(name, ()):
            if not len(found):
                break
            if isinstance(rule, Hotword):
                found = adjusted(found, rule, self.spots)
                continue
            gone = excluded(self.column.utf8, self.spots, found, rule, others)
            if gone.any():
                sure = gone & (found.likelihoods >= self.least[name])
                self.column.rejected[f"{EXCLUDED}/{name}"] += int(np.count_nonzero(sure))
            found = found.filter(~gone)
        return found

    def counted(self, name: str, found: Candidates) -> Candidates:
        """The candidates that exclusion rules see when they refer to the infoType.

        Hotwords apply as for any finding; exclusions do not, or two infoTypes could exclude each other in
        circles.
        """
        for rule in self.rules.get(name, ()):
            if isinstance(rule, Hotword):
                found = adjusted(found, rule, self.spots)
        return found.filter(found.likelihoods >= self.least[name])


def excluded(
    column: Utf8Column, spots: HotwordIndex, candidates: Candidates, rule: Exclusion, others: Others
) -> _Mask:
    """For each candidate, whether the rule rejects it.

    Full, partial and inverse matching are defined as in the DLP API: the condition covers the whole finding,
    overlaps it, or does not overlap it.
    """
    if rule.hotword is not None:
        near = spots.near(candidates, rule.hotword)
        return ~near if rule.matching is Matching.INVERSE else near
    if rule.dictionary is not None:
        terms = load(rule.dictionary, Folding.STRICT)

        def covers(texts: Sequence[str]) -> tuple[_Mask, _Mask]:
            return FoldedWords(TextColumn(texts), Folding.STRICT).covered(terms)

        whole, touched = _each_text_once(column, candidates, covers)
    elif rule.regex is not None:
        regex = compiled(rule.regex)
        whole, touched = _each_text_once(column, candidates, lambda texts: _regex_covers(texts, regex))
    else:
        whole, touched = _covered(column, candidates, united([others(name) for name in rule.info_types]))
    if rule.matching is Matching.FULL:
        return whole
    return touched if rule.matching is Matching.PARTIAL else ~touched


def _each_text_once(
    column: Utf8Column, candidates: Candidates, covers: Callable[[Sequence[str]], tuple[_Mask, _Mask]]
) -> tuple[_Mask, _Mask]:
    places = zip(candidates.cells.tolist(), candidates.starts.tolist(), candidates.ends.tolist(), strict=True)
    known: dict[str, int] = {}
    index = [known.setdefault(column.texts[cell][start:end], len(known)) for cell, start, end in places]
    whole, touched = covers(list(known))
    return whole[index], touched[index]


def _regex_covers(texts: Sequence[str], regex: Any) -> tuple[_Mask, _Mask]:
    encoded = [text.encode() for text in texts]
    whole, touched = (
        [match(text) is not None for text in encoded] for match in (regex.fullmatch, regex.search)
    )
    return np.asarray(whole, dtype=np.bool_), np.asarray(touched, dtype=np.bool_)


def _covered(column: Utf8Column, candidates: Candidates, others: Candidates) -> tuple[_Mask, _Mask]:
    """For each candidate: does another finding contain it, and does one overlap it?"""
    if not len(others):
        return np.zeros(len(candidates), dtype=np.bool_), np.zeros(len(candidates), dtype=np.bool_)
    origins = column.origins[others.cells]
    order = np.lexsort((others.ends, others.starts, others.cells))
    starts = (origins + others.starts)[order]
    reach = np.maximum.accumulate((origins + others.ends)[order])
    origins = column.origins[candidates.cells]
    first, last = origins + candidates.starts, origins + candidates.ends
    holding = np.searchsorted(starts, first, side="right")
    sharing = np.searchsorted(starts, last, side="left")
    whole = (holding > 0) & (reach[holding - 1] >= last)
    touched = (sharing > 0) & (reach[sharing - 1] > first)
    return whole, touched
