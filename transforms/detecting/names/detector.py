"""GazetteerDetector: people, places and organisations by shipped lists and context words."""

from typing import Any, ClassVar

import numpy as np

from tacenda.transforms.detecting.candidates import Candidates, united
from tacenda.transforms.detecting.names import INFO_TYPES
from tacenda.transforms.detecting.names.judging import judged
from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.detecting.names.reading import Reading
from tacenda.transforms.detecting.other_writing import written_otherwise
from tacenda.transforms.detecting.rule_sets import FindingFilter
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


class GazetteerDetector:
    """Finds PERSON_NAME, LOCATION and ORGANIZATION_NAME; deterministic, offline, linear in the text.

    The settings determine the infoTypes, their minimum likelihoods, and their hotword and exclusion rules;
    ``min_likelihood`` overrides every threshold (for the second look). Pickled as its settings; the lists are
    read once per process.
    """

    name = "gazetteer"
    languages: ClassVar = frozenset({"da", "en", "es", "fi", "nb", "sv"})
    """Languages in which it was measured; in others it finds too many or too few names."""

    def __init__(self, settings: InspectSettings, min_likelihood: Likelihood | None = None) -> None:
        self._state = settings, min_likelihood
        self._asked = FindingFilter(settings, settings.asked(INFO_TYPES), min_likelihood)

    def __reduce__(self) -> tuple[Any, ...]:
        return GazetteerDetector, self._state

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """See ``detector.Detector``; tokens such as [PERSON_NAME_1] are never part of a finding."""
        if not self._asked.least or not len(column):
            return [[] for _ in column.texts]
        found = self._asked.findings(column, _search(column), self.name)
        if (other := written_otherwise(column)) is not None:
            other.add(found, self._asked.findings(other.column, _search(other.column), self.name))
        return found


def _search(column: TextColumn) -> dict[str, Candidates]:
    found: dict[str, list[Candidates]] = {name: [] for name in INFO_TYPES}
    first = 0
    for block in column.blocks:
        read = Reading(block.readable, lexicon())
        rows: dict[str, list[tuple[int, int]]] = {name: [] for name in INFO_TYPES}
        for start, end, info_type in judged(read) if len(read) else ():
            rows[info_type].append((start, end))
        for name, several in rows.items():
            cells, starts, ends = read.locate(*np.asarray(several, dtype=np.int64).reshape(-1, 2).T)
            possible = np.full(len(cells), Likelihood.POSSIBLE, dtype=np.int64)
            found[name].append(Candidates(cells + first, starts, ends, possible))
        first += len(block)
    return {name: united(several) for name, several in found.items()}
