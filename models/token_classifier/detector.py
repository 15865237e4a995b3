"""TokenClassifierDetector: a trained network that finds names and other data that only context reveals.

A conversation has the same findings in any batch, in any order and on any number of workers: a block contains
one conversation only (``blocks``), and its scores do not depend on the other rows of a call
(``batch_invariance``). Processors with other instruction sets may round the last digit differently.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.decoding import verdicts
from tacenda.models.token_classifier.finding_filter import FindingFilter
from tacenda.models.token_classifier.loading import loaded
from tacenda.models.token_classifier.scoring import HeldBack
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.token_classifier.spans import spans
from tacenda.models.token_classifier.token_columns import TokenColumns
from tacenda.transforms.detecting.candidates import Candidates
from tacenda.transforms.detecting.detector import CountedLook
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.scoring.sampling import Sample
from tacenda.transforms.text.column import TextColumn


def count_unseen(column: TextColumn, encoded: TokenColumns) -> tuple[int, int]:
    """Number of non-white-space code points outside all tokens, and of words without any token.

    The former are normal, since tokenizers drop control characters and accents; the latter are errors.
    """
    starts, ends = encoded.places(column.origins)
    steps = np.bincount(starts, minlength=len(column.text) + 1).astype(np.int64)
    steps -= np.bincount(ends, minlength=len(steps))
    seen = np.cumsum(steps[:-1]) > 0
    missed = ~(seen | column.characters.spaces)
    if not missed.any():
        return 0, 0
    before = np.zeros(len(seen) + 1, np.int64)
    np.cumsum(seen, out=before[1:])
    words = column.words
    unread = np.flatnonzero(before[words.ends] == before[words.starts])
    texts = (column.text[words.starts[i] : words.ends[i]] for i in unread.tolist())
    return int(missed.sum()), sum(any(map(str.isalnum, text)) for text in texts)


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
        self._settings = settings
        self._model = model
        self._override = min_likelihood
        self._loaded = loaded(model)
        known = model.decision.info_types(self._loaded.classes)
        self._asked = FindingFilter(settings, known, min_likelihood)
        self._all = self._asked.at_any_likelihood()
        # Hotwords may raise a likelihood, so infoTypes with rules need all candidates. Likely and unlikely
        # words are never joined into one finding.
        self._apart = [min(least, Likelihood.POSSIBLE) for least in self._asked.least.values()]
        self._floors = [
            _LOWEST if name in self._asked.rules else apart
            for name, apart in zip(self._asked.least, self._apart, strict=True)
        ]

    def __reduce__(
        self,
    ) -> tuple[type["TokenClassifierDetector"], tuple[InspectSettings, ModelSettings, Likelihood | None]]:
        return TokenClassifierDetector, (self._settings, self._model, self._override)

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """See ``detector.Detector``; tokens such as [PERSON_NAME_1] are never part of a finding.

        Raises:
            RecordError: the tokenizer dropped a word, or a token was not scored exactly once.
        """
        return self._find(column, self._asked, self._floors)[0]

    def find_twice(self, column: TextColumn) -> tuple[list[list[Finding]], list[list[Finding]]]:
        """See ``detector.TwoLookDetector``: the findings of ``find``, and those below the thresholds.

        The network runs once for both, so the second look has the context that replacement removes.
        """
        found, unsure, _ = self.find_counted(column, twice=True)
        return found, unsure

    def find_counted(self, column: TextColumn, twice: bool) -> CountedLook:
        """As ``find`` or, if ``twice``, ``find_twice``; the counts cover the findings of ``find``."""
        if not twice:
            found, looks = self._find(column, self._asked, self._floors)
            return CountedLook(found, [], _counts(looks))
        everything, looks = self._find(column, self._all, [_LOWEST] * len(self._floors))
        least = self._asked.least
        found = [[f for f in cell if f.likelihood >= least[f.info_type]] for cell in everything]
        unsure = [[f for f in cell if f.likelihood < least[f.info_type]] for cell in everything]
        return CountedLook(found, unsure, _counts(looks))

    def _find(
        self, column: TextColumn, asked: FindingFilter, floors: Sequence[Likelihood]
    ) -> tuple[list[list[Finding]], list["_Look"]]:
        if not asked.least:
            return [[] for _ in column.texts], []
        found: list[list[Finding]] = []
        looks: list[_Look] = []
        for block in column.blocks:
            look = self._look(block.led.readable, floors)
            if block.leads:
                look = look.behind(np.fromiter(map(len, block.leads), np.int64, len(block)))
            found.extend(asked.findings(block, look.candidates, self.name))
            looks.append(look)
        return found, looks

    def _look(self, column: TextColumn, floors: Sequence[Likelihood]) -> "_Look":
        scored = self._loaded.scorer.score(column)
        if count_unseen(column, scored.encoded)[1]:
            raise RecordError("WordsUnseen")
        asked = list(self._asked.least)
        on = verdicts(scored.probabilities, self._loaded.classes, self._model.decision, asked)
        places = _count_places(scored.held_back, on.likelihoods >= Likelihood.POSSIBLE)
        candidates = spans(column, scored.encoded, on, asked, floors, self._apart, self._floors)
        return _Look(candidates, places)


class _Look(NamedTuple):
    """Candidates of some conversations by infoType, with counts of the tokens that gates dropped."""

    candidates: dict[str, Candidates]
    places: dict[str, int]

    def behind(self, leads: npt.NDArray[np.int64]) -> "_Look":
        """The same without what was read before each cell, given its length."""

        def moved(some: Candidates) -> Candidates:
            starts, ends = some.starts - leads[some.cells], some.ends - leads[some.cells]
            shown = replace(some, starts=np.maximum(starts, 0), ends=ends)
            return shown.filter(ends > 0)

        return self._replace(candidates={name: moved(some) for name, some in self.candidates.items()})


def _counts(looks: Sequence["_Look"]) -> Counter[str]:
    """Counts for ``scoring.sampling``."""
    counts: Counter[str] = Counter()
    for look in looks:
        counts.update(look.places)
    return counts


def _count_places(held_back: HeldBack, found: npt.NDArray[np.bool_]) -> dict[str, int]:
    among = int(np.count_nonzero(found & held_back.sampled))
    every, sampled = (int(np.count_nonzero(which)) for which in held_back)
    return dict(Sample(len(found), every, sampled, among, int(np.count_nonzero(found)), among).counts())
