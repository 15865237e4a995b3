"""Worker processes: any number writes the same bytes; if one is killed, the run ends and can be resumed."""

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import psutil
import pytest

from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.executors import local
from tacenda.pipelines.output.output_folder import prepare_output
from tacenda.pipelines.startup.launch import prepare
from tests.folders import files_in
from tests.halting import UNITS, halted_in_the_middle, staged_units, tacenda
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.slow

WORKERS = ("tacenda.pipelines.executors.local_worker", "multiprocessing.forkserver")
KILLED = "tacenda: a worker process was killed"


def _records(shape: str, count: int) -> list[dict[str, Any]]:
    if shape == "turns":
        return [
            {
                "conversation_id": i % 11,
                "turn_index": i,
                "speaker": "Pam",
                "text": f"Pam: {i % 5}@example.com",
            }
            for i in range(count)
        ]
    turns = [{"speaker": "Pam", "text": "Pam here, write to ann@example.com or call 555-0100"}]
    # Some ids stand twice, in other units.
    return [
        {"conversation_id": f"c{i % (count - 9)}", "context": "xyz"[i % 3], "turns": turns}
        for i in range(count)
    ]


def _write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def _run(*words: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(tacenda(*words), capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def test_turn_rows_on_disk_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = _write(tmp_path / "in.jsonl", _records("turns", 200))
    for name, memory in (("memory", 1 << 20), ("disk", 1)):
        monkeypatch.setattr(local, "SPILL_BYTES", memory)
        words = ["--input", str(source), "--detector", "rules", "--workers", "1", "--unit-bytes", "2000"]
        arguments = parser_of("anonymize").parse_args([*words, "--output", str(tmp_path / name)])
        plan, job = prepare("anonymize", arguments)
        prepare_output(job, False)
        local.run_in_loop(plan, job)
    assert len(plan.partitions) > 2
    assert files_in(tmp_path / "disk") == files_in(tmp_path / "memory")


@pytest.mark.parametrize("runner", [[], ["--runner=FnApiRunner"]], ids=["pool", "FnApiRunner"])
def test_a_killed_worker_ends_the_run_and_the_same_command_resumes_it(
    tmp_path: Path, runner: list[str]
) -> None:
    source = _write(tmp_path / "in.jsonl", _records("conversation", 12_000))
    words = [
        "anonymize",
        "--input",
        source,
        "--unit-bytes",
        source.stat().st_size // UNITS,
        "--workers",
        2,
        *runner,
    ]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    process = halted_in_the_middle(tacenda(*words, "--output", broken), broken)
    try:
        workers = _workers(process.pid)
        assert len(workers) == 2
        workers[0].kill()
        os.killpg(process.pid, signal.SIGCONT)
        out, err = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    assert process.returncode == 1
    assert out == ""
    assert err.startswith(KILLED)
    assert err.count("\n") == 1
    # Killed is not yet gone: a process with much memory takes a moment to end.
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE_S)
    assert not [worker for worker in alive if worker.is_running() and worker.status() != "zombie"]
    assert not [path.name for path in broken.iterdir() if path.name.startswith("_")]
    assert staged_units(broken)

    again = _run(*words, "--output", broken)
    assert again.returncode == 0, again.stderr
    undisturbed = _run(*words, "--output", whole)
    assert undisturbed.returncode == 0, undisturbed.stderr
    assert files_in(broken) == files_in(whole)


def _workers(pid: int) -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process(pid).children(recursive=True)
        if any(worker in " ".join(child.cmdline()) for worker in WORKERS)
        and "python" in os.path.basename(child.cmdline()[0])
        and not child.children()  # the server that workers are forks of
    ]
