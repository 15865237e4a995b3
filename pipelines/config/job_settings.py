"""Settings of a run: everything that a worker needs, frozen and picklable, without open resources."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import pyarrow as pa

from tacenda.pipelines.config.detectors import DetectorSettings
from tacenda.pipelines.config.sections import RiskSettings
from tacenda.transforms.language.coverage import LanguageSettings
from tacenda.transforms.linking.linked import LinkingSettings
from tacenda.transforms.releasing.manifest import RunIdentity
from tacenda.transforms.replacing.settings import ReplacementSettings
from tacenda.transforms.shapes.labels import LabelRules
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.lease import Lease
from tacenda.transforms.storage.locating import FileInfo
from tacenda.transforms.writing.columns import CorpusFormat, LinesFormat
from tacenda.transforms.writing.splitting import Split

Command = Literal["anonymize", "inspect", "score"]


@dataclass(frozen=True, slots=True, eq=False)
class ChainSettings:
    """Everything that a chain depends on: frozen and picklable, without open resources.

    Equality is that of the fingerprints, which cover everything that affects findings, tokens and scores.
    Conversations that score ``drop_over`` or more are dropped. ``swap_rate`` is the share of
    conversations in which names are swapped (``auditing.swapping``). ``spans`` are URLs of spans files.
    """

    command: Command
    detecting: DetectorSettings
    risk: RiskSettings
    fingerprint: str
    spans: tuple[str, ...] = ()
    all_reviewed: bool = False
    drop_over: int | None = None
    swap_rate: float = 0.0
    languages: LanguageSettings | None = None
    replacement: ReplacementSettings = field(default_factory=ReplacementSettings)
    linking: LinkingSettings = field(default_factory=LinkingSettings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChainSettings) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def linking_key(self) -> bytes:
        """The key of digests of what is left: the secret of the run, empty without one."""
        return b"" if self.replacement.secret is None else self.replacement.secret.read()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JobSettings(ChainSettings):
    """One run of one command: its chain, and what the chain does not depend on.

    The identity of the run is its ``fingerprint``. Not part of it: ``date``, ``operator`` and ``reviewer`` (of
    conversations that name no reader) and ``context`` (answers on the context of use), all for manifest and
    report.

    Attributes:
        output: the output folder; ``corpus`` is that to which the run adds, None if it begins one.
        schema: that of Parquet corpus parts, None without Parquet input.
        input_state: the plan's; receipts for another state are not reused.
        input_urls: given by the user; ``input_files`` are the files found there when the run was planned, with
            their ``input_digests`` (``storage.locating.content_digests``).
        fields: which are written, opaque or dropped, for manifest and report.
        reviews_given: the number of conversations in spans files.
        lease: on the output folder, if the run holds one; a run that has lost it writes nothing more.
        corpus_format: None for that of the input: Parquet, and ``lines`` for records.
        to: the shape to convert to, None for that of the input, with the run's own ``roles``.
        split: how the corpus is split, None if it is not.
        rows_not_read: the number of input rows left out of the plan by a limit.
        standoff: the folder for this run's stand-off files; ``dictionary`` that for who is who in it.
    """

    output: str
    shape: Shape
    schema: pa.Schema | None
    read: ReadOptions
    identity: RunIdentity
    input_state: str
    languages: LanguageSettings = field(default_factory=lambda: LanguageSettings(frozenset()))
    input_urls: tuple[str, ...] = ()
    input_files: tuple[FileInfo, ...] = ()
    input_digests: tuple[str, ...] = ()
    labels: LabelRules = field(default_factory=LabelRules)
    fields: dict[str, Any] = field(default_factory=dict)
    not_looked_for: dict[str, list[Any]] = field(default_factory=dict)
    reviews_given: int = 0
    lease: Lease | None = None
    corpus_format: CorpusFormat | None = None
    lines: LinesFormat = "jsonl.gz"
    to: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    split: Split | None = None
    rows_not_read: int = 0
    standoff: str | None = None
    dictionary: str | None = None
    date: str | None = None
    operator: str | None = None
    context: dict[str, str] | None = None
    reviewer: str | None = None
    corpus: str | None = None

    def chain(self) -> ChainSettings:
        """The settings of this run's chain alone, which are smaller to send to workers."""
        return ChainSettings(**{one.name: getattr(self, one.name) for one in fields(ChainSettings)})
