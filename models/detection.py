"""Run a detector over a batch, isolating the conversations it fails on."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.transforms.detecting.detector import CountedLook, Detector, Place
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.column import Piece, TextColumn, pieces


@dataclass(frozen=True, slots=True)
class DetectionResult:
    """Findings by cell; contains no text.

    ``failed`` maps the indexes of conversations that could not be processed to an error class; they have no
    findings and must not be published. ``unsure`` has, by cell, what a two-look detector keeps for the second
    look. ``counts`` and ``plausible`` are those of a ``CountedLook``, over the conversations that did not fail.
    Do not modify the lists of findings: cells may share one.
    """

    findings: list[list[Finding]]
    failed: dict[int, str] = field(default_factory=dict)
    unsure: list[list[Finding]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    plausible: list[Sequence[Place]] = field(default_factory=list)


def detect_all(
    detectors: Sequence[Detector], column: TextColumn, twice: bool = False
) -> list[DetectionResult]:
    """Run detectors over a batch; when one fails, rerun it conversation by conversation.

    ``twice`` also asks two-look detectors for the findings that they keep for the second look. The batch is
    processed in pieces (``transforms.text.column``), so that intermediate forms of the text are in memory for
    one piece at a time. Turns that are context of two pieces are sampled, and counted, in both.

    Raises:
        DetectorUnavailableError: a detector cannot run at all; no conversation is at fault.
    """
    results = [DetectionResult([]) for _ in detectors]
    for piece in pieces(column):
        for detector, result in zip(detectors, results, strict=True):
            _add(result, _detect(detector, piece.column, twice), piece)
    for result in results:
        if result.plausible:
            _pad(result.plausible, len(column))
        for i in result.failed:  # perhaps in one piece of several
            begin, end = column.first_cell[i], column.first_cell[i + 1]
            result.findings[begin:end] = [[]] * (end - begin)
            result.unsure[begin:end] = [[]] * (end - begin)
    return results


def _add(result: DetectionResult, part: DetectionResult, piece: Piece) -> None:
    nothing: list[Finding] = []  # shared by all cells without findings, to save memory
    own = part.findings[piece.own]
    result.findings.extend(cell or nothing for cell in own)
    unsure = part.unsure[piece.own] if part.unsure else [nothing] * len(own)
    result.unsure.extend(cell or nothing for cell in unsure)
    result.failed.update((piece.conversation + i, error) for i, error in part.failed.items())
    result.counts.update(part.counts)
    if part.plausible:
        _pad(result.plausible, len(result.findings) - len(own))
        result.plausible.extend(part.plausible[piece.own])


def _pad(plausible: list[Sequence[Place]], cells: int) -> None:
    """Add nothing for cells that failed, up to so many in all."""
    plausible.extend([()] * (cells - len(plausible)))


def _detect(detector: Detector, column: TextColumn, twice: bool) -> DetectionResult:
    try:
        look = looked(detector, column, twice)
        return DetectionResult(look.found, {}, look.unsure, Counter(look.counts), list(look.plausible))
    except DetectorUnavailableError:
        raise
    except Exception:  # noqa: BLE001 - retried below, one conversation at a time
        result = DetectionResult([[] for _ in column.texts], unsure=[[] for _ in column.texts])
    for i in range(len(column.first_cell) - 1):
        own = slice(column.first_cell[i], column.first_cell[i + 1])
        try:
            look = looked(detector, column.conversations(i, i + 1), twice)
        except DetectorUnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 - fail closed, reporting the class only
            result.failed[i] = error_class(error)
            continue
        result.findings[own] = look.found
        result.counts.update(look.counts)
        if look.unsure:
            result.unsure[own] = look.unsure
        if look.plausible:
            _pad(result.plausible, len(column))
            result.plausible[own] = look.plausible
    return result


def error_class(error: Exception) -> str:
    """The class of an error, which is all that may be reported; its message could contain text."""
    return error.error if isinstance(error, RecordError) else type(error).__name__


def looked(detector: Detector, column: TextColumn, twice: bool) -> CountedLook:
    """Both looks. If a detector returns the wrong number of cells, none of its findings can be trusted."""
    # By attribute: to ask for a protocol takes longer than short texts do.
    if hasattr(detector, "find_counted"):
        look: CountedLook = detector.find_counted(column, twice)
    elif twice and hasattr(detector, "find_twice"):
        found, unsure = detector.find_twice(column)
        look = CountedLook(list(found), list(unsure), {})
    else:
        look = CountedLook(list(detector.find(column)), [], {})
    if column.rejected:
        look = look._replace(counts={**look.counts, **column.rejected})
        column.rejected.clear()
    if len(look.found) != len(column) or {len(look.unsure), len(look.plausible)} - {0, len(column)}:
        raise RecordError("DetectorMiscount")
    return look
