"""A run that is stopped, killed or out of space ends at once with one line; the same command finishes it."""

import json
import os
import re
import resource
import signal
import subprocess

import psutil
import pytest

from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.executors import local
from tacenda.pipelines.output.output_folder import prepare_output
from tacenda.pipelines.startup.launch import prepare
from tests.end_to_end.test_anonymize import SECRET, with_secret
from tests.folders import files_in
from tests.halting import UNITS, halted_in_the_middle, staged_units, tacenda, write_calls
from tests.talks import talk, write_lines
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.slow

STOPPED = re.compile(
    r"tacenda: stopped(, \d+ finished work units? kept)?; the same command resumes where it stopped\n"
)
KILLED = "tacenda: a worker process was killed"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    # Some ids stand twice, so that units are processed again.
    return write_calls(tmp_path_factory.mktemp("source") / "in.jsonl", (i % 2_990 for i in range(3_000)))


@pytest.fixture(scope="module")
def whole(source, tmp_path_factory):
    """The output of an undisturbed run."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    done = _run(source, folder, 1)
    assert done.returncode == 0, done.stderr
    return files_in(folder)


def _command(source, output, workers):
    words = ["--input", source, "--output", output, "--workers", workers, "--detector", "rules"]
    words += ["--unit-bytes", source.stat().st_size // UNITS]
    return tacenda("anonymize", *words)


def _run(source, output, workers, **more):
    command = _command(source, output, workers)
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False, **more)


def _unfinished(folder):
    return list(folder.rglob(".*.tmp"))


def _end_in_the_middle(source, folder, workers, end, environment):
    """Start a run, end it after some units; its exit code and output. No process may remain."""
    process = halted_in_the_middle(_command(source, folder, workers), folder, environment)
    try:
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= workers - 1
        end(process.pid)
        os.killpg(process.pid, signal.SIGCONT)
        out, err = process.communicate(timeout=PATIENCE_S)
        _, alive = psutil.wait_procs(children, timeout=PATIENCE_S)
        assert not [child for child in alive if child.status() != "zombie"]
    finally:
        process.kill()
    assert 2 <= len(staged_units(folder)) < UNITS
    assert not {"_SUCCESS", "_HELD", "manifest.json"} & {path.name for path in folder.iterdir()}
    return process.returncode, out, err


@pytest.mark.parametrize(
    ("workers", "number", "to_all"),
    [
        (1, signal.SIGINT, False),
        (1, signal.SIGTERM, False),
        (2, signal.SIGINT, True),  # as a terminal sends it
        (2, signal.SIGTERM, False),
    ],
)
def test_a_stopped_run_leaves_no_temporary_files_and_resumes(
    source, whole, tmp_path, workers, number, to_all
):
    folder, temporary = tmp_path / "out", tmp_path / "tmp"
    temporary.mkdir()
    code, out, err = _end_in_the_middle(
        source,
        folder,
        workers,
        lambda pid: (os.killpg if to_all else os.kill)(pid, number),
        {"TMPDIR": str(temporary)},
    )
    assert (code, out) == (130, "")
    assert STOPPED.fullmatch(err)
    assert _unfinished(folder) == []
    assert [path.name for path in temporary.iterdir()] in ([], [f"tacenda-{os.getuid()}"])
    again = _run(source, folder, workers)
    assert again.returncode == 0, again.stderr
    assert files_in(folder) == whole


def test_a_second_run_into_the_same_output_is_refused(source, whole, tmp_path):
    folder = tmp_path / "out"
    first = halted_in_the_middle(_command(source, folder, 1), folder)
    try:
        second = _run(source, folder, 1)
        assert (second.returncode, second.stdout) == (2, "")
        assert f"process {first.pid} on " in second.stderr
        assert second.stderr.count("\n") == 1
        os.killpg(first.pid, signal.SIGCONT)
        _, err = first.communicate(timeout=PATIENCE_S)
    finally:
        first.kill()
    assert first.returncode == 0, err
    assert files_in(folder) == whole


def test_a_run_whose_output_was_taken_over_publishes_nothing_more(source, whole, tmp_path):
    folder = tmp_path / "out"
    first = halted_in_the_middle(_command(source, folder, 2), folder)
    try:
        lease = folder / ".tacenda" / "lease.json"
        lease.write_text(json.dumps({**json.loads(lease.read_text()), "machine": "another", "token": "x"}))
        os.killpg(first.pid, signal.SIGCONT)
        _, err = first.communicate(timeout=PATIENCE_S)
    finally:
        first.kill()
    assert first.returncode == 1
    assert "another run took over the output folder" in err
    assert err.count("\n") == 1
    assert json.loads(lease.read_text())["token"] == "x"
    assert not {"_SUCCESS", "_HELD", "manifest.json"} & {path.name for path in folder.iterdir()}
    lease.unlink()
    assert _run(source, folder, 1).returncode == 0
    assert files_in(folder) == whole


def test_workers_end_when_the_driver_is_killed(source, whole, tmp_path):
    folder = tmp_path / "out"
    code, _, _ = _end_in_the_middle(source, folder, 2, lambda pid: os.kill(pid, signal.SIGKILL), {})
    assert code == -signal.SIGKILL
    assert _run(source, folder, 1).returncode == 0
    assert files_in(folder) == whole  # unfinished files are gone with it


@pytest.mark.parametrize(("workers", "what"), [(1, "unit 000"), (2, "part 00000 ")])
def test_a_full_disk_is_reported_in_one_line(source, whole, tmp_path, workers, what):
    """A limit on file sizes simulates a full disk; a part, of several units, is the largest file of a run."""
    limit = 2000 if what.startswith("unit") else max(map(len, whole.values())) - 1
    folder = tmp_path / "out"
    # What is compiled for all runs is greater than any file of this one, and stands already.
    done = _run(
        source,
        folder,
        workers,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)),
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"tacenda: {what}"), done.stderr
    assert "OSError, File too large" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not {"_SUCCESS", "_HELD"} & {path.name for path in folder.iterdir()}
    again = _run(source, folder, workers)
    assert again.returncode == 0, again.stderr
    assert files_in(folder) == whole


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_leaves_no_original_text(tmp_path, workers):
    source, output, temporary = tmp_path / "in.jsonl", tmp_path / "out", tmp_path / "tmp"
    temporary.mkdir()
    write_lines(source, (talk(f"c{i}", *[f"write to {SECRET} today"] * 8) for i in range(3_000)))
    words = ["--workers", workers, "--detector", "rules", "--unit-bytes", source.stat().st_size // UNITS]
    command = tacenda("anonymize", "--input", source, "--output", output, *words)
    process = halted_in_the_middle(command, output, {"TMPDIR": str(temporary)})
    try:
        assert with_secret(output, temporary) == []
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=PATIENCE_S)
    assert list(output.rglob("*"))
    assert with_secret(output, temporary) == []


def test_a_killed_worker_ends_the_run_and_the_same_command_resumes_it(source, whole, tmp_path):
    folder = tmp_path / "out"
    process = halted_in_the_middle(_command(source, folder, 2), folder)
    try:
        workers = _workers(process.pid)
        assert len(workers) == 2
        workers[0].kill()
        os.killpg(process.pid, signal.SIGCONT)
        out, err = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    assert (process.returncode, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(KILLED)
    # Killed is not yet gone: a process with much memory takes a moment to end.
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE_S)
    assert not [worker for worker in alive if worker.is_running() and worker.status() != "zombie"]
    assert not [path.name for path in folder.iterdir() if path.name.startswith("_")]
    assert staged_units(folder)
    again = _run(source, folder, 2)
    assert again.returncode == 0, again.stderr
    assert files_in(folder) == whole


def _workers(pid):
    return [
        child
        for child in psutil.Process(pid).children(recursive=True)
        if "multiprocessing.forkserver" in " ".join(child.cmdline())
        and "python" in os.path.basename(child.cmdline()[0])
        and not child.children()  # the server that workers are forks of
    ]


def test_turn_rows_on_disk_give_the_same_bytes(tmp_path, monkeypatch):
    of = [
        {"conversation_id": i % 11, "turn_index": i, "text": f"Pam: {i % 5}@example.com"} for i in range(200)
    ]
    source = write_lines(tmp_path / "in.jsonl", of)
    for name, memory in (("memory", 1 << 20), ("disk", 1)):
        monkeypatch.setattr(local, "SPILL_BYTES", memory)
        words = ["--input", str(source), "--detector", "rules", "--workers", "1", "--unit-bytes", "2000"]
        arguments = parser_of("anonymize").parse_args([*words, "--output", str(tmp_path / name)])
        plan, job = prepare("anonymize", arguments)
        prepare_output(job, False)
        local.run_in_loop(plan, job)
    assert len(plan.partitions) > 2
    assert files_in(tmp_path / "disk") == files_in(tmp_path / "memory")
