import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors import beam
from tacenda.pipelines.executors import run as executors
from tacenda.pipelines.executors.loop import run_in_loop
from tacenda.pipelines.executors.run import executor_for
from tacenda.pipelines.work.plan import Plan
from tacenda.transforms.schema.errors import UserError

Run = tuple[Plan, JobSettings]


@pytest.fixture
def run(tmp_path: Path, prepared: Callable[..., Run]) -> Run:
    source = tmp_path / "in.jsonl"
    talk = {"conversation_id": "a", "turns": [{"speaker": "Pam", "text": "write to ann@example.com"}]}
    source.write_text("".join(json.dumps({**talk, "conversation_id": str(i)}) + "\n" for i in range(50)))
    return prepared("anonymize", source, "--unit-bytes", "1000")


@pytest.mark.parametrize("workers", [None, 1])
def test_little_input_or_one_worker_needs_no_other_process(run: Run, workers: int | None) -> None:
    executor = executor_for(*run, [], workers)
    assert executor.run is run_in_loop
    assert executor.ends_with_driver
    assert not executor.notes


def _executed(run: Run, beam_args: list[str], workers: int | None, patch: pytest.MonkeyPatch) -> str:
    """The executor that is called, and its number of workers."""
    called: list[str] = []
    patch.setattr(executors, "run_in_loop", lambda *_: called.append("loop"))
    patch.setattr(executors, "run_in_pool", lambda plan, job, count, follow: called.append(f"pool {count}"))
    patch.setattr(beam, "run_on_beam", lambda build, options, count: called.append(f"Beam {count}"))
    executor_for(*run, beam_args, workers).run(*run, lambda *_: None)
    (executor,) = called
    return executor


def test_what_takes_long_goes_to_as_many_processes_as_there_are_cores(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "_WORTH_A_PROCESS_BYTES_WITH_MODEL", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert _executed(run, [], None, monkeypatch) == "pool 3"
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    plan, _ = run
    assert _executed(run, [], None, monkeypatch) == f"pool {plan.text_bytes // 1000}"
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert _executed(run, [], None, monkeypatch) == "loop"
    rules_alone = replace(run[1], detectors=("rules",))
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert _executed((plan, rules_alone), [], None, monkeypatch) == "loop"


@pytest.mark.parametrize(
    ("beam_args", "workers", "executor"),
    [
        ([], 2, "pool 2"),
        (["--runner=FnApiRunner"], 1, "Beam 1"),
        (["--runner=FnApiRunner"], 2, "Beam 2"),
        (["--direct_num_workers=1"], None, "Beam 1"),
    ],
)
def test_any_beam_option_runs_the_job_on_beam(
    run: Run, beam_args: list[str], workers: int | None, executor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _executed(run, beam_args, workers, monkeypatch) == executor


def test_what_beam_would_refuse_is_refused_for_little_input_too(run: Run) -> None:
    with pytest.raises(UserError, match="NoRunner"):
        executor_for(*run, ["--runner=NoRunner"], 1)
