"""TokenClassifierDetector: a trained network that finds names and other data that only context reveals.

A conversation has the same findings in any batch, in any order and on any number of workers: a block contains
one conversation only (``blocks``), and its scores do not depend on the other rows of a call
(``batch_invariance``). Processors with other instruction sets may round the last digit differently.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.decoding import verdicts
from tacenda.models.token_classifier.encoding import TokenColumns
from tacenda.models.token_classifier.loading import loaded
from tacenda.models.token_classifier.scoring import Scored
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.token_classifier.spans import spans
from tacenda.transforms.detecting.candidates import Candidates
from tacenda.transforms.detecting.detector import CountedLook, Place
from tacenda.transforms.detecting.rule_sets import FindingFilter
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.scoring.detector_checks import Sample
from tacenda.transforms.text.column import TextColumn


def misses_words(column: TextColumn, encoded: TokenColumns) -> bool:
    """Whether a word of letters or digits is outside all tokens.

    Other code points may be: tokenizers drop control characters and accents.
    """
    starts, ends = encoded.places(column.origins)
    steps = np.bincount(starts, minlength=len(column.text) + 1).astype(np.int64)
    steps -= np.bincount(ends, minlength=len(steps))
    before = np.append(0, np.cumsum(np.cumsum(steps[:-1]) > 0))
    words = column.words
    unread = np.flatnonzero(before[words.ends] == before[words.starts])
    texts = (column.text[words.starts[i] : words.ends[i]] for i in unread.tolist())
    return any(any(map(str.isalnum, text)) for text in texts)


DETECTOR = "model"
_LOWEST = Likelihood.VERY_UNLIKELY


class TokenClassifierDetector:
    """Finds the infoTypes of the settings that a token classifier knows.

    Thresholds, hotword and exclusion rules come from the settings; ``min_likelihood`` overrides every
    threshold (the second look wants all findings). Only the settings are pickled; each process loads the
    network once.
    """

    name = DETECTOR

    def __init__(
        self, settings: InspectSettings, model: ModelSettings, min_likelihood: Likelihood | None = None
    ) -> None:
        self._arguments = settings, model, min_likelihood
        self._model = model
        self._loaded = loaded(model)
        known = model.decision.info_types(self._loaded.classes)
        self._asked = FindingFilter(settings, settings.asked(known), min_likelihood)
        self._doubted = min(dict(model.decision.doubts).values(), default=0.0)
        self._personal = [c for c, name in enumerate(self._loaded.classes) if name is not None]
        # Hotwords may raise a likelihood, so infoTypes with rules need all candidates. Likely and unlikely
        # words are never joined into one finding.
        self._apart = [min(least, Likelihood.POSSIBLE) for least in self._asked.least.values()]
        self._floors = [
            _LOWEST if name in self._asked.rules else apart
            for name, apart in zip(self._asked.least, self._apart, strict=True)
        ]

    def __reduce__(self) -> tuple[Any, ...]:
        return TokenClassifierDetector, self._arguments

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """See ``detector.Detector``; tokens such as [PERSON_NAME_1] are never part of a finding.

        Raises:
            RecordError: the tokenizer dropped a word, or a token was not scored exactly once.
        """
        return self.find_counted(column, twice=False).found

    def find_twice(self, column: TextColumn) -> tuple[list[list[Finding]], list[list[Finding]]]:
        """See ``detector.TwoLookDetector``: the findings of ``find``, and those below the thresholds.

        The network runs once for both, so the second look has the context that replacement removes.
        """
        look = self.find_counted(column, twice=True)
        return look.found, look.unsure

    def find_counted(self, column: TextColumn, twice: bool) -> CountedLook:
        """As ``find`` or, if ``twice``, ``find_twice``; the counts cover the findings of ``find``."""
        unsure: list[list[Finding]] = [[] for _ in column.texts] if twice else []
        if not self._asked.least:
            return CountedLook([[] for _ in column.texts], unsure, {})
        found: list[list[Finding]] = []
        counts: Counter[str] = Counter()
        plausible: list[list[Place]] = []
        floors = [_LOWEST] * len(self._floors) if twice else self._floors
        for block in column.blocks:
            read = block.led.readable
            places, scored, counted = self._look(read, floors)
            leads = np.array([len(lead) for lead in block.leads] or [0] * len(block), np.int64)
            if block.leads:
                places = {name: _behind(some, leads) for name, some in places.items()}
            unlikely = unsure[len(found) : len(found) + len(block)] if twice else None
            found.extend(self._asked.findings(block, places, self.name, unlikely))
            counts.update(counted)
            if self._doubted:
                plausible.extend(self._plausible(read, scored, leads))
        return CountedLook(found, unsure, counts, plausible)

    def _look(
        self, column: TextColumn, floors: Sequence[Likelihood]
    ) -> tuple[dict[str, Candidates], Scored, dict[str, int]]:
        """The candidates of a block by infoType, its scores, and counts of the tokens that gates dropped."""
        scored = self._loaded.scorer.score(column)
        if misses_words(column, scored.encoded):
            raise RecordError("WordsUnseen")
        asked = list(self._asked.least)
        on = verdicts(scored.probabilities, self._loaded.classes, self._model.decision, asked)
        candidates = spans(column, scored.encoded, on, asked, floors, self._apart, self._floors)
        held_back, above = scored.held_back, on.likelihoods >= Likelihood.POSSIBLE
        every, sampled, found, among = (
            int(np.count_nonzero(which)) for which in (*held_back, above, above & held_back.sampled)
        )
        return candidates, scored, dict(Sample(len(above), every, sampled, among, found, among).counts())

    def _plausible(
        self, column: TextColumn, scored: Scored, leads: npt.NDArray[np.int64]
    ) -> list[list[Place]]:
        """The places of each cell where personal data of any kind is not too improbable."""
        probabilities = scored.probabilities[:, self._personal].sum(axis=1)
        chosen = np.flatnonzero(probabilities >= self._doubted)
        starts, ends = (places[chosen] for places in scored.encoded.places(column.origins))
        cells = column.cells(starts)
        before = column.origins[cells] + leads[cells]
        plausible: list[list[Place]] = [[] for _ in leads]
        columns = cells, starts - before, ends - before, probabilities[chosen]
        for cell, start, end, probability in zip(*(one.tolist() for one in columns), strict=True):
            plausible[cell].append((start, end, probability))
        return plausible


def _behind(some: Candidates, leads: npt.NDArray[np.int64]) -> Candidates:
    """Candidates without what was read before each cell, given its length."""
    starts, ends = some.starts - leads[some.cells], some.ends - leads[some.cells]
    return replace(some, starts=np.maximum(starts, 0), ends=ends).filter(ends > 0)
