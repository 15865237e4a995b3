"""What a run's settings ask of a model: which infoTypes, from which likelihood on, under which rules."""

from collections.abc import Mapping, Sequence

from transforms.detecting.candidate import Candidates
from transforms.detecting.column import Column
from transforms.detecting.gazetteers.ruling import Rules, ruled
from transforms.detecting.noting import note
from transforms.detecting.settings import InspectSettings
from transforms.schema.finding import Finding
from transforms.schema.likelihood import Likelihood


class Asked:
    """The infoTypes of the settings that a model knows; ``least`` is the threshold of each.

    ``min_likelihood`` overrides every threshold (the second look wants all findings).
    """

    def __init__(
        self, settings: InspectSettings, known: Sequence[str], min_likelihood: Likelihood | None
    ) -> None:
        by_type = dict(settings.min_likelihood_by_info_type)
        self.least: dict[str, Likelihood] = {
            name: by_type.get(name, settings.min_likelihood) if min_likelihood is None else min_likelihood
            for name in dict.fromkeys(known)
            if name in settings.info_types
        }
        rules = {n: [r for s in settings.rule_sets if n in s.info_types for r in s.rules] for n in self.least}
        self.rules: Rules = {name: several for name, several in rules.items() if several}

    def findings(
        self,
        texts: Sequence[str],
        first_cell: Sequence[int],
        places: Mapping[str, Candidates],
        detector: str,
    ) -> list[list[Finding]]:
        """Of the places of each infoType what rules and thresholds leave, one list a cell, sorted."""
        found: list[list[Finding]] = [[] for _ in texts]
        if self.rules:
            places = ruled(Column(texts, first_cell), places, self.rules)
        for name, least in self.least.items():
            note(found, places[name], least, name, detector)
        for findings in found:
            if len(findings) > 1:
                findings.sort()
        return found
