"""Evidence of a rules finding: the matching patterns and word lists, and the hotwords nearby."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tacenda.transforms.detecting.candidates import Candidates
from tacenda.transforms.detecting.patterns.scanning import scan
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.rules.pattern_matching import pattern_candidates
from tacenda.transforms.detecting.settings import Hotword, InspectSettings, WordDictionary
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.text.column import TextColumn


class Evidence(NamedTuple):
    """``matches`` are the matching patterns and lists; ``hotwords`` are those nearby, as in the text."""

    matches: tuple[str, ...]
    hotwords: tuple[str, ...]


def evidence(column: TextColumn, cell: int, finding: Finding, settings: InspectSettings) -> Evidence:
    """Examine one position of a column again; the column is one conversation.

    Args:
        column: its cells.
        cell: the cell with the finding.
        finding: a finding of the rules.
        settings: the settings of the rules.
    """
    name = finding.info_type
    info_type = catalogue().get(name) if name in settings.info_types else None
    customs = [one for one in settings.custom if one.info_type == name and not one.excluding]
    matches: list[str] = []
    hotwords: list[Hotword] = [rule for rule in settings.rules([name])[name] if isinstance(rule, Hotword)]
    buffer = column.utf8.select(np.asarray([cell]))
    search = RulesDetector(settings).search(column)
    if info_type is not None:
        hotwords += info_type.hotwords
        for number, pattern in enumerate(info_type.patterns, 1):
            found = pattern_candidates(column.utf8, buffer, pattern)
            if _touching(found, cell, finding):
                matches.append(f"pattern {number} of {len(info_type.patterns)}, {pattern.likelihood.name}")
    for custom in customs:
        hotwords += custom.hotwords
        if not (touching := _touching(search.places(custom), cell, finding)):
            continue
        what = "pattern of the config"
        if isinstance(custom.source, WordDictionary):
            url = custom.source.url
            said = dict.fromkeys(column.texts[cell][start:end] for start, end in touching)
            where = "a word list of the config" if url is None else redact_url(url).rsplit("/", 1)[-1]
            what = f"{', '.join(map(repr, said))} in {where}"
        matches.append(f"{what}, {custom.likelihood.name}")
    return Evidence(tuple(matches), tuple(dict.fromkeys(_hotwords_near(column, cell, finding, hotwords))))


def _touching(found: Candidates, cell: int, finding: Finding) -> list[tuple[int, int]]:
    """Start and end of the candidates that overlap a finding."""
    places = zip(found.cells.tolist(), found.starts.tolist(), found.ends.tolist(), strict=True)
    return [(a, b) for where, a, b in places if where == cell and a < finding.end and b > finding.start]


def _hotwords_near(
    column: TextColumn, cell: int, finding: Finding, hotwords: Sequence[Hotword]
) -> Iterator[str]:
    buffer, origins = column.utf8.everything, column.utf8.origins
    for hotword in dict.fromkeys(hotwords):
        low = origins[cell] + finding.start - hotword.window_before
        high = origins[cell] + finding.end + hotword.window_after
        for where, start, end in zip(*buffer.locate(*scan(buffer, hotword.regex)), strict=True):
            if low <= origins[where] + start and origins[where] + end <= high:
                yield column.texts[where][start:end]
