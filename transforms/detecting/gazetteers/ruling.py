"""A user's rules on what the gazetteers found: hotwords move likelihoods, exclusions take findings back."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from transforms.detecting.candidate import Candidates, candidates
from transforms.detecting.column import Column
from transforms.detecting.exclusions import excluded
from transforms.detecting.proximity import HotSpots
from transforms.detecting.settings import Exclusion, Hotword
from transforms.schema.likelihood import Likelihood

Rules = Mapping[str, Sequence[Hotword | Exclusion]]
"""The rules of each infoType, in their order."""


def ruled(column: Column, found: Mapping[str, Candidates], rules: Rules) -> dict[str, Candidates]:
    """What is left of the candidates of each infoType, with their new likelihoods.

    An exclusion by other infoTypes knows those of ``found`` only; what other detectors find takes nothing back.
    """
    spots = HotSpots(column, _hotwords(rules))
    left = dict(found)
    for name, several in rules.items():
        for rule in several:
            if not len(left[name]):
                break
            if isinstance(rule, Hotword):
                left[name] = _moved(left[name], rule, spots)
            else:
                gone = excluded(column, spots, left[name], rule, lambda n: found.get(n, candidates([])))
                left[name] = left[name].those(~gone)
    return left


def _moved(found: Candidates, rule: Hotword, spots: HotSpots) -> Candidates:
    if rule.fixed is not None:
        moved = np.full(len(found), int(rule.fixed), dtype=np.int64)
    else:
        moved = np.clip(found.likelihoods + rule.relative, Likelihood.VERY_UNLIKELY, Likelihood.VERY_LIKELY)
    near = spots.near(found, rule)
    return Candidates(found.cells, found.starts, found.ends, np.where(near, moved, found.likelihoods))


def _hotwords(rules: Rules) -> Iterator[str]:
    for rule in (rule for several in rules.values() for rule in several):
        if isinstance(rule, Hotword):
            yield rule.regex
        elif rule.hotword is not None:
            yield rule.hotword.regex
