"""The job on Beam, with machines of their own for the models: the same bytes as the loop, and counters."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import apache_beam as beam
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors.local import run_in_loop
from tacenda.pipelines.output.output_folder import prepare_output
from tacenda.pipelines.ptransforms.job import build
from tacenda.pipelines.work.plan import Plan
from tests.contract.test_dashboard import COUNTERS
from tests.folders import files_in
from tests.talks import talk, write_lines

TINY = Path(__file__).parents[2] / "golden" / "tiny_model"
Prepared = Callable[..., tuple[Plan, JobSettings]]


@pytest.fixture
def source(tmp_path):
    records = [
        talk(
            f"c{i % 28}",
            ("Pam", f"Hello Zzyzx, pam{i}@example.com here"),
            "mr zzyzx of Scranton, pleased to meet you",
            context="sales" if i % 3 else "support",
        )
        for i in range(30)
    ]
    records[7]["turns"][0]["spans"] = [{"start": 6, "end": 11, "label": "PERSON_NAME"}]
    return write_lines(tmp_path / "in.jsonl", [*records, b"{oops"])


def _files(job):
    return files_in(Path(job.output))


def _on_beam(plan, job, hints):
    prepare_output(job, overwrite=False)
    pipeline = beam.Pipeline(runner=FnApiRunner())
    build(pipeline, plan, job, hints)
    result = pipeline.run()
    result.wait_until_finish()
    return result


@pytest.mark.parametrize("command", ["anonymize", "inspect"])
def test_machines_of_their_own_for_the_models_change_no_byte(prepared, source, tmp_path, command):
    more = ["--model", str(TINY), "--unit-bytes", "1000"]
    plan, job = prepared(command, source, *more, output=tmp_path / "loop")
    prepare_output(job, overwrite=False)
    run_in_loop(plan, job)
    plan, apart = prepared(command, source, *more, output=tmp_path / "apart")
    assert len(list(plan.units())) > 1
    _on_beam(plan, apart, {"min_ram": "1GiB"})
    assert _files(apart) == _files(job)
    assert any(b'"model"' in data for name, data in _files(job).items() if "findings-jsonl" in name) or (
        command == "anonymize"
    )


def test_hints_stand_on_the_stage_with_the_models_alone(prepared, source):
    plan, job = prepared("anonymize", source)
    pipeline = beam.Pipeline(runner=FnApiRunner())
    build(pipeline, plan, job, {"min_ram": "3GiB"})
    components = pipeline.to_runner_api().components
    hinted = {
        transform.unique_name
        for transform in components.transforms.values()
        if components.environments[transform.environment_id].resource_hints
    }
    assert hinted
    assert all("RunChain" in name for name in hinted), hinted


def test_counters_say_what_was_read_found_and_rejected(prepared, source):
    plan, job = prepared("anonymize", source, "--detector", "rules", "--unit-bytes", "1000")
    result = _on_beam(plan, job, None)
    counters = Counter[str]()
    for counter in result.metrics().query()["counters"]:
        if counter.key.metric.namespace == "tacenda":
            counters[counter.key.metric.name] += counter.committed
    # Two ids stand in an earlier unit as well; that their units are done again is counted once.
    assert (counters["rows_in"], counters["conversations"], counters["rows_out"]) == (31, 30, 30)
    assert counters["findings/EMAIL_ADDRESS"] == 30
    assert counters["findings"] == sum(n for name, n in counters.items() if name.startswith("findings/"))
    assert {name: n for name, n in counters.items() if name.startswith("rejected")} == {
        "rejected/read/InvalidJson": 1
    }
    assert counters["rows_quarantined"] == 1
    assert counters["units"] > 0
    assert {name for name in counters if "/" not in name} <= COUNTERS
