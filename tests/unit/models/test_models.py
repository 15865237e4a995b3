"""A batch is processed at once; if that fails, conversation by conversation."""

from pathlib import Path

import pytest

from tacenda.models.detection import detect_all
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.transforms.detecting.detector import CountedLook
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text import column as columns
from tacenda.transforms.text.column import TextColumn


class Words:
    """Finds the whole of every cell; fails on "bad" in the chosen way."""

    name = "words"

    def __init__(self, error=None, short=False):
        self.error, self.short = error, short
        self.calls: list[list[str]] = []

    def find(self, column):
        texts = column.texts
        self.calls.append(list(texts))
        assert column.first_cell[-1] == len(column)
        if self.error is not None and "bad" in texts:
            raise self.error
        found = [[Finding(0, len(t), "X", Likelihood.LIKELY, "words")] if t else [] for t in texts]
        return found[1:] if self.short else found


def detect(detector, column, twice=False):
    (result,) = detect_all([detector], column, twice)
    return result


COLUMN = TextColumn(["one", "", "bad", "two", "three"], [0, 2, 3, 3, 5])


def test_a_successful_batch_takes_one_call():
    detector = Words()
    result = detect(detector, COLUMN)
    assert ([len(f) for f in result.findings], result.failed) == ([1, 0, 1, 1, 1], {})
    assert len(detector.calls) == 1
    assert COLUMN.size == 14


@pytest.mark.parametrize(
    ("error", "told"), [(RecordError("WordsUnseen"), "WordsUnseen"), (ValueError("bad"), "ValueError")]
)
def test_only_the_bad_conversation_fails_and_nothing_quotes_it(error, told):
    detector = Words(error)
    result = detect(detector, COLUMN)
    assert [len(f) for f in result.findings] == [1, 0, 0, 1, 1]
    assert result.failed == {1: told}
    assert detector.calls[1:] == [["one", ""], ["bad"], [], ["two", "three"]]


def test_a_wrong_number_of_results_is_a_failure():
    result = detect(Words(short=True), COLUMN)
    assert result.findings == [[]] * 5
    assert result.failed == {0: "DetectorMiscount", 1: "DetectorMiscount", 3: "DetectorMiscount"}


def test_an_unavailable_detector_stops_the_run():
    with pytest.raises(DetectorUnavailableError):
        detect(Words(DetectorUnavailableError("words", "Down")), COLUMN)


def test_a_long_conversation_is_read_in_pieces_and_answered_as_one(monkeypatch):
    monkeypatch.setattr(columns, "PIECE_CHARS", 200)
    monkeypatch.setattr(columns, "CONTEXT_CHARS", 40)
    texts = ["one", "", *(f"turn {i}" for i in range(30)), "last"]
    column = TextColumn(texts, [0, 2, 32, 33])
    first, second = Words(), Words()
    for detector, result in zip((first, second), detect_all([first, second], column), strict=True):
        assert [[f.end for f in cell] for cell in result.findings] == [[len(t)] if t else [] for t in texts]
        assert result.failed == {}
        assert max(map(len, detector.calls)) < 12
    assert first.calls == second.calls

    failing = Words(ValueError())
    texts[20] = "bad"
    result = detect(failing, column)
    assert result.failed == {1: "ValueError"}
    assert [bool(cell) for cell in result.findings] == [True, False, *[False] * 30, True]


TINY = str(Path(__file__).parents[2] / "golden" / "tiny_model")


def model():
    package = package_of(TINY)
    return ModelSettings(TINY, package.fingerprint, package.decision)


class Places(Words):
    """Thinks every cell possible."""

    def find_counted(self, column, twice):
        return CountedLook(self.find(column), [], {}, [[(0, len(text), 0.5)] for text in column.texts])


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_what_is_possible_stays_with_its_cell_where_a_whole_piece_fails(monkeypatch, failing):
    monkeypatch.setattr(columns, "PIECE_CHARS", 200)
    texts = ["one", *["two"] * 30, "last"]
    texts[(0, 1, 31)[failing]] = "bad"
    result = detect(Places(ValueError("bad")), TextColumn(texts, [0, 1, 31, 32]))
    first, stop = [(0, 1), (1, 31), (31, 32)][failing]
    own = [places for i, places in enumerate(result.plausible) if not first <= i < stop]
    assert own == [[(0, len(text), 0.5)] for i, text in enumerate(texts) if not first <= i < stop]
    assert len(result.plausible) == len(texts)
