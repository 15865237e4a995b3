import subprocess
import sys
from collections.abc import Callable

import psutil
import pytest

from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors import beam_options
from tacenda.pipelines.executors.beam import run_on_beam
from tacenda.pipelines.executors.beam_options import beam_arguments
from tacenda.pipelines.ptransforms.job import build
from tacenda.pipelines.work.error_sanitizing import RunFailedError, UnitFailedError
from tacenda.pipelines.work.plan import Plan
from tacenda.transforms.schema.errors import UserError
from tests.cases import tabled
from tests.fakes.beam_runner import Gone, Runner
from tests.talks import talk, write_lines

Prepared = Callable[..., tuple[Plan, JobSettings]]


@pytest.fixture
def run(prepared, tmp_path, monkeypatch):
    """Run a job on a runner that ends in the chosen way, at submission or after it."""
    plan, job = prepared("inspect", write_lines(tmp_path / "in.jsonl", [talk("a")]))
    module = type(sys)("my_runners")
    module.Runner = Runner  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_runners", module)

    def run_(when, end):
        monkeypatch.setattr(Runner, when, end)
        run_on_beam(lambda pipeline: build(pipeline, plan, job), ["--runner=my_runners.Runner"])

    return run_


def test_processes_that_a_runner_started_end_with_the_job(run):
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
        ("at_submission", RuntimeError("Pam"), r"could not be submitted to my_.* \(RuntimeError\)", False),
        ("at_end", RuntimeError("Pipeline 7 failed in state CANCELLED: Pam"), "was cancelled on", False),
        ("at_end", RuntimeError("org.apache.flink.JobCancellationException: Pam"), "was cancelled on", False),
        ("at_end", "CANCELLED", "was cancelled on", False),
        ("at_end", "FAILED", "gave up the job; see its own log for the reason", False),
        ("at_end", RuntimeError("Pipeline 7 failed in state FAILED: Pam"), "see its own log", False),
        ("at_end", RuntimeError("UNAVAILABLE: io exception, Pam"), "is the worker pool running", False),
        ("at_end", Gone("Pam"), r"no longer answers \(UNAVAILABLE\)", True),
    ],
)
def test_the_state_of_the_job_is_reported_without_its_messages(run, when, end, told, goes_on):
    with pytest.raises(RunFailedError, match=told) as caught:
        run(when, end)
    assert "Pam" not in str(caught.value)
    assert caught.value.goes_on is goes_on
    assert caught.value.began is (when == "at_end")


@pytest.mark.parametrize("when", ["at_submission", "at_end"])
def test_an_error_of_a_unit_comes_through(run, when):
    with pytest.raises(UnitFailedError, match=r"^unit 00000 failed: OSError$"):
        run(
            when, RuntimeError("Traceback …\nUnitFailedError: unit 00000 failed: OSError [while running 'x']")
        )


NEEDED = ["--input", "a.jsonl", "--output", "out"]


def _parse(*more):
    return parser_of("anonymize").parse_known_args([*NEEDED, *more])


@tabled("words", "told")
def test_unknown_options_are_a_user_error(words, told):
    arguments, extra = _parse(*words)
    with pytest.raises(UserError) as caught:
        beam_arguments(arguments, extra)
    assert told in str(caught.value)


def test_the_launcher_of_a_template_takes_the_graph_of_a_job_that_nobody_waits_for():
    template = "--template_location=gs://bucket/job"
    beam_arguments(*_parse(template, "--no_wait_until_finish"))
    with pytest.raises(UserError, match="the job is run, not packed"):
        beam_arguments(*_parse(template))


def test_options_that_are_refused_are_options_of_beam():
    assert set(beam_options._REFUSED) <= set(beam_options._beam_parser()._option_string_actions)
