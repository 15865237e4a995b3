"""Child processes: end them with their parent, or kill them."""

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
"""Time for killed processes to disappear; one with much memory takes a moment."""

_LOOK_S = 0.5


@contextmanager
def deaf() -> Iterator[None]:
    """Block signals while processes start: before ``follow``, a new one would die with a traceback."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow(parent: int) -> None:
    """Ignore signals, which the parent handles, and exit with code 1 when the parent dies.

    ``parent`` is its process id; ``os.getppid()`` would be wrong if the parent has died already.
    """
    # Terminals signal the whole process group: the parent would think that its workers were killed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), name="follow", daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    os._exit(1)


def kill_children() -> None:
    """Kill all descendant processes and wait for them to end."""
    kill(psutil.Process().children(recursive=True))


def kill(processes: Sequence[psutil.Process]) -> None:
    """Kill some processes and wait for them to end."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=END_S)
