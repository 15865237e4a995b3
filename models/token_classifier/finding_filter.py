"""FindingFilter: the infoTypes a run wants from a model, their thresholds, and the user's rules on them."""

from collections.abc import Mapping, Sequence
from copy import copy

from tacenda.transforms.detecting.candidates import Candidates, append_findings
from tacenda.transforms.detecting.rule_sets import RuleSetProcessor
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


class FindingFilter:
    """The infoTypes of the settings that a model knows; ``least`` is the threshold of each.

    ``min_likelihood`` overrides every threshold (the second look wants all findings); ``rules`` are those of
    each infoType that has any.
    """

    def __init__(
        self, settings: InspectSettings, known: Sequence[str], min_likelihood: Likelihood | None
    ) -> None:
        asked = [name for name in known if name in settings.info_types]
        self.least = settings.thresholds(asked, min_likelihood)
        self._ruling = RuleSetProcessor(settings, self.least, min_likelihood)
        self.rules = self._ruling.rules

    def at_any_likelihood(self) -> "FindingFilter":
        """The same filter without thresholds; exclusion rules keep theirs."""
        everything = copy(self)
        everything.least = dict.fromkeys(self.least, Likelihood.VERY_UNLIKELY)
        return everything

    def findings(
        self, column: TextColumn, places: Mapping[str, Candidates], detector: str
    ) -> list[list[Finding]]:
        """Apply rules and thresholds to the candidates of each infoType; one sorted list of findings a cell."""
        found: list[list[Finding]] = [[] for _ in column.texts]
        places = self._ruling.left(column, places)
        for name, least in self.least.items():
            append_findings(found, places[name], least, name, detector)
        for findings in found:
            if len(findings) > 1:
                findings.sort()
        return found
