import re

from tacenda.models.detection import TruecasingDetector, with_truecasing
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.unit.models.test_models import detect, model

TEXTS = ["i am pamela", "it is Ann", "THIS IS PAMELA", "ok"]


class Capitals:
    """Finds capitalised words, as a network that has only read edited text."""

    name = "capitals"

    def find(self, column):
        return [
            [Finding(*word.span(), "PERSON_NAME", Likelihood.LIKELY, self.name) for word in words]
            for words in (re.finditer(r"\b[A-Z][a-z]+", text) for text in column.texts)
        ]


class TwoLooks(Capitals):
    def find_twice(self, column):
        return self.find(column), [
            [Finding(0, 1, "AGE", Likelihood.UNLIKELY, self.name)] for _ in column.texts
        ]


def _found(detector, *, twice=False):
    result = detect(detector, TextColumn(TEXTS), twice)
    assert not result.failed
    return [[text[f.start : f.end] for f in cell] for text, cell in zip(TEXTS, result.findings, strict=True)]


def test_both_readings_count():
    assert _found(Capitals()) == [[], ["Ann"], [], []]
    for detector in (Capitals(), TwoLooks()):
        for twice in (False, True):
            found = _found(TruecasingDetector(detector), twice=twice)
            assert found == [["pamela"], ["Ann"], ["PAMELA"], []]


def test_the_second_look_is_that_of_the_text_as_it_is():
    _, unsure = TruecasingDetector(TwoLooks()).find_twice(TextColumn(TEXTS))
    assert list(map(len, unsure)) == [1, 1, 1, 1]
    assert TruecasingDetector(Capitals()).find_twice(TextColumn(TEXTS))[1] == [[], [], [], []]


def test_a_model_reads_twice_only_if_asked():
    detector, settings = Capitals(), model()
    assert with_truecasing(detector, settings) is detector
    asked = ModelSettings(settings.path, settings.fingerprint, settings.decision, truecasing=True)
    assert isinstance(with_truecasing(detector, asked), TruecasingDetector)
    assert (settings.to_dict().get("truecasing"), asked.to_dict()["truecasing"]) == (None, True)
