"""The processes that this one started."""

from collections.abc import Sequence
from contextlib import suppress

import psutil

WORKER_KILLED = (
    "a worker process was killed (out of memory?); fewer --workers or a smaller --unit-bytes need less"
)

END_S = 5
"""Killed is not yet gone: a process with much memory takes a moment."""


def kill_children() -> None:
    """Kill all processes that this one started, and wait for their end."""
    kill(psutil.Process().children(recursive=True))


def kill(processes: Sequence[psutil.Process]) -> None:
    """Kill some processes, and wait for their end."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=END_S)
