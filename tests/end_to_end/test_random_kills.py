"""Processes of a run are killed at random moments; the same command ends as an undisturbed run.

A moment is drawn as a number of finished work units and a short time after it, so that a run is hit anywhere
between its start and its end however busy the machine is. ``TACENDA_KILLS=50`` tries 50 seeds, four kills each;
none are tried unless asked for. Other files always test an end at each step in turn.
"""

import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.folders import files_in
from tests.halting import UNITS, staged_units, tacenda, write_calls
from tests.waiting import PATIENCE_S, wait_until

pytestmark = pytest.mark.slow

SEEDS = int(os.environ.get("TACENDA_KILLS", "0"))

LONGEST_S = 0.5
"""Between the unit that a kill waits for and the kill."""

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
        units = draw.randrange(UNITS)
        code, out, err = _killed(process, victim, folder, units, draw)
        told = f"seed {seed}, {executor}, {victim}: {code} {out}{err}"
        # Killed; or over before; or a worker was killed, and one line says so.
        assert code in (-signal.SIGKILL, 0) or (code == 1 and err.startswith(KILLED)), told
        assert code != 1 or err.count("\n") == 1, told
    process = _start(source, folder, EXECUTORS["pool"])
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, f"seed {seed}: {err}"
    assert files_in(folder) == whole


def _killed(
    process: "subprocess.Popen[str]", victim: str, folder: Path, units: int, draw: random.Random
) -> tuple[int, str, str]:
    """Kill the driver, one of its workers, or all of them, when a run has finished so many units.

    Returns exit code and output.
    """
    merging = folder / ".tacenda"
    wait_until(
        lambda: (
            process.poll() is not None or len(staged_units(folder)) >= units or any(merging.glob("*/parts/*"))
        )
    )
    time.sleep(draw.uniform(0, LONGEST_S))
    with suppress(psutil.NoSuchProcess):
        family = [child for child in psutil.Process(process.pid).children(recursive=True) if _works(child)]
        if victim == "all":
            os.killpg(process.pid, signal.SIGKILL)
        chosen = draw.choice(family) if victim == "worker" and family else psutil.Process(process.pid)
        chosen.kill()
        out, err = process.communicate(timeout=PATIENCE_S)
        psutil.wait_procs(family, timeout=PATIENCE_S)
        return process.returncode, out, err
    out, err = process.communicate(timeout=PATIENCE_S)
    return process.returncode, out, err


def _works(child: psutil.Process) -> bool:
    """Whether it is a worker, and not Python's tracker of semaphores, which tells stderr when it is killed."""
    with suppress(psutil.NoSuchProcess):
        return not any("resource_tracker" in word for word in child.cmdline())
    return False
