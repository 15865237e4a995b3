"""A batch of conversations for a detector, and its answer; no conversation suffers for another."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from models.unavailable import DetectorUnavailableError
from transforms.detecting.detector import Detector, TwoLookDetector
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

    ``unsure`` has, cell by cell, what a detector with two looks keeps for the second; empty where nobody asked.
    A failed conversation has no findings and must not get out. Nothing here is text.
    """

    key: str
    findings: list[list[Finding]]
    failed: dict[int, str] = field(default_factory=dict)
    unsure: list[list[Finding]] = field(default_factory=list)


def answered(detector: Detector, question: Question, *, twice: bool = False) -> Answer:
    """Ask a detector about a batch; where it fails, about each conversation by itself.

    ``twice`` asks a detector with two looks for what it keeps for the second, too.

    Raises:
        DetectorUnavailableError: it cannot be asked at all; no conversation is at fault.
    """
    try:
        found, unsure = _looked(detector, question.texts, question.first_cell, twice)
        return Answer(question.key, found, unsure=unsure)
    except DetectorUnavailableError:
        raise
    except Exception:  # noqa: BLE001 - told apart below, one conversation at a time
        answer = Answer(question.key, [[] for _ in question.texts], unsure=[[] for _ in question.texts])
    for i in range(len(question.first_cell) - 1):
        own = slice(question.first_cell[i], question.first_cell[i + 1])
        texts = question.texts[own]
        try:
            found, unsure = _looked(detector, texts, [0, len(texts)], twice)
        except DetectorUnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 - fail closed, and say the class only
            answer.failed[i] = error_class(error)
            continue
        answer.findings[own] = found
        if unsure:
            answer.unsure[own] = unsure
    return answer


def error_class(error: Exception) -> str:
    """What may be said of an error: a class, never its message."""
    return error.error if isinstance(error, RecordError) else type(error).__name__


def _looked(
    detector: Detector, texts: Sequence[str], first_cell: Sequence[int], twice: bool
) -> tuple[list[list[Finding]], list[list[Finding]]]:
    """Both looks; a detector that answers for fewer or more cells is wrong about all."""
    if twice and isinstance(detector, TwoLookDetector):
        looks = detector.find_twice(texts, first_cell)
        found, unsure = list(looks[0]), list(looks[1])
        if len(unsure) != len(texts):
            raise RecordError("DetectorMiscount")
    else:
        found, unsure = list(detector.find(texts, first_cell)), []
    if len(found) != len(texts):
        raise RecordError("DetectorMiscount")
    return found, unsure
