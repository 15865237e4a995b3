"""The job on Beam with a separate stage for the model: the same bytes as with a single chain."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import apache_beam as beam
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from tacenda.models.token_classifier import detector
from tacenda.models.token_classifier.packing import take_batch_fill
from tacenda.pipelines.chain.build import chain_of
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors.local import run_in_loop
from tacenda.pipelines.output.output_folder import prepare_output
from tacenda.pipelines.ptransforms.job import build
from tacenda.pipelines.ptransforms.metrics import COUNTERS
from tacenda.pipelines.work.plan import Plan
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
def test_a_stage_for_the_model_changes_no_byte(prepared, source, tmp_path, command):
    more = ["--model", str(TINY), "--unit-bytes", "1000"]
    plan, job = prepared(command, source, *more, output=tmp_path / "loop")
    prepare_output(job, overwrite=False)
    run_in_loop(plan, job)
    plan, apart = prepared(command, source, *more, output=tmp_path / "apart")
    assert len(list(plan.units())) > 1
    result = _on_beam(plan, apart, {"min_ram": "1GiB"})
    assert _files(apart) == _files(job)
    asked = [c for c in result.metrics().query()["counters"] if c.key.metric.name == "num_inferences"]
    assert asked[0].committed > 1
    assert any(b'"model"' in data for name, data in _files(job).items() if "findings-jsonl" in name) or (
        command == "anonymize"
    )


def test_the_chain_does_not_load_the_network_when_it_has_a_stage_of_its_own(prepared, source, monkeypatch):
    _, job = prepared("anonymize", source, "--model", str(TINY))
    monkeypatch.setattr(detector, "loaded", _refused)
    with pytest.raises(AssertionError):
        chain_of(replace(job.chain(), fingerprint="here"))
    chain_of(replace(job.chain(), fingerprint="apart", models_apart=True))


def _refused(*_):
    raise AssertionError


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
    assert 0 < counters["units"] < counters["unit_milliseconds"]
    assert {name for name in counters if "/" not in name} <= set(COUNTERS)


def test_how_full_the_batches_of_a_model_were_is_counted(prepared, source):
    take_batch_fill()
    plan, job = prepared("anonymize", source, "--model", str(TINY), "--unit-bytes", "1000")
    metrics = _on_beam(plan, job, None).metrics().query()
    told = {one.key.metric.name: one.committed for one in metrics["counters"]}
    assert 0 < told["model_tokens"] <= told["model_places"]
