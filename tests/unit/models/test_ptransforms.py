"""The tiny model in its own Beam pipeline."""

from pathlib import Path
from typing import Any

import apache_beam as beam
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.util import assert_that

from tacenda.models.detection import DetectionRequest, DetectionResult
from tacenda.models.ptransforms import NAMESPACE, AskModel, TokenClassifierHandler
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.text.column import TextColumn

TINY = str(Path(__file__).parents[2] / "golden" / "tiny_model")
QUESTIONS = [
    ("a", (DetectionRequest("", TextColumn(["Hello Pam", "mr zzyzx"])),)),
    (
        "b",
        (
            DetectionRequest("", TextColumn(["", "Scranton and Pam"], [0, 2])),
            DetectionRequest("", TextColumn(["Pam"])),
        ),
    ),
    ("c", (DetectionRequest("", TextColumn([])),)),
    ("d", ()),
]
EXPECTED = {
    "a": [[[(6, 9, "PERSON_NAME")], [(3, 8, "PERSON_NAME")]]],
    "b": [[[], [(0, 8, "LOCATION"), (13, 16, "PERSON_NAME")]], [[(0, 3, "PERSON_NAME")]]],
    "c": [[]],
    "d": [],
}


def model() -> ModelSettings:
    package = package_of(TINY)
    return ModelSettings(TINY, package.fingerprint, package.decision)


def told(answer: DetectionResult) -> Any:
    return [[(f.start, f.end, f.info_type) for f in findings] for findings in answer.findings]


def test_requests_get_their_results() -> None:
    def check(answered: list[tuple[str, tuple[DetectionResult, ...]]]) -> None:
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


def test_hints_stand_on_the_stage_of_the_model_alone() -> None:
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


def test_sizes_are_counted_and_not_pickled() -> None:
    handler = TokenClassifierHandler(parse_inspect_config({}), model())
    assert handler.get_num_bytes([questions for _, questions in QUESTIONS]) == 9 + 8 + 16 + 3
    assert handler.batch_elements_kwargs() == {"min_batch_size": 1, "max_batch_size": 1}
