"""A masked language model as a detector without training: words that it cannot guess may be personal data.

After A. Myntti, "Zero-Shot Approach to Redacting PII in Medical Reports Using LLMs", Turku, 2025, and
Albanese, Ciolek and D'Ippolito, "Text Sanitization Beyond Specific Domains", arXiv 2311.10785.

A word and all its copies are masked; its tokens are then revealed from left to right, and the probabilities
of the true ones multiplied (Myntti 2025, section 5.3.3), here as a sum of logarithms. Copies stay masked. A
network call has rows of one conversation only, so a score does not depend on what else is in a batch.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.detector import DETECTOR
from tacenda.models.token_classifier.encoding import Int32s, TokenColumns, TurnEncoder, read_encoder
from tacenda.models.token_classifier.loading import checked
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.package import MODEL, TOKENIZER, Package
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.candidates import candidates
from tacenda.transforms.detecting.rule_sets import FindingFilter
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.language.identifying import main_languages, tell
from tacenda.transforms.linking.propagation.inflections import stems
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once_for
from tacenda.transforms.text.characters import plain_letters
from tacenda.transforms.text.column import TextColumn

SPECIALS = 2
"""The classifying and the separating token around a window."""


def window_of(first: int, last: int, tokens: int, places: int) -> range | None:
    """The first window of a document that holds the tokens ``first:last`` whole; None if none does.

    Windows have at most ``places`` places, special tokens included; each overlaps the one before by ``places //
    2 - 1`` tokens, so by half (Myntti 2025, section 5.3.1).

    >>> window_of(0, 9, 1200, 512), window_of(505, 515, 1200, 512), window_of(1199, 1200, 1200, 512)
    (range(0, 510), range(255, 765), range(765, 1200))
    """
    capacity = places - SPECIALS
    step = capacity - (places // 2 - 1)
    start = max(0, -(-(last - capacity) // step)) * step
    return range(start, min(tokens, start + capacity)) if start <= first else None


_WORD = re.compile(r"[^\W_]+")
"""Letters and digits: so a name within an e-mail address is a copy of the name."""


class Word(NamedTuple):
    """``start:end`` of a cell; ``first:last`` are its tokens in the document.

    ``group`` is equal for words that have a form in common.
    """

    cell: int
    start: int
    end: int
    first: int
    last: int
    group: int


class Document(NamedTuple):
    """The tokens of a conversation, with a separator after each cell, and its words."""

    ids: Int32s
    words: list[Word]


def document(texts: Sequence[str], encoded: TokenColumns, separator: int, language: str) -> Document:
    """Read the cells of one conversation in a language, which says how words are inflected.

    ``encoded`` has the tokens of exactly these cells; ``separator`` stands between two.
    """
    ids: list[int] = []
    found: list[tuple[int, int, int, int, int]] = []
    for cell, text in enumerate(texts):
        begin, end = int(encoded.first_token[cell]), int(encoded.first_token[cell + 1])
        starts, ends = encoded.starts[begin:end], encoded.ends[begin:end]
        for word in _WORD.finditer(text):
            first = int(np.searchsorted(ends, word.start(), side="right"))
            last = int(np.searchsorted(starts, word.end(), side="left"))
            found.append((cell, *word.span(), len(ids) + first, len(ids) + last))
        ids += [*encoded.ids[begin:end].tolist(), separator]
    groups = word_groups([texts[cell][start:end].lower() for cell, start, end, _, _ in found], language)
    words = [Word(*place, group) for place, group in zip(found, groups, strict=True)]
    return Document(np.asarray(ids, dtype=np.int32), words)


def word_groups(words: Sequence[str], language: str) -> list[int]:
    """Equal numbers for lower-case words that are equal or share a base form, directly or by others."""
    parent: dict[str, str] = {}

    def top(form: str) -> str:
        while parent.setdefault(form, form) != form:
            parent[form] = form = parent[parent[form]]
        return form

    for word in dict.fromkeys(words):
        for stem in stems(word, language):
            one, other = sorted((top(plain_letters(word)), top(stem)))
            parent[other] = one
    numbers: dict[str, int] = {}
    return [numbers.setdefault(top(plain_letters(word)), len(numbers)) for word in words]


Logits = Callable[[npt.NDArray[np.int64]], npt.NDArray[np.float32]]
"""Logits (rows, places, vocabulary) of rows of tokens, all of one length."""

UNSEEN = -np.inf
"""The score of a word that no window holds whole: longer than half a window."""


class Specials(NamedTuple):
    """Token numbers."""

    classifying: int
    separating: int
    mask: int


_Query = tuple[int, list[int], int]
"""Number of a word, the places of a row that are hidden, and the one that is asked for."""


def log_scores(
    of: Document, logits: Logits, specials: Specials, places: int, budget: int
) -> npt.NDArray[np.float64]:
    """The logarithm of the probability of each word.

    ``places`` are those of the longest window, ``budget`` those in one call of the network, which has at
    least one row.
    """
    scores = np.zeros(len(of.words))
    copies: dict[int, list[Word]] = {}
    for word in of.words:
        copies.setdefault(word.group, []).append(word)
    queries: dict[range, list[_Query]] = {}
    for number, word in enumerate(of.words):
        window = window_of(word.first, word.last, len(of.ids), places)
        if window is None:
            scores[number] = UNSEEN
            continue
        others = [
            place - window.start + 1
            for copy in copies[word.group]
            if copy is not word
            for place in range(max(copy.first, window.start), min(copy.last, window.stop))
        ]
        # One query for each token of the word; positions are those in a row, behind the classifying token.
        own = range(word.first - window.start + 1, word.last - window.start + 1)
        queries.setdefault(window, []).extend((number, [*others, *own[i:]], at) for i, at in enumerate(own))
    for window, asked in queries.items():
        ids = of.ids[window.start : window.stop]
        row = np.concatenate(([specials.classifying], ids, [specials.separating])).astype(np.int64)
        at_once = max(1, budget // len(row))
        for begin in range(0, len(asked), at_once):
            some = asked[begin : begin + at_once]
            rows = np.repeat(row[None], len(some), axis=0)
            for i, (_, hidden, _) in enumerate(some):
                rows[i, hidden] = specials.mask
            at = np.array([place for _, _, place in some])
            found = logits(rows)[np.arange(len(some)), at].astype(np.float64)
            top = found.max(axis=1)
            sums = top + np.log(np.exp(found - top[:, None]).sum(axis=1))
            np.add.at(scores, [number for number, _, _ in some], found[np.arange(len(some)), row[at]] - sums)
    return scores


_MASKS = ("[MASK]", "<mask>")
_BUDGET = 1024
"""Places in one call: a row of logits has the whole vocabulary at each."""


class MaskedLm(NamedTuple):
    """A loaded model; a window has at most ``places`` places."""

    session: OnnxSession
    encoder: TurnEncoder
    specials: Specials
    places: int

    def score(
        self, column: TextColumn, number: int, language: str
    ) -> tuple[list[Word], npt.NDArray[np.float64]]:
        """The words of a conversation of a column, in its cells, and the logarithms of their probabilities."""
        first = column.first_cell[number]
        own = TextColumn(column.texts[first : column.first_cell[number + 1]])
        read = document(own.texts, self.encoder.encode(own), self.specials.separating, language)
        scores = log_scores(read, self._logits, self.specials, self.places, _BUDGET)
        return [word._replace(cell=word.cell + first) for word in read.words], scores

    def guesses(self, ids: Sequence[int], place: int) -> list[int]:
        """All tokens, the most probable first, for a masked place of a document, read in a window around it."""
        capacity = self.places - SPECIALS
        start = max(0, min(place - capacity // 2, len(ids) - capacity))
        window = ids[start : start + capacity]
        row = np.array([[self.specials.classifying, *window, self.specials.separating]], np.int64)
        after: list[int] = np.argsort(-self._logits(row)[0, place - start + 1], kind="stable").tolist()
        return after

    def _logits(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        return self.session.scores(ids, np.ones_like(ids), np.zeros_like(ids))


@built_once_for(4)
def load(package: Package, threads: int) -> MaskedLm:
    """Load the model of a package; raises ``UserError`` if it has no mask or cannot be loaded."""
    encoder = read_encoder(package.path / TOKENIZER)
    try:
        mask = encoder.special(*_MASKS)
    except ValueError:
        raise UserError(f"model {package.path}: {TOKENIZER} has no token {' or '.join(_MASKS)}") from None
    specials = Specials(encoder.classifying, encoder.separating, mask)
    session = OnnxSession(package.path / MODEL, package.vocabulary, threads)
    return MaskedLm(session, encoder, specials, package.max_places)


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
        self._asked = FindingFilter(settings, settings.asked([self._info_type]), min_likelihood)

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
                words, scores = self._model.score(block.readable, number, language)
                threshold = self._by_language.get(language, self._threshold)
                least = np.log(threshold) if threshold else -np.inf
                for i in np.flatnonzero(scores < least).tolist():
                    rows.append((words[i].cell, words[i].start, words[i].end, int(Likelihood.LIKELY)))
            found.extend(self._asked.findings(block, {self._info_type: candidates(rows)}, self.name))
        return found
