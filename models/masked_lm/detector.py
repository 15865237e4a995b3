"""MaskedLmDetector: words that a masked language model cannot guess from their conversation."""

from collections.abc import Mapping

import numpy as np

from tacenda.models.masked_lm.loading import load
from tacenda.models.token_classifier.detector import DETECTOR
from tacenda.models.token_classifier.finding_filter import FindingFilter
from tacenda.models.token_classifier.loading import checked
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.candidates import candidates
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.language.telling import main_languages, tell
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


class MaskedLmDetector:
    """Finds words less probable than a threshold; all have the infoType of the decision.

    As many rows go through the network as a conversation has tokens. Only the settings are pickled; each
    process loads the network once.

    Raises:
        UserError: the model cannot be loaded, or has changed since the run was planned.
    """

    name = DETECTOR

    def __init__(
        self, settings: InspectSettings, model: ModelSettings, min_likelihood: Likelihood | None = None
    ) -> None:
        self._arguments = settings, model, min_likelihood
        self._model = load(checked(model.path, model.fingerprint), model.threads)
        self._info_type = model.decision.info_type
        self._threshold = model.decision.threshold
        self._by_language: Mapping[str, float] = dict(model.decision.by_language)
        self._asked = FindingFilter(settings, [self._info_type], min_likelihood)

    def __reduce__(
        self,
    ) -> tuple[type["MaskedLmDetector"], tuple[InspectSettings, ModelSettings, Likelihood | None]]:
        return MaskedLmDetector, self._arguments

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """See ``detector.Detector``; tokens such as [PERSON_NAME_1] are never part of a finding."""
        if not self._asked.least:
            return [[] for _ in column.texts]
        found: list[list[Finding]] = []
        for block in column.blocks:
            rows: list[tuple[int, int, int, int]] = []
            for number, language in enumerate(main_languages(tell(block), block.first_cell)):
                words, scores = self._model.score(block.readable, number)
                threshold = self._by_language.get(language, self._threshold)
                least = np.log(threshold) if threshold else -np.inf
                for i in np.flatnonzero(scores < least).tolist():
                    rows.append((words[i].cell, words[i].start, words[i].end, int(Likelihood.LIKELY)))
            found.extend(self._asked.findings(block, {self._info_type: candidates(rows)}, self.name))
        return found
