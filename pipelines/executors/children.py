"""Child processes: how they follow their parent's end, and how it stops them."""

import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psutil

WORKER_KILLED = (
    "a worker process was killed (out of memory?); fewer --workers or a smaller --unit-bytes need less"
)

END_S = 5
"""Killed is not yet gone: a process with much memory takes a moment."""

_LOOK_S = 0.5


@contextmanager
def deaf() -> Iterator[None]:
    """Hold signals back while processes start: a new one would end with a traceback before it ``follow``s."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow(parent: int) -> None:
    """Live as long as the process that started this one, which alone hears signals and ends its children.

    ``parent`` is its id; not ``os.getppid()``, as it may be dead by now. Where it was killed, this process ends
    with code 1.
    """
    # As a terminal sends them, signals are for the whole group: the parent would take its workers for killed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), name="follow", daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    os._exit(1)


def kill_children() -> None:
    """Kill all processes that this one started, and wait for their end."""
    kill(psutil.Process().children(recursive=True))


def kill(processes: Sequence[psutil.Process]) -> None:
    """Kill some processes, and wait for their end."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=END_S)
