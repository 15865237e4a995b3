"""Settings of a run: everything a worker needs, frozen, picklable and without a handle on anything."""

from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa

from tacenda.models.cloud_dlp.detector import CloudDlpSettings
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.language.coverage import LanguageSettings
from tacenda.transforms.releasing.manifest import RunIdentity
from tacenda.transforms.releasing.not_looked_for import NotLookedFor
from tacenda.transforms.releasing.verdict import DEFAULT_GATE, CriterionName, Gate, ReleaseOn
from tacenda.transforms.replacing.settings import ReplacementSettings
from tacenda.transforms.shapes.labels import LabelRules
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.lease import Lease
from tacenda.transforms.storage.locating import FileInfo
from tacenda.transforms.writing.staging import CorpusCompression

Command = Literal["anonymize", "inspect", "score"]
HeldOutput = Literal["keep", "discard"]


@dataclass(frozen=True, slots=True)
class RiskSettings:
    """How residual findings become a number and the number a verdict."""

    preset: str = "appendix"
    overrides: dict[str, Any] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    variant_clustering: bool = False
    threshold: float = DEFAULT_GATE.threshold
    criterion: CriterionName = DEFAULT_GATE.criterion
    release_on: ReleaseOn = DEFAULT_GATE.release_on
    least_conversations: int = DEFAULT_GATE.least_conversations
    largest_quarantined_share: float = DEFAULT_GATE.largest_quarantined_share
    because: str | None = None

    def gate(self, release_anyway: str | None = None) -> Gate:
        """What a corpus has to meet."""
        return Gate(
            self.threshold,
            self.criterion,
            self.release_on,
            self.least_conversations,
            self.largest_quarantined_share,
            self.because,
            release_anyway,
        )


@dataclass(frozen=True, slots=True, eq=False)
class ChainSettings:
    """Everything that a chain depends on: frozen, picklable, without a handle on anything.

    Two of them are equal if their fingerprints are, which say everything that the findings, tokens and scores
    of a chain depend on. ``models_apart``: the models run in a stage of their own (``models.ptransforms``),
    and the chain is given their results.
    """

    command: Command
    detectors: tuple[str, ...]
    inspect: InspectSettings
    risk: RiskSettings
    fingerprint: str
    cloud_dlp: CloudDlpSettings | None = None
    models: tuple[ModelSettings, ...] = ()
    spans: tuple[str, ...] = ()
    all_reviewed: bool = False
    models_apart: bool = False
    drop_over: int | None = None
    languages: LanguageSettings | None = None
    replacement: ReplacementSettings = field(default_factory=ReplacementSettings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChainSettings) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, bool]:
        return self.fingerprint, self.models_apart


@dataclass(frozen=True, slots=True)
class JobSettings:
    """One run of one command.

    ``schema`` is that of Parquet corpus parts; None where no input is Parquet. ``spans`` are URLs of spans
    files; ``reviews_given`` is how many conversations they speak of.
    ``input_state`` is the plan's: not part of what the run is, but receipts of other content are not its own.
    ``input_urls`` and ``input_files`` are what was named and what was found there when the run was planned.
    ``lease`` is that on the output folder, where the run holds one: who lost it writes nothing more.
    ``fields`` says which fields are written, opaque or dropped, for manifest and report.
    ``release_anyway`` is the reason to release against the criterion, if somebody gave one.
    ``corpus_compression`` is that of JSON lines; Parquet is always zstd inside. Conversations that score
    ``drop_over`` or more are dropped. ``rows_not_read`` are those of the input that a limit leaves out of the
    plan. ``held_output`` says whether what is held is kept. ``standoff`` is the folder of this run for what was
    replaced where.
    ``date``, ``operator`` and ``reviewer`` are what somebody said of the day of the run, of who ran it, and of
    who read what names no reader: they stand in manifest and report, and are no part of what the run is.
    """

    command: Command
    output: str
    shape: Shape
    schema: pa.Schema | None
    read: ReadOptions
    inspect: InspectSettings
    risk: RiskSettings
    identity: RunIdentity
    input_state: str
    input_urls: tuple[str, ...] = ()
    input_files: tuple[FileInfo, ...] = ()
    detectors: tuple[str, ...] = ("rules", "gazetteer")
    cloud_dlp: CloudDlpSettings | None = None
    models: tuple[ModelSettings, ...] = ()
    languages: LanguageSettings = field(default_factory=lambda: LanguageSettings(frozenset()))
    labels: LabelRules = field(default_factory=LabelRules)
    fields: dict[str, Any] = field(default_factory=dict)
    not_looked_for: NotLookedFor = field(default_factory=NotLookedFor)
    spans: tuple[str, ...] = ()
    reviews_given: int = 0
    all_reviewed: bool = False
    release_anyway: str | None = None
    lease: Lease | None = None
    corpus_compression: CorpusCompression = "gzip"
    held_output: HeldOutput = "keep"
    drop_over: int | None = None
    replacement: ReplacementSettings = field(default_factory=ReplacementSettings)
    rows_not_read: int = 0
    standoff: str | None = None
    date: str | None = None
    operator: str | None = None
    reviewer: str | None = None

    def chain(self) -> ChainSettings:
        """What the chain of this run is built of."""
        return ChainSettings(
            self.command,
            self.detectors,
            self.inspect,
            self.risk,
            self.identity.fingerprint,
            self.cloud_dlp,
            self.models,
            self.spans,
            self.all_reviewed,
            languages=self.languages,
            drop_over=self.drop_over,
            replacement=self.replacement,
        )
