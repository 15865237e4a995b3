"""TruecasingDetector: a detector that reads turns of one case a second time, with capitals restored."""

from tacenda.models.detection import looked
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.detector import CountedLook, Detector
from tacenda.transforms.detecting.names.truecasing import truecased
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.column import TextColumn


class TruecasingDetector:
    """Finds what its detector finds in the text, and in the changed turns of the truecased text as well.

    Texts have equal lengths, so findings of both are findings of the original. The second look is the
    detector's own, of the text as it is.
    """

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self.name = detector.name

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """See ``detector.Detector``."""
        return self.find_counted(column, twice=False).found

    def find_twice(self, column: TextColumn) -> tuple[list[list[Finding]], list[list[Finding]]]:
        """See ``detector.TwoLookDetector``."""
        found, unsure, _ = self.find_counted(column, twice=True)
        return found, unsure or [[] for _ in found]

    def find_counted(self, column: TextColumn, twice: bool) -> CountedLook:
        """See ``detector.SamplingDetector``; the counts are those of the text as it is."""
        look = looked(self._detector, column, twice)
        restored = truecased(column)
        if restored is None:
            return look
        found = list(look.found)
        again = self._detector.find(restored.column)
        for i in restored.changed:
            cell = restored.cells[i]
            found[cell] = sorted({*found[cell], *again[i]})
        return look._replace(found=found)


def as_asked(detector: Detector, model: ModelSettings) -> Detector:
    """A model's detector, with truecasing if its settings ask for it."""
    return TruecasingDetector(detector) if model.truecasing else detector
