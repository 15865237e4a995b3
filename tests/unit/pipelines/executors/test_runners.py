import io
import json
import os
import signal
import socket
import sys
from dataclasses import replace
from operator import add

import pytest

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors import beam, runners
from tacenda.pipelines.executors import run as executors
from tacenda.pipelines.executors import run as progress
from tacenda.pipelines.executors.children import fold
from tacenda.pipelines.executors.local import run_in_loop
from tacenda.pipelines.executors.run import ProgressLine, executor_for
from tacenda.pipelines.executors.runners import (
    check_runner,
    completed,
    ends_with_driver,
    leaves_job,
    runner_name,
)
from tacenda.pipelines.work.error_sanitizing import RunFailedError
from tacenda.pipelines.work.plan import Plan
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Receipt
from tests.cases import tabled
from tests.fakes.web_server import answering
from tests.talks import talk, write_lines
from tests.waiting import wait_until


@tabled("options", "name")
def test_the_runner_is_the_one_that_options_name(options, name):
    assert runner_name(options) == name


@tabled("option", "told")
def test_an_unknown_runner_or_one_that_loses_rows_is_rejected(option, told):
    with pytest.raises(UserError, match=told):
        check_runner([option])


@pytest.fixture
def nobody():
    """An address without a server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


def test_a_job_service_that_does_not_answer_is_named(nobody):
    with pytest.raises(UserError, match="nothing listens there"):
        check_runner(["--runner=PortableRunner", f"--job_endpoint={nobody}"])
    check_runner(["--runner=PortableRunner", "--job_endpoint=embed", "--environment_type=LOOPBACK"])


@pytest.mark.parametrize("master", ["{}", "http://{}", "http://{}/", "localhost:99999999", "gopher://x"])
def test_a_flink_that_does_not_answer_is_named(nobody, master):
    with pytest.raises(UserError, match=r"--flink_master=.*nothing listens there"):
        check_runner(["--runner=FlinkRunner", f"--flink_master={master.format(nobody)}"])


def test_a_flink_that_answers_is_asked_how_many_slots_it_has(jar):
    answer = json.dumps({"taskmanagers": [{"slotsNumber": 2}, {"slotsNumber": 4}]})
    with answering(answer) as address:
        options = [*jar, "--runner=FlinkRunner", f"--flink_master={address}", *POOL]
        check_runner(options)
        assert completed(options) == [*options, "--sdk_worker_parallelism=4"]
        own = [*options, "--sdk_worker_parallelism", "1"]
        assert completed(own) == own
    assert completed(["--runner=FlinkRunner"])[-1] == "--sdk_worker_parallelism=0"


@pytest.mark.parametrize("answer", ["", "[]", "{}", '{"taskmanagers": []}', '{"taskmanagers": [{}]}'])
def test_where_flink_does_not_say_its_slots_the_runner_chooses(answer):
    with answering(answer) as address:
        options = ["--runner=FlinkRunner", f"--flink_master=http://{address}/"]
        assert completed(options)[-1] == "--sdk_worker_parallelism=0"


def test_dataflow_gets_two_threads_a_process_and_no_main_session():
    added = ["--number_of_worker_harness_threads=2", "--no_save_main_session"]
    assert completed(["--runner=DataflowRunner"]) == ["--runner=DataflowRunner", *added]
    own = ["--runner=DataflowRunner", "--number_of_worker_harness_threads=8", "--save_main_session"]
    assert completed(own) == own


def test_dataflow_reads_and_writes_where_its_workers_do(monkeypatch):
    monkeypatch.setattr(runners, "_problems", lambda *_: ())
    for url in ("/data/calls", "file:///data/calls"):
        check_runner(["--runner=FlinkRunner"], [("--input", url)])
        with pytest.raises(UserError, match=f"--input {url}: workers of Dataflow do not see"):
            check_runner(["--runner=DataflowRunner"], [("--output", "s3://b/clean"), ("--input", url)])


def test_only_a_job_of_a_service_is_left_to_it():
    assert leaves_job(["--runner=DataflowRunner", "--no_wait_until_finish"])
    assert not leaves_job(["--runner=DataflowRunner"])
    assert not leaves_job(["--runner=FlinkRunner", "--no_wait_until_finish"])


POOL = ["--environment_type=EXTERNAL", "--environment_config=localhost:50000"]


@pytest.fixture
def jar(tmp_path):
    """An existing jar, and a Java."""
    (tmp_path / "server.jar").touch()
    launcher = f"--job_server_java_launcher={sys.executable}"
    return [f"--flink_job_server_jar={tmp_path / 'server.jar'}", launcher]


@tabled("words", "told")
def test_missing_requirements_of_a_runner_are_named(nobody, words, told):
    launcher = f"--job_server_java_launcher={sys.executable}"  # the last one counts
    with pytest.raises(UserError, match=told):
        check_runner([launcher, *words.format(nobody=nobody, jar=__file__).split()])


def test_given_requirements_of_a_runner_are_accepted(jar):
    check_runner(["--runner=FlinkRunner", *jar])
    check_runner(["--runner=PrismRunner", f"--prism_location={sys.executable}"])


@tabled("words", "ends")
def test_a_job_of_this_machine_ends_with_its_driver(words, ends):
    assert ends_with_driver(words.split()) is ends


Run = tuple[Plan, JobSettings]


@pytest.fixture
def run(tmp_path, prepared):
    records = [talk(str(i), ("Pam", "write to ann@example.com")) for i in range(50)]
    source = write_lines(tmp_path / "in.jsonl", records)
    return prepared("anonymize", source, "--unit-bytes", "1000")


@pytest.mark.parametrize("workers", [None, 1])
def test_little_input_or_one_worker_needs_no_other_process(run, workers):
    executor = executor_for(*run, [], workers)
    assert executor.run is run_in_loop
    assert executor.ends_with_driver


def _executed(run, beam_args, workers, patch):
    """The executor that is called, and its number of workers."""
    called: list[str] = []
    patch.setattr(executors, "run_in_loop", lambda *_: called.append("loop"))
    patch.setattr(executors, "run_in_pool", lambda plan, job, count, follow: called.append(f"pool {count}"))
    patch.setattr(beam, "run_on_beam", lambda build, options: called.append("Beam"))
    executor_for(*run, beam_args, workers).run(*run, lambda *_: None)
    (executor,) = called
    return executor


def test_what_takes_long_goes_to_as_many_processes_as_there_are_cores(run, monkeypatch):
    monkeypatch.setattr(executors, "_WORTH_A_PROCESS_BYTES", {**executors._WORTH_A_PROCESS_BYTES, "model": 1})
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert _executed(run, [], None, monkeypatch) == "pool 3"
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    plan, _ = run
    assert _executed(run, [], None, monkeypatch) == f"pool {plan.text_bytes // 1000}"
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert _executed(run, [], None, monkeypatch) == "loop"
    rules_alone = replace(run[1], detecting=replace(run[1].detecting, names=("rules",)))
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert _executed((plan, rules_alone), [], None, monkeypatch) == "loop"


@tabled("beam_args", "workers", "executor")
def test_any_beam_option_runs_the_job_on_beam(run, beam_args, workers, executor, monkeypatch):
    assert _executed(run, beam_args, workers, monkeypatch) == executor


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def run_of_progress(prepared, tmp_path):
    return prepared("inspect", write_lines(tmp_path / "in.jsonl", [talk("a")] * 20))


def test_the_line_follows_what_is_counted(run_of_progress):
    plan, _ = run_of_progress
    half = plan.text_bytes // 2
    line = ProgressLine(plan)
    assert line.line(60) == "running 0:01:00"
    line.add(Receipt("", conversations=1234, characters=1_000_000, text_bytes=half), False)
    assert line.line(1) == "50%  1,234 conversations  1.00 MB/s  0:00:01 left"
    assert line.line(4000).endswith("1:06:40 left")
    line.add(Receipt("", conversations=1, characters=1_000_000, text_bytes=half), False)
    assert line.line(2) == "99%  1,235 conversations  1.00 MB/s  0:00:00 left"
    resumed = ProgressLine(plan)
    resumed.add(Receipt("", conversations=5, characters=9, text_bytes=half), True)
    assert resumed.line(1) == "50%  5 conversations  0.00 MB/s"
    resumed.add(Receipt("", conversations=5, characters=1_000_000, text_bytes=half), False)
    assert resumed.line(2) == "99%  10 conversations  0.50 MB/s  0:00:00 left"


def test_the_progress_line_is_shown_on_a_terminal_and_erased_at_the_end(run_of_progress, monkeypatch):
    monkeypatch.setattr(progress, "_PERIOD_S", 0.005)
    plan, _ = run_of_progress
    with ProgressLine(plan, stream=(silent := io.StringIO())), ProgressLine(plan, stream=Terminal()) as line:
        line.add(Receipt("", conversations=7, text_bytes=1), False)
        wait_until(lambda: "7 conversations" in line._stream.getvalue())
    assert line._stream.getvalue().endswith("\r\x1b[K")
    assert silent.getvalue() == ""


def _square(number):
    return number * number


def _die(number):
    os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("workers", [1, 2, None])
def test_any_number_of_processes_gives_the_same_sum(workers):
    assert fold(range(5), _square, add, workers, text_bytes=100) == 30


def test_input_without_records_is_rejected():
    with pytest.raises(UserError, match="empty"):
        fold([], _square, add, None, text_bytes=0)


def test_a_killed_worker_ends_the_run():
    with pytest.raises(RunFailedError, match="killed"):
        fold(range(2), _die, add, 2, text_bytes=100)
