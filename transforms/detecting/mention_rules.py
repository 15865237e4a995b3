"""Apply the user's thresholds and rules to mentions found by propagation, not by a detector."""

from collections.abc import Collection, Sequence

from tacenda.transforms.detecting.candidates import NONE, candidates
from tacenda.transforms.detecting.rule_sets import RuleSetProcessor
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

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

    @property
    def asked(self) -> Collection[str]:
        """The infoTypes that the config asks for, the user's own too."""
        return frozenset(self._least)

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
