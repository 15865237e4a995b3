"""GazetteerDetector: names of people, places and organisations from shipped lists and what stands around."""

from collections.abc import Sequence

from transforms.detecting.gazetteers.capitalised import capitalised
from transforms.detecting.gazetteers.evidence import Evidence
from transforms.detecting.gazetteers.lexicon import lexicon
from transforms.detecting.gazetteers.reading import Reading
from transforms.detecting.gazetteers.span import ORGANIZATION, PERSON, PLACE
from transforms.detecting.gazetteers.uncapitalised import uncapitalised
from transforms.detecting.settings import InspectSettings
from transforms.schema.finding import Finding
from transforms.schema.likelihood import Likelihood

_FOUND = (PERSON, PLACE, ORGANIZATION)


class GazetteerDetector:
    """Finds PERSON_NAME, LOCATION and ORGANIZATION_NAME; deterministic, offline, linear in the text."""

    name = "gazetteer"

    def __init__(self, settings: InspectSettings, min_likelihood: Likelihood | None = None) -> None:
        self._settings = settings
        self._override = min_likelihood
        by_type = dict(settings.min_likelihood_by_info_type)
        self._least = {
            name: by_type.get(name, settings.min_likelihood) if min_likelihood is None else min_likelihood
            for name in _FOUND
            if name in settings.info_types
        }

    def __reduce__(self) -> tuple[type["GazetteerDetector"], tuple[InspectSettings, Likelihood | None]]:
        return GazetteerDetector, (self._settings, self._override)

    def find(self, texts: Sequence[str], first_cell: Sequence[int]) -> list[list[Finding]]:
        """See ``detector.Detector``."""
        found: list[list[Finding]] = [[] for _ in texts]
        if not self._least or not texts:
            return found
        reading = Reading(texts, first_cell, lexicon())
        if not reading.words:
            return found
        evidence = Evidence(reading, lexicon())
        for span in (*capitalised(evidence), *uncapitalised(evidence)):
            if span.likelihood >= self._least.get(span.info_type, Likelihood.VERY_LIKELY + 1):
                cell, start, end = reading.place(span.start, span.end)
                found[cell].append(Finding(start, end, span.info_type, span.likelihood, self.name))
        for findings in found:
            findings.sort()
        return found
