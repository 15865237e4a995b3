"""A batch is processed at once; if that fails, conversation by conversation."""

from pathlib import Path

import apache_beam as beam
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.util import assert_that

from tacenda.models.detection import DetectionRequest, detect_all
from tacenda.models.ptransforms import NAMESPACE, AskModel, TokenClassifierHandler
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.transforms.detecting.detector import CountedLook
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
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


def detect(detector, request):
    (result,) = detect_all([detector], *request)
    return result


REQUEST = DetectionRequest(TextColumn(["one", "", "bad", "two", "three"], [0, 2, 3, 3, 5]))


def test_a_successful_batch_takes_one_call():
    detector = Words()
    result = detect(detector, REQUEST)
    assert ([len(f) for f in result.findings], result.failed) == ([1, 0, 1, 1, 1], {})
    assert len(detector.calls) == 1
    assert REQUEST.column.size == 14


@pytest.mark.parametrize(
    ("error", "told"), [(RecordError("WordsUnseen"), "WordsUnseen"), (ValueError("bad"), "ValueError")]
)
def test_only_the_bad_conversation_fails_and_nothing_quotes_it(error, told):
    detector = Words(error)
    result = detect(detector, REQUEST)
    assert [len(f) for f in result.findings] == [1, 0, 0, 1, 1]
    assert result.failed == {1: told}
    assert detector.calls[1:] == [["one", ""], ["bad"], [], ["two", "three"]]


def test_a_wrong_number_of_results_is_a_failure():
    result = detect(Words(short=True), REQUEST)
    assert result.findings == [[]] * 5
    assert result.failed == {0: "DetectorMiscount", 1: "DetectorMiscount", 3: "DetectorMiscount"}


def test_an_unavailable_detector_stops_the_run():
    with pytest.raises(DetectorUnavailableError):
        detect(Words(DetectorUnavailableError("words", "Down")), REQUEST)


def test_a_long_conversation_is_read_in_pieces_and_answered_as_one(monkeypatch):
    monkeypatch.setattr(columns, "PIECE_CHARS", 200)
    monkeypatch.setattr(columns, "CONTEXT_CHARS", 40)
    texts = ["one", "", *(f"turn {i}" for i in range(30)), "last"]
    request = DetectionRequest(TextColumn(texts, [0, 2, 32, 33]))
    first, second = Words(), Words()
    for detector, result in zip((first, second), detect_all([first, second], *request), strict=True):
        assert [[f.end for f in cell] for cell in result.findings] == [[len(t)] if t else [] for t in texts]
        assert result.failed == {}
        assert max(map(len, detector.calls)) < 12
    assert first.calls == second.calls

    failing = Words(ValueError())
    texts[20] = "bad"
    result = detect(failing, request)
    assert result.failed == {1: "ValueError"}
    assert [bool(cell) for cell in result.findings] == [True, False, *[False] * 30, True]


TINY = str(Path(__file__).parents[2] / "golden" / "tiny_model")

QUESTIONS = [
    ("a", (DetectionRequest(TextColumn(["Hello Pam", "mr zzyzx"])),)),
    (
        "b",
        (
            DetectionRequest(TextColumn(["", "Scranton and Pam"], [0, 2])),
            DetectionRequest(TextColumn(["Pam"])),
        ),
    ),
    ("c", (DetectionRequest(TextColumn([])),)),
    ("d", ()),
]

EXPECTED = {
    "a": [[[(6, 9, "PERSON_NAME")], [(3, 8, "PERSON_NAME")]]],
    "b": [[[], [(0, 8, "LOCATION"), (13, 16, "PERSON_NAME")]], [[(0, 3, "PERSON_NAME")]]],
    "c": [[]],
    "d": [],
}


def model():
    package = package_of(TINY)
    return ModelSettings(TINY, package.fingerprint, package.decision)


def told(answer):
    return [[(f.start, f.end, f.info_type) for f in findings] for findings in answer.findings]


class Places(Words):
    """Thinks every cell possible."""

    def find_counted(self, column, twice):
        return CountedLook(self.find(column), [], {}, [[(0, len(text), 0.5)] for text in column.texts])


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_what_is_possible_stays_with_its_cell_where_a_whole_piece_fails(monkeypatch, failing):
    monkeypatch.setattr(columns, "PIECE_CHARS", 200)
    texts = ["one", *["two"] * 30, "last"]
    texts[(0, 1, 31)[failing]] = "bad"
    request = DetectionRequest(TextColumn(texts, [0, 1, 31, 32]))
    result = detect(Places(ValueError("bad")), request)
    first, stop = [(0, 1), (1, 31), (31, 32)][failing]
    own = [places for i, places in enumerate(result.plausible) if not first <= i < stop]
    assert own == [[(0, len(text), 0.5)] for i, text in enumerate(texts) if not first <= i < stop]
    assert len(result.plausible) == len(texts)


def test_requests_get_their_results():
    def check(answered):
        assert {key: list(map(told, answers)) for key, answers in answered} == EXPECTED
        assert not any(answer.failed for _, answers in answered for answer in answers)

    pipeline = beam.Pipeline(runner=FnApiRunner())
    answers = pipeline | beam.Create(QUESTIONS) | AskModel(parse_inspect_config({}), model(), {})
    assert_that(answers, check)
    result = pipeline.run()
    result.wait_until_finish()
    counters = {c.key.metric.name: c.committed for c in result.metrics().query()["counters"]
                if c.key.metric.namespace == NAMESPACE}  # fmt: skip
    assert counters["num_inferences"] == 4
    assert counters.get("failed_batches_counter", 0) == 0


def test_hints_stand_on_the_stage_of_the_model_alone():
    pipeline = beam.Pipeline(runner=FnApiRunner())
    asked = AskModel(parse_inspect_config({}), model(), {"min_ram": "3GiB"})
    pipeline | beam.Create(QUESTIONS) | asked
    components = pipeline.to_runner_api().components
    ram = "beam:resources:min_ram_bytes:v1"
    machines = {
        transform.unique_name: components.environments[transform.environment_id].resource_hints.get(ram)
        for transform in components.transforms.values()
        if transform.environment_id
    }
    assert {name.split("/")[1] for name, hint in machines.items() if hint} == {"Infer"}
    assert set(machines.values()) == {None, str(3 << 30).encode()}


def test_sizes_are_counted_and_not_pickled():
    handler = TokenClassifierHandler(parse_inspect_config({}), model())
    assert handler.get_num_bytes([questions for _, questions in QUESTIONS]) == 9 + 8 + 16 + 3
    assert handler.batch_elements_kwargs() == {"min_batch_size": 1, "max_batch_size": 1}
