"""Alternating rounds: measure several things in turn, so that slow phases of a machine affect all."""

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True)
class Spread:
    """The median, minimum and maximum of several rounds."""

    median: float
    least: float
    most: float

    @staticmethod
    def of(values: Sequence[float]) -> "Spread":
        return Spread(statistics.median(values), min(values), max(values))


@dataclass(frozen=True)
class Usage:
    """The cost of a command including child processes: seconds, and megabytes of the largest process."""

    cpu_s: float
    wall_s: float
    peak_mb: float


def alternate(stages: Mapping[str, Callable[[], Result]], rounds: int) -> dict[str, list[Result]]:
    """The results of each stage, run once a round; the first round of each warms up and does not count."""
    every = [{name: run() for name, run in stages.items()} for _ in range(rounds + 1)]
    return {name: [one[name] for one in every[1:]] for name in stages}


def speed(amount: float, seconds: Sequence[float]) -> Spread:
    """``amount`` per second."""
    return Spread.of([amount / taken for taken in seconds])


def ratio(baseline: Sequence[float], seconds: Sequence[float]) -> Spread:
    """The speed relative to the baseline of the same round."""
    return Spread.of([base / taken for base, taken in zip(baseline, seconds, strict=True)])


def usage(command: Sequence[object]) -> Usage:
    """Run a command to its end; it may keep bytecode, as an installed package does.

    Raises:
        SystemExit: it failed; 3, a run that was held, is no failure.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begin = time.perf_counter()
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(map(str, command))}: exit {process.returncode}")
    return Usage(used.ru_utime + used.ru_stime, time.perf_counter() - begin, used.ru_maxrss / 1024)
