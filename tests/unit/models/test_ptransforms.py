"""The tiny model in a Beam pipeline of its own."""

from pathlib import Path
from typing import Any

import apache_beam as beam
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.util import assert_that

from tacenda.models.detection import DetectionRequest, DetectionResult
from tacenda.models.ptransforms import NAMESPACE, DetectorHandler, FindPersonalData
from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.inspect_config import parse_inspect_config

TINY = str(Path(__file__).parents[2] / "golden" / "tiny_model")
QUESTIONS = [
    DetectionRequest("a", ["Hello Pam", "mr zzyzx"], [0, 1, 2]),
    DetectionRequest("b", ["", "Scranton and Pam"], [0, 2]),
    DetectionRequest("c", [], [0]),
]
EXPECTED = {
    "a": [[(6, 9, "PERSON_NAME")], [(3, 8, "PERSON_NAME")]],
    "b": [[], [(0, 8, "LOCATION"), (13, 16, "PERSON_NAME")]],
    "c": [],
}


def detector() -> TokenClassifierDetector:
    package = package_of(TINY)
    return TokenClassifierDetector(
        parse_inspect_config({}), ModelSettings(TINY, package.fingerprint, package.decision)
    )


def told(answer: DetectionResult) -> Any:
    return [[(f.start, f.end, f.info_type) for f in findings] for findings in answer.findings]


def test_questions_get_their_answers() -> None:
    def check(answers: list[DetectionResult]) -> None:
        assert {answer.key: told(answer) for answer in answers} == EXPECTED
        assert not any(answer.failed for answer in answers)

    pipeline = beam.Pipeline(runner=FnApiRunner())
    answers = pipeline | beam.Create(QUESTIONS) | FindPersonalData(detector())
    assert_that(answers, check)
    result = pipeline.run()
    result.wait_until_finish()
    counters = {c.key.metric.name: c.committed for c in result.metrics().query()["counters"]
                if c.key.metric.namespace == NAMESPACE}  # fmt: skip
    assert counters["num_inferences"] == 3
    assert counters.get("failed_batches_counter", 0) == 0


def test_sizes_are_counted_and_not_pickled() -> None:
    handler = DetectorHandler(detector())
    assert handler.get_num_bytes(QUESTIONS) == 9 + 8 + 16
    assert handler.batch_elements_kwargs() == {"min_batch_size": 1, "max_batch_size": 1}
