"""Run a detector over a batch, isolating the conversations it fails on."""

from collections import Counter
from dataclasses import dataclass, field

from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.transforms.detecting.detector import (
    CountedLook,
    Detector,
    SamplingDetector,
    TwoLookDetector,
)
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.column import TextColumn


@dataclass(frozen=True, slots=True)
class DetectionRequest:
    """Cells of some conversations, as ``Detector.find`` takes them; ``key`` comes back with the result.

    ``twice`` asks a detector with two looks for what it keeps for the second, too.
    """

    key: str
    column: TextColumn
    twice: bool = False


@dataclass(frozen=True, slots=True)
class DetectionResult:
    """Findings of each cell; ``failed`` maps conversations that cannot be processed to an error class.

    ``unsure`` has, cell by cell, what a detector with two looks keeps for the second; empty where nobody asked.
    ``counts`` are those of a ``SamplingDetector``, of the conversations that did not fail.
    A failed conversation has no findings and must not get out. Nothing here is text.
    """

    key: str
    findings: list[list[Finding]]
    failed: dict[int, str] = field(default_factory=dict)
    unsure: list[list[Finding]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


class DetectedBefore:
    """Stands among the detectors of a chain for one that was run in a stage of its own, on other machines.

    ``number`` is its place among the results that come with each batch.
    """

    name = "detected before"

    def __init__(self, number: int) -> None:
        self.number = number

    def find(self, column: TextColumn) -> list[list[Finding]]:
        raise DetectorUnavailableError(self.name, "ResultMissing")

    def find_twice(self, column: TextColumn) -> tuple[list[list[Finding]], list[list[Finding]]]:
        raise DetectorUnavailableError(self.name, "ResultMissing")


def detect(detector: Detector, request: DetectionRequest) -> DetectionResult:
    """Ask a detector about a batch; where it fails, about each conversation by itself.

    Raises:
        DetectorUnavailableError: it cannot be asked at all; no conversation is at fault.
    """
    column = request.column
    try:
        look = _looked(detector, column, request.twice)
        return DetectionResult(request.key, look.found, unsure=look.unsure, counts=Counter(look.counts))
    except DetectorUnavailableError:
        raise
    except Exception:  # noqa: BLE001 - told apart below, one conversation at a time
        result = DetectionResult(request.key, [[] for _ in column.texts], unsure=[[] for _ in column.texts])
    for i in range(len(column.first_cell) - 1):
        own = slice(column.first_cell[i], column.first_cell[i + 1])
        try:
            look = _looked(detector, column.conversations(i, i + 1), request.twice)
        except DetectorUnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 - fail closed, and say the class only
            result.failed[i] = error_class(error)
            continue
        result.findings[own] = look.found
        result.counts.update(look.counts)
        if look.unsure:
            result.unsure[own] = look.unsure
    return result


def error_class(error: Exception) -> str:
    """What may be said of an error: a class, never its message."""
    return error.error if isinstance(error, RecordError) else type(error).__name__


def _looked(detector: Detector, column: TextColumn, twice: bool) -> CountedLook:
    """Both looks; a detector that answers for fewer or more cells is wrong about all."""
    if isinstance(detector, SamplingDetector):
        look = detector.find_counted(column, twice)
    elif twice and isinstance(detector, TwoLookDetector):
        found, unsure = detector.find_twice(column)
        look = CountedLook(list(found), list(unsure), {})
    else:
        look = CountedLook(list(detector.find(column)), [], {})
    if len(look.found) != len(column) or len(look.unsure) not in (0, len(column)):
        raise RecordError("DetectorMiscount")
    return look
