"""TokenClassifierDetector: names and what else only context tells, found by a trained network.

The same text gives the same findings on machines of one kind, whatever the workers: one call scores one batch,
what shares a call of the network is settled by the batch's content alone (``packing``), and a work unit always
has the same batches (``pipelines.unit_job`` reads it by itself, whoever runs it). A processor of another kind
may round otherwise in the last digit.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from models.token_classifier.asked import Asked
from models.token_classifier.axis import Axis
from models.token_classifier.deciding import verdicts
from models.token_classifier.loading import loaded
from models.token_classifier.settings import ModelSettings
from models.token_classifier.spans import spans
from transforms.detecting.candidate import Candidates
from transforms.detecting.settings import InspectSettings
from transforms.schema.errors import RecordError
from transforms.schema.finding import Finding
from transforms.schema.half_characters import made_whole
from transforms.schema.likelihood import Likelihood
from transforms.schema.token import TOKEN

DETECTOR = "model"
_LOWEST = Likelihood.VERY_UNLIKELY

_CHUNK_CHARS = 1 << 20
"""About as much text is tokenised and scored at once: tokens and probabilities take many times the memory of
the text."""


class TokenClassifierDetector:
    """Asks a token classifier for the infoTypes of the settings that it knows.

    From which likelihood on and with which hotword and exclusion rules is taken from the settings;
    ``min_likelihood`` overrides every threshold (the second look wants all findings). Pickles as its settings;
    the network is loaded where it is used, once a process.
    """

    name = DETECTOR

    def __init__(
        self, settings: InspectSettings, model: ModelSettings, min_likelihood: Likelihood | None = None
    ) -> None:
        self._settings = settings
        self._model = model
        self._override = min_likelihood
        self._loaded = loaded(model)
        self.unseen_characters = 0
        known = model.decision.info_types(self._loaded.classes)
        self._asked = Asked(settings, known, min_likelihood)
        self._all = self._asked.at_any_likelihood()
        # A hotword may make likely what was not, so rules see all; no place is made of both kinds of words.
        self._apart = [min(least, Likelihood.POSSIBLE) for least in self._asked.least.values()]
        self._floors = [
            _LOWEST if name in self._asked.rules else apart
            for name, apart in zip(self._asked.least, self._apart, strict=True)
        ]

    def __reduce__(
        self,
    ) -> tuple[type["TokenClassifierDetector"], tuple[InspectSettings, ModelSettings, Likelihood | None]]:
        return TokenClassifierDetector, (self._settings, self._model, self._override)

    def find(self, texts: Sequence[str], first_cell: Sequence[int]) -> list[list[Finding]]:
        """See ``detector.Detector``; tokens such as [PERSON_NAME_1] are never part of a finding.

        Raises:
            RecordError: a word was not seen, or a token not scored.
        """
        return self._find(texts, first_cell, self._asked, self._floors)

    def find_twice(
        self, texts: Sequence[str], first_cell: Sequence[int]
    ) -> tuple[list[list[Finding]], list[list[Finding]]]:
        """See ``detector.TwoLookDetector``: what ``find`` finds, and what only the lowest likelihood shows.

        The network is asked once for both, and the second look has the context that replacement takes away.
        """
        everything = self._find(texts, first_cell, self._all, [_LOWEST] * len(self._floors))
        least = self._asked.least
        found = [[f for f in cell if f.likelihood >= least[f.info_type]] for cell in everything]
        unsure = [[f for f in cell if f.likelihood < least[f.info_type]] for cell in everything]
        return found, unsure

    def _find(
        self, texts: Sequence[str], first_cell: Sequence[int], asked: Asked, floors: Sequence[Likelihood]
    ) -> list[list[Finding]]:
        if not asked.least:
            return [[] for _ in texts]
        found: list[list[Finding]] = []
        for begin, end in _chunks(texts, first_cell):
            first, last = first_cell[begin], first_cell[end]
            cells, own = texts[first:last], [cell - first for cell in first_cell[begin : end + 1]]
            found.extend(asked.findings(cells, own, self._places(cells, own, floors), self.name))
        return found

    def _places(
        self, texts: Sequence[str], first_cell: Sequence[int], floors: Sequence[Likelihood]
    ) -> dict[str, Candidates]:
        readable = [_readable(text) for text in texts]
        axis = Axis(readable)
        scored = self._loaded.scorer.score(readable, first_cell)
        unseen, unread_words = axis.unseen(scored.encoded)
        if unread_words:
            raise RecordError("WordsUnseen")
        self.unseen_characters += unseen
        asked = list(self._asked.least)
        on = verdicts(scored.probabilities, self._loaded.classes, self._model.decision, asked)
        return spans(axis, scored.encoded, on, asked, floors, self._apart, self._floors)


def _chunks(texts: Sequence[str], first_cell: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ranges of conversations of about ``_CHUNK_CHARS`` each, at least one."""
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    before = np.concatenate(([0], np.cumsum(sizes)))[np.asarray(first_cell, np.int64)]
    begin = 0
    while begin < len(first_cell) - 1:
        full = int(np.searchsorted(before, before[begin] + _CHUNK_CHARS, side="right")) - 1
        end = min(max(begin + 1, full), len(first_cell) - 1)
        yield begin, end
        begin = end


def _readable(text: str) -> str:
    """The text as the network gets it, code point for code point.

    A replacement token is one sign and blanks: a wall that no finding crosses, and cheap. Half a surrogate pair
    has no meaning and no tokenizer takes it.
    """
    if "[" in text:
        text = TOKEN.sub(lambda token: "|" + " " * (len(token[0]) - 1), text)
    return made_whole(text)
