"""Apply a user's rules to the findings of any detector, and to mentions that propagation found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tacenda.transforms.detecting.candidates import NONE, Candidates, append_findings, candidates, united
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.detecting.user_rules import HotwordIndex, RuledColumn, Rules
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


class FindingFilter:
    """The rules and thresholds of the settings for a detector's infoTypes; most have no rules.

    Args:
        settings: the checked InspectConfig.
        asked: the infoTypes of the detector that the settings ask for.
        min_likelihood: replaces every threshold (the second look wants all findings).
    """

    def __init__(
        self, settings: InspectSettings, asked: Iterable[str], min_likelihood: Likelihood | None
    ) -> None:
        self.least = settings.thresholds(asked, min_likelihood)
        self.rules: Rules = {name: several for name, several in settings.rules(self.least).items() if several}
        named = settings.excluding(self.least)
        self._seen_by_rules = {**settings.thresholds(named), **self.least}
        self._engine = RulesDetector(_only(settings, named), min_likelihood) if named else None

    def findings(
        self,
        column: TextColumn,
        places: Mapping[str, Candidates],
        detector: str,
        unsure: Sequence[list[Finding]] | None = None,
    ) -> list[list[Finding]]:
        """Apply rules and thresholds to the candidates of each infoType; one sorted list of findings a cell.

        Those below the thresholds go to ``unsure``, sorted as well.
        """
        found: list[list[Finding]] = [[] for _ in column.texts]
        asked = {name: own for name, own in places.items() if name in self.least}
        for name, left in self._ruled(column, asked).items():
            append_findings(found, left, self.least[name], name, detector, unsure)
        for findings in (*found, *(unsure or ())):
            findings.sort()
        return found

    def _ruled(self, column: TextColumn, found: Mapping[str, Candidates]) -> Mapping[str, Candidates]:
        """The remaining candidates of each infoType, with adjusted likelihoods.

        Exclusions by other infoTypes see the rules engine's findings of these, and those in ``found``.
        """
        if not self.rules:
            return found
        ruled = RuledColumn(column, HotwordIndex(column.utf8), self.rules, self._seen_by_rules)
        by_rules = self._engine.search(column).named if self._engine is not None else lambda _: NONE

        def others(name: str) -> Candidates:
            return united([by_rules(name), ruled.counted(name, found.get(name, NONE))])

        return {name: ruled.left(name, own, others) for name, own in found.items()}


def _only(settings: InspectSettings, names: set[str]) -> InspectSettings:
    """Settings restricted to these infoTypes, which the rules engine treats as it would with all."""
    return replace(
        settings,
        info_types=tuple(name for name in settings.info_types if name in names),
        custom=tuple(custom for custom in settings.custom if custom.info_type in names),
    )


OfCells = Sequence[tuple[int, list[Finding]]]
"""Cells of a conversation, with the findings of each."""


class MentionRules(FindingFilter):
    """The config's rules on mentions, of all infoTypes that any detector may find."""

    def __init__(self, settings: InspectSettings) -> None:
        custom = (custom.info_type for custom in settings.custom)
        super().__init__(settings, dict.fromkeys((*settings.info_types, *custom)), None)
        self._default = settings.min_likelihood
        self.asked = frozenset(self.least)
        """The infoTypes that the config asks for, the user's own too."""

    def left(self, texts: Sequence[str], found: OfCells) -> OfCells:
        """The mentions in the cells of one conversation, disjoint, that are likely enough and not rejected."""
        rows: dict[str, list[tuple[int, int, int, int]]] = {}
        detectors: dict[tuple[int, int], str] = {}
        for cell, several in found:
            for start, end, info_type, likelihood, detector in several:
                rows.setdefault(info_type, []).append((cell, start, end, likelihood))
                detectors[cell, start] = detector
        for name in rows:
            self.least.setdefault(name, self._default)  # the label of a speaker may be of any infoType
        places = {name: candidates(own) for name, own in rows.items()}
        left = self.findings(TextColumn(texts, [0, len(texts)]), places, "")
        return [
            (cell, [one._replace(detector=detectors[cell, one.start]) for one in several])
            for cell, several in enumerate(left)
            if several
        ]
