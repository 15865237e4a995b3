"""Jobs that fail on a real Flink cluster: messages, locks on the output, and resuming."""

import os
import signal
import subprocess

import pytest

from tacenda.pipelines.output.output_folder import MARKERS
from tests.folders import files_in
from tests.halting import UNITS, halted_in_the_middle, staged_units, tacenda
from tests.waiting import PATIENCE_S

pytestmark = [pytest.mark.flink, pytest.mark.slow]
GOES_ON = "the same command resumes where it stopped\n"
ENDED = {*MARKERS.values(), "manifest.json"}


@pytest.fixture(scope="module")
def whole(source, tmp_path_factory):
    """The output of an undisturbed run on this machine."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    done = _run(_command(source, folder))
    assert done.returncode == 0, done.stderr
    return files_in(folder)


def _command(source, output, *options):
    words = ["--input", source, "--output", output, "--detector", "rules"]
    words += ["--unit-bytes", source.stat().st_size // UNITS]
    return tacenda("anonymize", *words, *options)


def _run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def _end(process):
    """The last line of a run that failed."""
    try:
        out, err = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    assert (process.returncode, out) == (1, ""), err
    assert err.count("\n") == 1, err
    return err


def _is_unfinished(folder):
    return bool(staged_units(folder)) and not ENDED & {path.name for path in folder.iterdir()}


def test_a_cancelled_job_says_so_and_the_same_command_resumes_it(running, source, whole, tmp_path):
    folder = tmp_path / "out"
    command = _command(source, folder, *running.options)
    process = halted_in_the_middle(command, folder, None, running.signal_workers)
    second = _run(command)
    running.cancel()
    running.signal_workers(None, signal.SIGCONT)
    told = _end(process)
    assert "the job was cancelled on PortableRunner and has stopped" in told
    assert told.endswith(GOES_ON)
    assert running.jobs() == []
    assert _is_unfinished(folder)

    # While it ran, nobody else was let into its folder; now the same command is.
    assert (second.returncode, second.stdout) == (2, "")
    assert f"process {process.pid} on " in second.stderr
    assert second.stderr.count("\n") == 1
    again = _run(command)
    assert again.returncode == 0, again.stderr
    assert files_in(folder) == whole


def test_without_a_worker_pool_the_job_ends_and_says_so(running, source, whole, tmp_path):
    folder = tmp_path / "out"
    command = _command(source, folder, *running.options)
    process = halted_in_the_middle(command, folder, None, running.signal_workers)
    workers = running.workers()
    for dead in (running.process("worker_pool"), *workers):
        dead.kill()
    told = _end(process)
    assert "gave up the job; see its own log for the reason (is the worker pool running?)" in told
    assert told.endswith(GOES_ON)
    assert running.jobs() == []
    assert _is_unfinished(folder)

    running.restart()
    again = _run(command)
    assert again.returncode == 0, again.stderr
    assert files_in(folder) == whole


def test_a_job_outlives_its_job_server_and_keeps_its_output_to_itself(running, source, whole, tmp_path):
    folder = tmp_path / "out"
    process = halted_in_the_middle(
        _command(source, folder, *running.options), folder, None, running.signal_workers
    )
    running.process("job_server").kill()
    told = _end(process)
    assert "the job server of PortableRunner no longer answers (UNAVAILABLE)" in told
    assert "the job may still be running: cancel it there or let it end" in told
    assert len(running.jobs()) == 1

    # Its workers stand still, but they were to write the lease again and again.
    os.utime(folder / ".tacenda" / "lease.json")
    second = _run(_command(source, folder))
    assert (second.returncode, second.stdout) == (2, "")
    assert "another run writes there" in second.stderr
    assert second.stderr.count("\n") == 1

    running.signal_workers(None, signal.SIGCONT)
    running.wait_for_the_end_of_all_jobs()
    assert files_in(folder) == whole
    third = _run(_command(source, folder))
    assert third.returncode == 0, third.stderr
    assert third.stdout.startswith("already done")
