"""Settings of a run: everything that a worker needs, frozen and picklable, without open resources."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import pyarrow as pa

from tacenda.models.cloud_dlp.detector import CloudDlpSettings
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.language.coverage import LanguageSettings
from tacenda.transforms.linking.settings import LinkingSettings
from tacenda.transforms.releasing.manifest import RunIdentity
from tacenda.transforms.releasing.not_looked_for import NotLookedFor
from tacenda.transforms.releasing.verdict import DEFAULT_GATE, ReleaseOn
from tacenda.transforms.replacing.settings import ReplacementSettings
from tacenda.transforms.shapes.labels import LabelRules
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.layouts import TableForm
from tacenda.transforms.storage.lease import Lease
from tacenda.transforms.storage.locating import FileInfo
from tacenda.transforms.writing.columns import CorpusFormat, LinesFormat
from tacenda.transforms.writing.splitting import Split

Command = Literal["anonymize", "inspect", "score"]
HeldOutput = Literal["keep", "discard"]


@dataclass(frozen=True, slots=True)
class RiskSettings:
    """How residual findings are scored, and the criterion for a release."""

    preset: str = "appendix"
    overrides: dict[str, Any] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    variant_clustering: bool = False
    threshold: float = DEFAULT_GATE.threshold
    direct_identifiers_at_most: float = DEFAULT_GATE.direct_identifiers_at_most
    release_on: ReleaseOn = DEFAULT_GATE.release_on
    least_conversations: int = DEFAULT_GATE.least_conversations
    largest_quarantined_share: float = DEFAULT_GATE.largest_quarantined_share
    because: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ChainSettings:
    """Everything that a chain depends on: frozen and picklable, without open resources.

    Equality is that of the fingerprints, which cover everything that affects findings, tokens and scores.
    ``models_apart``: the models run in a stage of their own (``models.ptransforms``), and the chain gets
    their results.
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
    swap_rate: float = 0.0
    languages: LanguageSettings | None = None
    replacement: ReplacementSettings = field(default_factory=ReplacementSettings)
    linking: LinkingSettings = field(default_factory=LinkingSettings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChainSettings) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, bool]:
        return self.fingerprint, self.models_apart


@dataclass(frozen=True, slots=True)
class JobSettings:
    """One run of one command.

    ``schema`` is that of Parquet corpus parts; None without Parquet input. ``spans`` are URLs of spans files;
    ``reviews_given`` is the number of conversations in them. ``input_state`` is the plan's: it is not part of
    the run's identity, but receipts for another state are not reused. ``input_urls`` are the URLs given by the
    user, ``input_files`` the files found there when the run was planned. ``lease`` is the lease on the output
    folder, if the run holds one; a run that has lost it writes nothing more. ``fields`` says which fields are
    written, opaque or dropped, for manifest and report. ``release_anyway`` is the reason to release against the
    criterion, if given. Conversations
    that score ``drop_over`` or more are dropped. ``swap_rate`` is the share of conversations in which names are
    swapped (``auditing.swapping``). ``rows_not_read`` is the number of input rows left out of the
    plan by a limit. ``held_output`` says whether a held corpus is kept. ``standoff`` is the folder for this
    run's stand-off files, ``dictionary`` that for who is who in its conversations. ``date``, ``operator`` and
    ``reviewer`` (of conversations that name no reader) are given by the user for manifest and report;
    ``compared_with`` is what is told there of an earlier run, ``context`` has answers on the context of use.
    None of them is part of the run's identity.
    The corpus is written in ``corpus_format``, None for that of the input: Parquet, and ``lines`` for records;
    ``table`` is the form of CSV or TSV. ``record_schema`` is the schema of Parquet parts for input of records,
    if the corpus is Parquet. ``to`` is the shape to convert to, None for that of the input, with the run's own
    ``roles``. ``split`` says how it is split, None if it is not. ``corpus`` is the output folder to which the
    run adds, None if it begins one. ``input_digests`` are those of ``input_files``
    (``storage.content_digests``).
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
    corpus_format: CorpusFormat | None = None
    lines: LinesFormat = "jsonl.gz"
    table: TableForm | None = None
    record_schema: pa.Schema | None = None
    to: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    split: Split | None = None
    held_output: HeldOutput = "keep"
    drop_over: int | None = None
    swap_rate: float = 0.0
    replacement: ReplacementSettings = field(default_factory=ReplacementSettings)
    linking: LinkingSettings = field(default_factory=LinkingSettings)
    rows_not_read: int = 0
    standoff: str | None = None
    dictionary: str | None = None
    date: str | None = None
    operator: str | None = None
    compared_with: dict[str, Any] | None = None
    context: dict[str, str] | None = None
    reviewer: str | None = None
    corpus: str | None = None
    input_digests: tuple[str, ...] = ()

    def chain(self) -> ChainSettings:
        """The settings of this run's chain."""
        shared = {one.name for one in fields(ChainSettings)} & {one.name for one in fields(JobSettings)}
        return ChainSettings(
            fingerprint=self.identity.fingerprint, **{name: getattr(self, name) for name in shared}
        )
