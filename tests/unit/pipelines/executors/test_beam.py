import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors.beam import run_on_beam
from tacenda.pipelines.ptransforms.job import build
from tacenda.pipelines.work.error_sanitizing import RunFailedError, UnitFailedError
from tacenda.pipelines.work.plan import Plan
from tests.fakes.beam_runner import Gone, Runner

Prepared = Callable[..., tuple[Plan, JobSettings]]


@pytest.fixture
def run(
    prepared: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, Exception | str], None]:
    """Run a job on a runner that ends in the chosen way, at submission or after it."""
    source = tmp_path / "in.jsonl"
    source.write_text('{"conversation_id": "a", "turns": []}\n')
    plan, job = prepared("inspect", source)
    module = type(sys)("my_runners")
    module.Runner = Runner  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_runners", module)

    def run_(when: str, end: Exception | str) -> None:
        monkeypatch.setattr(Runner, when, end)
        run_on_beam(lambda pipeline: build(pipeline, plan, job), ["--runner=my_runners.Runner"], 1)

    return run_


def test_processes_that_a_runner_started_end_with_the_job(run: Callable[..., None]) -> None:
    before = psutil.Process().children()
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        run("at_end", "DONE")
        assert [child.pid for child in psutil.Process().children() if child not in before] == [other.pid]
        with pytest.raises(RunFailedError):
            run("at_submission", RuntimeError())
        assert [child.pid for child in psutil.Process().children() if child not in before] == [other.pid]
    finally:
        other.kill()
        other.wait()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("when", "end", "told", "goes_on"),
    [
        (
            "at_submission",
            RuntimeError("Pam"),
            r"could not be submitted to my_.* \(RuntimeError\)",
            False,
        ),
        ("at_end", RuntimeError("Pipeline 7 failed in state CANCELLED: Pam"), "was cancelled on", False),
        ("at_end", RuntimeError("org.apache.flink.JobCancellationException: Pam"), "was cancelled on", False),
        ("at_end", "CANCELLED", "was cancelled on", False),
        ("at_end", "FAILED", "gave up the job; see its own log for the reason", False),
        ("at_end", RuntimeError("Pipeline 7 failed in state FAILED: Pam"), "see its own log", False),
        ("at_end", RuntimeError("UNAVAILABLE: io exception, Pam"), "is the worker pool running", False),
        ("at_end", Gone("Pam"), r"no longer answers \(UNAVAILABLE\)", True),
    ],
)
def test_the_state_of_the_job_is_reported_without_its_messages(
    run: Callable[..., None], when: str, end: Exception | str, told: str, goes_on: bool
) -> None:
    with pytest.raises(RunFailedError, match=told) as caught:
        run(when, end)
    assert "Pam" not in str(caught.value)
    assert caught.value.goes_on is goes_on
    assert caught.value.began is (when == "at_end")


@pytest.mark.parametrize("when", ["at_submission", "at_end"])
def test_an_error_of_a_unit_comes_through(run: Callable[..., None], when: str) -> None:
    with pytest.raises(UnitFailedError, match=r"^unit 00000 failed: OSError$"):
        run(
            when, RuntimeError("Traceback …\nUnitFailedError: unit 00000 failed: OSError [while running 'x']")
        )
