"""Settings of a run: everything a worker needs, frozen, picklable and without a handle on anything."""

from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow as pa

from models.cloud_dlp import CloudDlpSettings
from models.token_classifier.settings import ModelSettings
from transforms.detecting.settings import InspectSettings
from transforms.releasing.manifest import RunIdentity
from transforms.shapes.options import ReadOptions
from transforms.shapes.shape import Shape
from transforms.storage.locating import FileInfo

Command = Literal["anonymize", "inspect", "score"]


@dataclass(frozen=True, slots=True)
class RiskSettings:
    """How residual findings become a number and the number a verdict."""

    preset: str = "appendix"
    overrides: dict[str, Any] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    variant_clustering: bool = False
    threshold: float = 5


@dataclass(frozen=True, slots=True)
class JobSettings:
    """One run of one command.

    ``schema`` is that of Parquet corpus parts; None where no input is Parquet. ``spans`` are URLs of spans
    files; ``reviews_given`` is how many conversations they speak of.
    ``input_state`` is the plan's: not part of what the run is, but receipts of other content are not its own.
    ``input_urls`` and ``input_files`` are what was named and what was found there when the run was planned.
    ``release_anyway`` is the reason to release against the criterion, if somebody gave one.
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
    spans: tuple[str, ...] = ()
    reviews_given: int = 0
    all_reviewed: bool = False
    release_anyway: str | None = None
