"""Jobs that fail on a real Flink cluster: messages, locks on the output, and resuming."""

import os
import random
import signal
import subprocess
from contextlib import suppress

import psutil
import pytest

from tacenda.pipelines.output.output_folder import MARKERS
from tests.folders import files_in
from tests.halting import UNITS, halted_in_the_middle, staged_units, tacenda
from tests.waiting import PATIENCE_S, wait_until

pytestmark = [pytest.mark.flink, pytest.mark.slow]

GOES_ON = "the same command resumes where it stopped\n"
ENDED = {*MARKERS.values(), "manifest.json"}
LONG_AGO = 1e9
SEEDS = int(os.environ.get("TACENDA_KILLS", "0"))
"""Seeded moments at which the whole cluster is killed; none unless asked for, since each starts it again."""

TRIES = 3
"""On a busy machine Flink may give a job up; then the command is run again, as it says."""


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
    assert "gave up the job: its Python workers do not answer (is the worker pool running?)" in told
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


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_run_survives_kill_9_of_driver_and_whole_cluster(running, source, whole, tmp_path, seed):
    draw = random.Random(seed)
    folder = tmp_path / "out"
    command = _command(source, folder, *running.options)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    units = draw.randrange(UNITS)
    wait_until(lambda: process.poll() is not None or len(staged_units(folder)) >= units)
    doomed = [process.pid, *running.script.our_processes()]
    draw.shuffle(doomed)
    for pid in doomed:
        with suppress(psutil.NoSuchProcess):
            psutil.Process(pid).kill()
    process.communicate(timeout=PATIENCE_S)

    running.restart()
    # Nobody writes the lease any more; we do not wait for its end.
    with suppress(FileNotFoundError):
        os.utime(folder / ".tacenda" / "lease.json", (LONG_AGO, LONG_AGO))
    for number in range(TRIES):
        again = _run(command)
        if again.returncode == 0:
            break
        running.keep_logs(tmp_path / f"flink_logs_{number}")
        assert again.stderr.endswith(GOES_ON), f"seed {seed}: {again.stderr}"
    assert again.returncode == 0, f"seed {seed}: {again.stderr}"
    assert files_in(folder) == whole
