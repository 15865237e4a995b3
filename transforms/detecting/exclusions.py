"""Exclusion rules: reject findings by a user's dictionary, pattern, other findings or context."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.candidates import Candidates, united
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.loading import load
from tacenda.transforms.detecting.dictionaries.matching import FoldedCells
from tacenda.transforms.detecting.dictionaries.table import TermTable
from tacenda.transforms.detecting.hotwords import HotwordIndex
from tacenda.transforms.detecting.patterns.scanning import compiled
from tacenda.transforms.detecting.settings import Exclusion, Matching
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.utf8 import Utf8Column

Others = Callable[[str], Candidates]
"""Returns the candidates of an infoType, whether or not they are part of the result."""

_Mask = npt.NDArray[np.bool_]


EXCLUDED = "excluded"
"""Prefix of the counts of what exclusion rules reject."""


def without_excluded(
    column: TextColumn,
    spots: HotwordIndex,
    candidates: Candidates,
    rule: Exclusion,
    others: Others,
    name: str,
    least: Likelihood,
) -> Candidates:
    """The candidates of an infoType that the rule leaves; the column counts those that it rejects."""
    gone = excluded(column.utf8, spots, candidates, rule, others)
    if gone.any():
        sure = gone & (candidates.likelihoods >= least)
        column.rejected[f"{EXCLUDED}/{name}"] += int(np.count_nonzero(sure))
    return candidates.filter(~gone)


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
        whole, touched = _each_text_once(column, candidates, lambda texts: _dictionary_covers(texts, terms))
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


def _dictionary_covers(texts: Sequence[str], terms: TermTable) -> tuple[_Mask, _Mask]:
    return FoldedCells(TextColumn(texts), Folding.STRICT).covered(terms)


def _regex_covers(texts: Sequence[str], regex: Any) -> tuple[_Mask, _Mask]:
    encoded = [text.encode() for text in texts]
    whole = [regex.fullmatch(text) is not None for text in encoded]
    touched = [regex.search(text) is not None for text in encoded]
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
