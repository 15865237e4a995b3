"""A batch is processed at once; if that fails, conversation by conversation."""

import pytest

from tacenda.models.detection import DetectionRequest, detect, detect_all
from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text import pieces
from tacenda.transforms.text.column import TextColumn


class Words:
    """Finds the whole of every cell; fails on "bad" in the chosen way."""

    name = "words"

    def __init__(self, error: Exception | None = None, short: bool = False) -> None:
        self.error, self.short = error, short
        self.calls: list[list[str]] = []

    def find(self, column: TextColumn) -> list[list[Finding]]:
        texts = column.texts
        self.calls.append(list(texts))
        assert column.first_cell[-1] == len(column)
        if self.error is not None and "bad" in texts:
            raise self.error
        found = [[Finding(0, len(t), "X", Likelihood.LIKELY, "words")] if t else [] for t in texts]
        return found[1:] if self.short else found


REQUEST = DetectionRequest("k", TextColumn(["one", "", "bad", "two", "three"], [0, 2, 3, 3, 5]))


def test_a_successful_batch_takes_one_call() -> None:
    detector = Words()
    result = detect(detector, REQUEST)
    assert (result.key, [len(f) for f in result.findings], result.failed) == ("k", [1, 0, 1, 1, 1], {})
    assert len(detector.calls) == 1
    assert REQUEST.column.size == 14


@pytest.mark.parametrize(
    ("error", "told"), [(RecordError("WordsUnseen"), "WordsUnseen"), (ValueError("bad"), "ValueError")]
)
def test_only_the_bad_conversation_fails_and_nothing_quotes_it(error: Exception, told: str) -> None:
    detector = Words(error)
    result = detect(detector, REQUEST)
    assert [len(f) for f in result.findings] == [1, 0, 0, 1, 1]
    assert result.failed == {1: told}
    assert detector.calls[1:] == [["one", ""], ["bad"], [], ["two", "three"]]


def test_a_wrong_number_of_results_is_a_failure() -> None:
    result = detect(Words(short=True), REQUEST)
    assert result.findings == [[]] * 5
    assert result.failed == {0: "DetectorMiscount", 1: "DetectorMiscount", 3: "DetectorMiscount"}


def test_an_unavailable_detector_stops_the_run() -> None:
    with pytest.raises(DetectorUnavailableError):
        detect(Words(DetectorUnavailableError("words", "Down")), REQUEST)


def test_a_long_conversation_is_read_in_pieces_and_answered_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE_CHARS", 200)
    monkeypatch.setattr(pieces, "CONTEXT_CHARS", 40)
    texts = ["one", "", *(f"turn {i}" for i in range(30)), "last"]
    request = DetectionRequest("k", TextColumn(texts, [0, 2, 32, 33]))
    first, second = Words(), Words()
    for detector, result in zip((first, second), detect_all([first, second], request), strict=True):
        assert [[f.end for f in cell] for cell in result.findings] == [[len(t)] if t else [] for t in texts]
        assert result.failed == {}
        assert max(map(len, detector.calls)) < 12
    assert first.calls == second.calls

    failing = Words(ValueError())
    texts[20] = "bad"
    result = detect(failing, request)
    assert result.failed == {1: "ValueError"}
    assert [bool(cell) for cell in result.findings] == [True, False, *[False] * 30, True]
