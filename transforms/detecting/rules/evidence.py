"""Evidence of a rules finding: the matching patterns and word lists, and the hotwords nearby."""

from collections.abc import Iterator

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


def evidence(column: TextColumn, cell: int, finding: Finding, settings: InspectSettings) -> Iterator[str]:
    """What in the rules found a finding in a cell, in words; the column is one conversation."""
    name = finding.info_type
    hotwords = [rule for rule in settings.rules([name])[name] if isinstance(rule, Hotword)]
    if name in settings.info_types:
        patterns = catalogue()[name].patterns
        hotwords += catalogue()[name].hotwords
        buffer = column.utf8.select(np.asarray([cell]))
        for number, pattern in enumerate(patterns, 1):
            if _touching(pattern_candidates(column.utf8, buffer, pattern), cell, finding):
                yield f"pattern {number} of {len(patterns)}, {pattern.likelihood.name}"
    search = RulesDetector(settings).search(column)
    for custom in settings.custom:
        if custom.info_type != name or custom.excluding:
            continue
        hotwords += custom.hotwords
        touching = _touching(search.places(custom), cell, finding)
        what = "pattern of the config"
        if isinstance(custom.source, WordDictionary):
            url = custom.source.url
            said = dict.fromkeys(column.texts[cell][start:end] for start, end in touching)
            where = "a word list of the config" if url is None else redact_url(url).rsplit("/", 1)[-1]
            what = f"{', '.join(map(repr, said))} in {where}"
        if touching:
            yield f"{what}, {custom.likelihood.name}"
    everything, origins = column.utf8.everything, column.utf8.origins
    near: dict[str, None] = {}
    for hotword in hotwords:
        low = origins[cell] + finding.start - hotword.window_before
        high = origins[cell] + finding.end + hotword.window_after
        for where, start, end in zip(*everything.locate(*scan(everything, hotword.regex)), strict=True):
            if low <= origins[where] + start and origins[where] + end <= high:
                near[column.texts[where][start:end]] = None
    yield from (f'hotword "{word}"' for word in near)


def _touching(found: Candidates, cell: int, finding: Finding) -> list[tuple[int, int]]:
    """Start and end of the candidates that overlap a finding."""
    places = zip(found.cells.tolist(), found.starts.tolist(), found.ends.tolist(), strict=True)
    return [(a, b) for where, a, b in places if where == cell and a < finding.end and b > finding.start]
