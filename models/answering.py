"""A batch of conversations for a detector, and its answer; no conversation suffers for another."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from models.unavailable import DetectorUnavailableError
from transforms.detecting.detector import Detector
from transforms.schema.errors import RecordError
from transforms.schema.finding import Finding


@dataclass(frozen=True, slots=True)
class Question:
    """Cells of some conversations, as ``Detector.find`` takes them; ``key`` comes back with the answer."""

    key: str
    texts: Sequence[str]
    first_cell: Sequence[int]

    def size(self) -> int:
        """Code points of text."""
        return sum(map(len, self.texts))


@dataclass(frozen=True, slots=True)
class Answer:
    """Findings of each cell; ``failed`` maps conversations that cannot be processed to an error class.

    A failed conversation has no findings and must not get out. Nothing here is text.
    """

    key: str
    findings: list[list[Finding]]
    failed: dict[int, str] = field(default_factory=dict)


def answered(detector: Detector, question: Question) -> Answer:
    """Ask a detector about a batch; where it fails, about each conversation by itself.

    Raises:
        DetectorUnavailableError: it cannot be asked at all; no conversation is at fault.
    """
    cells = len(question.texts)
    try:
        return Answer(question.key, _found(detector, question.texts, question.first_cell))
    except DetectorUnavailableError:
        raise
    except Exception:  # noqa: BLE001 - told apart below, one conversation at a time
        findings: list[list[Finding]] = [[] for _ in range(cells)]
    failed: dict[int, str] = {}
    for i in range(len(question.first_cell) - 1):
        start, stop = question.first_cell[i], question.first_cell[i + 1]
        try:
            findings[start:stop] = _found(detector, question.texts[start:stop], [0, stop - start])
        except DetectorUnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 - fail closed, and say the class only
            failed[i] = error.error if isinstance(error, RecordError) else type(error).__name__
    return Answer(question.key, findings, failed)


def _found(detector: Detector, texts: Sequence[str], first_cell: Sequence[int]) -> list[list[Finding]]:
    findings = detector.find(texts, first_cell)
    if len(findings) != len(texts):
        raise RecordError("DetectorMiscount")
    return findings
