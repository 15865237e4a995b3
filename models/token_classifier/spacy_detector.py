"""SpacyDetector: a trained spaCy pipeline with its own tokenizer. Needs the extra ``[spacy]``."""

from collections.abc import Collection
from threading import Lock
from typing import Any

from tacenda.models.token_classifier.detector import DETECTOR
from tacenda.models.token_classifier.labels import known_labels
from tacenda.models.token_classifier.loading import checked, classes_of
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.candidates import candidates, outside_tokens
from tacenda.transforms.detecting.rule_sets import FindingFilter
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once_for
from tacenda.transforms.text.column import TextColumn

INSTALL = "pip install '.[spacy]'"

SURE = Likelihood.LIKELY
"""Likelihood of every finding: pipelines report entities without a score."""

_GRAMMAR = frozenset(
    ("parser", "beam_parser", "senter", "lemmatizer", "trainable_lemmatizer", "attribute_ruler")
)
_HEEDLESS = frozenset(
    ("tok2vec", "transformer", "curated_transformer", "tagger", "morphologizer", "ner", "beam_ner")
)
"""Factories of components that use no grammatical annotations; rulers and custom components may."""

_ONE_AT_A_TIME = Lock()
"""All threads share a pipeline, and running it changes its string store and ``max_length``."""


class SpacyDetector:
    """Reports a pipeline's entities as findings, turn by turn; equal texts are processed once.

    Only the settings are pickled; each process loads the pipeline once.
    """

    name = DETECTOR

    def __init__(
        self, settings: InspectSettings, model: ModelSettings, min_likelihood: Likelihood | None = None
    ) -> None:
        self._arguments = settings, model, min_likelihood
        package = checked(model.path, model.fingerprint)
        classes = classes_of(package, model.label_map)
        self._pipeline = load_pipeline(str(package.path))
        # Components may write labels that the pipeline does not declare.
        known = known_labels(model.label_map)
        self._meanings = {**known, **dict(zip(package.labels, classes, strict=True))}
        found = [name for name in self._meanings.values() if name is not None]
        self._asked = FindingFilter(settings, found, min_likelihood)

    def __reduce__(self) -> tuple[Any, ...]:
        return SpacyDetector, self._arguments

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """See ``detector.Detector``; tokens such as [PERSON_NAME_1] are never part of a finding.

        Raises:
            RecordError: an entity has an unknown label.
        """
        if not self._asked.least:
            return [[] for _ in column.texts]
        cells: dict[str, list[int]] = {}
        for cell, text in enumerate(column.texts):
            if text and not text.isspace():
                cells.setdefault(text, []).append(cell)
        rows: dict[str, list[tuple[int, int, int, int]]] = {name: [] for name in self._asked.least}
        for text, entities in zip(cells, self._entities(cells), strict=True):
            if any(label not in self._meanings for _, _, label in entities):
                raise RecordError("UnknownEntityLabel")
            meant = ((start, end, self._meanings[label]) for start, end, label in entities)
            known = (Finding(a, b, name, SURE, self.name) for a, b, name in meant if name in rows)
            for finding in outside_tokens(text, known):
                rows[finding.info_type] += [(c, finding.start, finding.end, SURE) for c in cells[text]]
        places = {name: candidates(several) for name, several in rows.items()}
        return self._asked.findings(column, places, self.name)

    def _entities(self, texts: Collection[str]) -> list[list[tuple[int, int, str]]]:
        """Start, end and label of the entities of each text."""
        with _ONE_AT_A_TIME:
            # spaCy rejects texts longer than max_length.
            self._pipeline.max_length = max(map(len, texts), default=0) + 1
            # It cannot encode half characters.
            whole = (t if t.isascii() else t.encode("utf-8", "replace").decode() for t in texts)
            documents = self._pipeline.pipe(whole)
            return [[(e.start_char, e.end_char, e.label_) for e in document.ents] for document in documents]


@built_once_for(4)
def load_pipeline(path: str) -> Any:
    """Load the pipeline in a folder, once a process, without unused grammatical components."""
    try:
        import spacy
    except ImportError:
        raise UserError(f"model {path}: needs spaCy; mend it with: {INSTALL}") from None
    try:
        pipeline = spacy.load(path)
        factories = {name: pipeline.get_pipe_meta(name).factory for name in pipeline.pipe_names}
        if set(factories.values()) <= _GRAMMAR | _HEEDLESS:
            pipeline.disable_pipes(*(name for name, factory in factories.items() if factory in _GRAMMAR))
    except Exception as error:  # noqa: BLE001 - components may raise anything
        raise UserError(f"model {path}: spaCy cannot load it ({type(error).__name__})") from None
    return pipeline
