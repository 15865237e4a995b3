"""GazetteerDetector: people, places and organisations by shipped lists and the words around them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from tacenda.transforms.detecting.candidates import Candidates, united
from tacenda.transforms.detecting.finding_lists import append_findings
from tacenda.transforms.detecting.names.cased import capitalised
from tacenda.transforms.detecting.names.evidence import Evidence
from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.detecting.names.reading import Reading
from tacenda.transforms.detecting.names.repeating import repeated
from tacenda.transforms.detecting.names.span import INFO_TYPES, in_columns, joined
from tacenda.transforms.detecting.names.uncased import uncapitalised
from tacenda.transforms.detecting.rule_sets import RuleSetProcessor
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.text.column import TextColumn

_BLOCK = 1 << 18
"""Code points that are read at once, or one conversation: their arrays fit into a core's cache."""


class GazetteerDetector:
    """Finds PERSON_NAME, LOCATION and ORGANIZATION_NAME; deterministic, offline, linear in the text.

    Which of the three, from which likelihood on and with which hotword and exclusion rules is taken from the
    settings; ``min_likelihood`` overrides every threshold (the second look wants all findings). Pickles as its
    settings; the lists are read once in a process.
    """

    name = "gazetteer"
    languages: ClassVar = frozenset({"da", "en", "es", "fi", "nb", "sv"})
    """On whose text what the lists find was measured; elsewhere they take too much or too little for names."""

    def __init__(self, settings: InspectSettings, min_likelihood: Likelihood | None = None) -> None:
        self._settings = settings
        self._override = min_likelihood
        asked = [name for name in INFO_TYPES if name in settings.info_types]
        self._least = settings.thresholds(asked, min_likelihood)
        self._ruling = RuleSetProcessor(settings, self._least, min_likelihood)

    def __reduce__(self) -> tuple[type["GazetteerDetector"], tuple[InspectSettings, Likelihood | None]]:
        return GazetteerDetector, (self._settings, self._override)

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """See ``detector.Detector``; tokens such as [PERSON_NAME_1] are never part of a finding."""
        found: list[list[Finding]] = [[] for _ in column.texts]
        if not self._least or not len(column):
            return found
        places = self._ruling.left(column, _search(column.texts, column.first_cell))
        for name, least in self._least.items():
            append_findings(found, places[name], least, name, self.name)
        for findings in found:
            if len(findings) > 1:
                findings.sort()
        return found


def _search(texts: Sequence[str], first_cell: Sequence[int]) -> dict[str, Candidates]:
    found: dict[str, list[Candidates]] = {name: [] for name in INFO_TYPES}
    for cells, bounds in _blocks(texts, first_cell):
        of_block = _searched(texts[cells.start : cells.stop], bounds)
        for name, candidates in of_block.items():
            found[name].append(replace(candidates, cells=candidates.cells + cells.start))
    return {name: united(several) for name, several in found.items()}


def _blocks(texts: Sequence[str], first_cell: Sequence[int]) -> Iterator[tuple[range, list[int]]]:
    """The cells of whole conversations, as many as are read at once, and where each conversation begins."""
    begin = 0
    size = 0
    for i in range(len(first_cell) - 1):
        size += sum(map(len, texts[first_cell[i] : first_cell[i + 1]]))
        if size >= _BLOCK or i == len(first_cell) - 2:
            cells = range(first_cell[begin], first_cell[i + 1])
            yield cells, [first - cells.start for first in first_cell[begin : i + 2]]
            begin, size = i + 1, 0


def _searched(texts: Sequence[str], first_cell: Sequence[int]) -> dict[str, Candidates]:
    reading = Reading([_without_tokens(t) if "[" in t else t for t in texts], first_cell, lexicon())
    if not len(reading):
        return {}
    evidence = Evidence(reading, lexicon())
    spans = joined([capitalised(evidence), in_columns(uncapitalised(evidence))])
    spans = joined([spans, repeated(evidence, spans)])
    found = Candidates(*reading.place(spans.starts, spans.ends), spans.likelihoods)
    return {name: found.filter(spans.info_types == index) for index, name in enumerate(INFO_TYPES)}


def _without_tokens(text: str) -> str:
    """The text with a wall of equal length where a token stands."""
    return TOKEN.sub(lambda token: "|" * len(token[0]), text)
