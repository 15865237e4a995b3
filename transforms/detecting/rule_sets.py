"""Apply a user's rules to the findings of any detector: hotwords adjust likelihoods, exclusions reject."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tacenda.transforms.detecting.candidates import NONE, Candidates, united
from tacenda.transforms.detecting.exclusions import Others, without_excluded
from tacenda.transforms.detecting.hotwords import HotwordIndex, adjusted
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import Exclusion, Hotword, InspectSettings
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

Rules = Mapping[str, Sequence[Hotword | Exclusion]]
"""The rules of each infoType, in order."""


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
        spots = HotwordIndex(column.utf8)
        others = self._others(column, spots, found)
        left = dict(found)
        for name, several in self.rules.items():
            for rule in several:
                if not len(left[name]):
                    break
                if isinstance(rule, Hotword):
                    left[name] = adjusted(left[name], rule, spots)
                else:
                    left[name] = without_excluded(
                        column, spots, left[name], rule, others, name, self._least[name]
                    )
        return left

    def _others(self, column: TextColumn, spots: HotwordIndex, found: Mapping[str, Candidates]) -> Others:
        by_rules = self._engine.named(column) if self._engine is not None else lambda _: NONE

        def named(name: str) -> Candidates:
            own = found.get(name, NONE)
            for rule in self.rules.get(name, ()):
                if isinstance(rule, Hotword):
                    own = adjusted(own, rule, spots)
            sure = own.filter(own.likelihoods >= self._least[name])
            return united([by_rules(name), sure])

        return named


def _only(settings: InspectSettings, names: set[str]) -> InspectSettings:
    """Settings restricted to these infoTypes, which the rules engine treats as it would with all."""
    return replace(
        settings,
        info_types=tuple(name for name in settings.info_types if name in names),
        custom=tuple(custom for custom in settings.custom if custom.info_type in names),
    )
