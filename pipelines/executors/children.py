"""Child processes: start a pool of them, end them with their parent, kill them, or add up what they find."""

import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import reduce
from multiprocessing import active_children, current_process, forkserver, get_context, parent_process
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import psutil

from tacenda.pipelines.work.error_sanitizing import RunFailedError
from tacenda.transforms.schema.errors import UserError

WORKER_KILLED = (
    "a worker process was killed (out of memory?); fewer --workers or a smaller --unit-bytes need less"
)

END_S = 5
"""Time for killed processes to disappear; one with much memory takes a moment."""

_WORTH_A_PROCESS_BYTES = 1 << 20

Item = TypeVar("Item")
Result = TypeVar("Result")

_LONGEST_BASE = 64
"""Most characters of the folder of temporary files; with it, a socket's path has at most some hundred."""


@contextmanager
def deaf() -> Iterator[None]:
    """Block signals while processes start: before ``follow``, a new one would die with a traceback."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow() -> None:
    """Ignore signals, which the parent handles, and exit with code 1 when the parent dies."""
    # Terminals signal the whole process group: the parent would think that its workers were killed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="follow", daemon=True).start()


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
    os._exit(1)


@contextmanager
def worker_pool(
    workers: int, begin: Callable[..., None] = follow, *arguments: Any
) -> Iterator[ProcessPoolExecutor]:
    """Processes of this machine that run calls until the block ends; an error in the block kills them.

    ``begin`` initialises each of them: its arguments are ``arguments``. It calls ``follow``.

    Raises:
        RunFailedError: a worker was killed.
    """
    # We may have threads of Arrow and gRPC, whose locks a fork would copy in an undefined state. A server that
    # has none imports everything once, and its forks share that.
    context = get_context("forkserver")
    context.set_forkserver_preload([begin.__module__])
    with _server_of_forks():
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=begin, initargs=arguments)
        try:
            with pool:
                try:
                    yield pool
                except BaseException:
                    # The pool waits for its workers, which ignore the signal that it would end them with; and a
                    # worker that was killed may have taken a lock with it that the others wait for.
                    for worker in active_children():
                        worker.kill()
                    raise
        except BrokenProcessPool:
            raise RunFailedError(WORKER_KILLED) from None


@contextmanager
def _server_of_forks() -> Iterator[None]:
    """A folder for the socket of the server that starts processes, which ends with the block.

    ``multiprocessing`` would end it and remove its folder when Python exits, which a command does not wait for.
    """
    us: Any = current_process()
    server: Any = vars(forkserver)["_forkserver"]
    before = us._config.get("tempdir")
    base = tempfile.gettempdir()
    if len(base) > _LONGEST_BASE:
        base = "/tmp"  # noqa: S108 - the folder in it is only ours
    with TemporaryDirectory(prefix="tacenda-", dir=base) as folder:
        us._config["tempdir"] = folder
        try:
            yield
        finally:
            server._stop()
            us._config["tempdir"] = before


def kill(processes: Sequence[psutil.Process]) -> None:
    """Kill some processes and wait for them to end."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=END_S)


def fold(
    items: Sequence[Item],
    of_item: Callable[[Item], Result],
    merge: Callable[[Result, Result], Result],
    workers: int | None,
    text_bytes: int,
) -> Result:
    """The sum of the results of all items, such as parts of the input, in so many processes.

    ``of_item`` may write files whose names depend on the item; like the associative and commutative ``merge``,
    it can be pickled. Without a number of ``workers``, the size of the input, ``text_bytes``, decides.

    Raises:
        UserError: there are no items, as from empty files.
        RunFailedError: a worker was killed.
    """
    if not items:
        raise UserError("--input: the files are empty")
    if workers is None:
        workers = 1 if text_bytes < _WORTH_A_PROCESS_BYTES else os.cpu_count() or 1
    workers = min(workers, len(items))
    if workers == 1:
        return reduce(merge, map(of_item, items))
    with worker_pool(workers) as pool:
        with deaf():
            results = [pool.submit(of_item, item) for item in items]
        return reduce(merge, (result.result() for result in results))
