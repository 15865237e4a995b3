"""Processes of a run are killed at random moments; the same command ends as an undisturbed run.

``TACENDA_KILLS=50`` tries 50 seeds. None are tried unless asked for: when a process dies depends on the
machine, so a failure needs a person to look at it. Other files always test an end at each step in turn.
"""

import os
import random
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.folders import files_in
from tests.halting import UNITS, tacenda, write_calls
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.slow

SEEDS = int(os.environ.get("TACENDA_KILLS", "0"))

LONGEST_S = 4.0
"""Every kill falls into this time from the start of a command, which is about as long as a whole run."""

KILLS = 4
"""In each run; then it is let go on to its end."""

KILLED = "tacenda: a worker process was killed"

EXECUTORS = {
    "loop": ["--workers", "1"],
    "pool": ["--workers", "2"],
    "FnApiRunner": ["--workers", "2", "--runner=FnApiRunner"],
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Some ids stand twice, so that units are processed again.
    return write_calls(tmp_path_factory.mktemp("source") / "in.jsonl", (i % 2_990 for i in range(3_000)))


@pytest.fixture(scope="module")
def whole(source: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The output of an undisturbed run."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    process = _start(source, folder, EXECUTORS["loop"])
    _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, err
    return files_in(folder)


def _start(source: Path, folder: Path, executor: list[str]) -> "subprocess.Popen[str]":
    words = ["--input", source, "--output", folder, "--detector", "rules", *executor]
    words += ["--unit-bytes", source.stat().st_size // UNITS]
    return subprocess.Popen(
        tacenda("anonymize", *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_run_survives_kills_at_random_moments(
    source: Path, whole: dict[str, bytes], tmp_path: Path, seed: int
) -> None:
    draw = random.Random(seed)
    folder = tmp_path / "out"
    for _ in range(KILLS):
        executor = EXECUTORS[draw.choice(sorted(EXECUTORS))]
        process = _start(source, folder, executor)
        victim = draw.choice(["driver", "worker", "all"])
        code, out, err = _killed(process, victim, draw.uniform(0.2, LONGEST_S), draw)
        told = f"seed {seed}, {executor}, {victim}: {code} {out}{err}"
        # Killed; or over before; or a worker was killed, and one line says so.
        assert code in (-signal.SIGKILL, 0) or (code == 1 and err.startswith(KILLED)), told
        assert code != 1 or err.count("\n") == 1, told
    process = _start(source, folder, EXECUTORS["pool"])
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, f"seed {seed}: {err}"
    assert files_in(folder) == whole


def _killed(
    process: "subprocess.Popen[str]", victim: str, moment_s: float, draw: random.Random
) -> tuple[int, str, str]:
    """Kill the driver, one of its workers, or all of them, after some time; exit code and output."""
    with suppress(subprocess.TimeoutExpired):
        out, err = process.communicate(timeout=moment_s)
        return process.returncode, out, err
    family = psutil.Process(process.pid).children(recursive=True)
    if victim == "all":
        os.killpg(process.pid, signal.SIGKILL)
    chosen = draw.choice(family) if victim == "worker" and family else psutil.Process(process.pid)
    with suppress(psutil.NoSuchProcess):
        chosen.kill()
    out, err = process.communicate(timeout=PATIENCE_S)
    psutil.wait_procs(family, timeout=PATIENCE_S)
    return process.returncode, out, err
