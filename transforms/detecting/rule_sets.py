"""Apply a user's rules to the findings of any detector, and to mentions that propagation found."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from tacenda.transforms.detecting.candidates import NONE, Candidates, append_findings, candidates, united
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.detecting.user_rules import HotwordIndex, RuledColumn, Rules
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


class RuleSetProcessor:
    """The configured rules for the infoTypes of a detector; most have none.

    Args:
        settings: the checked InspectConfig.
        least: the detector's infoTypes, each with its minimum likelihood.
        min_likelihood: replaces the config's thresholds, for the second look.
    """

    def __init__(
        self, settings: InspectSettings, least: Mapping[str, Likelihood], min_likelihood: Likelihood | None
    ) -> None:
        self.rules: Rules = {name: several for name, several in settings.rules(least).items() if several}
        named = settings.excluding(least)
        self._least = {**settings.thresholds(named), **least}
        self._engine = RulesDetector(_only(settings, named), min_likelihood) if named else None

    def left(self, column: TextColumn, found: Mapping[str, Candidates]) -> Mapping[str, Candidates]:
        """The remaining candidates of each infoType, with adjusted likelihoods.

        Exclusions by other infoTypes see the rules engine's findings of these, and those in ``found``.
        """
        if not self.rules:
            return found
        ruled = RuledColumn(column, HotwordIndex(column.utf8), self.rules, self._least)
        by_rules = self._engine.search(column).named if self._engine is not None else lambda _: NONE

        def others(name: str) -> Candidates:
            return united([by_rules(name), ruled.counted(name, found.get(name, NONE))])

        return {**found, **{name: ruled.left(name, found[name], others) for name in self.rules}}


def _only(settings: InspectSettings, names: set[str]) -> InspectSettings:
    """Settings restricted to these infoTypes, which the rules engine treats as it would with all."""
    return replace(
        settings,
        info_types=tuple(name for name in settings.info_types if name in names),
        custom=tuple(custom for custom in settings.custom if custom.info_type in names),
    )


class FindingFilter(RuleSetProcessor):
    """The infoTypes of the settings that a detector knows; ``least`` is the threshold of each.

    ``min_likelihood`` overrides every threshold (the second look wants all findings).
    """

    def __init__(
        self, settings: InspectSettings, known: Iterable[str], min_likelihood: Likelihood | None
    ) -> None:
        asked = [name for name in known if name in settings.info_types]
        self.least = settings.thresholds(asked, min_likelihood)
        super().__init__(settings, self.least, min_likelihood)

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
        places = self.left(column, places)
        for name, least in self.least.items():
            append_findings(found, places[name], least, name, detector, unsure)
        for findings in (*found, *(unsure or ())):
            findings.sort()
        return found


OfCells = Sequence[tuple[int, list[Finding]]]
"""Cells of a conversation, with the findings of each."""


class MentionRules:
    """The config's rules on findings, independent of the detector.

    Args:
        settings: the checked InspectConfig, with all infoTypes that any detector may find.
    """

    def __init__(self, settings: InspectSettings) -> None:
        self._settings = settings
        custom = (custom.info_type for custom in settings.custom)
        self._least = settings.thresholds(dict.fromkeys((*settings.info_types, *custom)))
        self._ruling = RuleSetProcessor(settings, self._least, None)
        self.asked: Collection[str] = frozenset(self._least)
        """The infoTypes that the config asks for, the user's own too."""

    def left(self, texts: Sequence[str], found: OfCells) -> OfCells:
        """The findings in the cells of one conversation that are likely enough and not rejected by a rule."""
        if self._ruling.rules:
            found = self._ruled(texts, found)
        least, default = self._least, self._settings.min_likelihood
        sure = (
            (cell, [one for one in several if one.likelihood >= least.get(one.info_type, default)])
            for cell, several in found
        )
        return [(cell, several) for cell, several in sure if several]

    def _ruled(self, texts: Sequence[str], found: OfCells) -> OfCells:
        rows: dict[str, list[tuple[int, int, int, int]]] = {}
        for cell, several in found:
            for start, end, info_type, likelihood, _ in several:
                rows.setdefault(info_type, []).append((cell, start, end, likelihood))
        column = TextColumn(texts, [0, len(texts)])
        asked = {name: candidates(rows[name]) if name in rows else NONE for name in (*self._least, *rows)}
        likelihoods: dict[tuple[str, int, int, int], Likelihood] = {}
        for name, left in self._ruling.left(column, asked).items():
            places = zip(left.cells.tolist(), left.starts.tolist(), left.ends.tolist(), strict=True)
            likely = map(Likelihood, left.likelihoods.tolist())
            likelihoods.update(zip(((name, *place) for place in places), likely, strict=True))
        return [
            (
                cell,
                [
                    one._replace(likelihood=likelihoods[place])
                    for one in several
                    if (place := (one.info_type, cell, one.start, one.end)) in likelihoods
                ],
            )
            for cell, several in found
        ]
