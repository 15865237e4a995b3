"""Compare the time, work or memory of two runs, on a busy machine."""

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

_FOLD = 8
_LEAST_S = 0.002
_ROUNDS = 12


def takes_at_most(times: float, run: Callable[[], object], beside: Callable[[], object]) -> bool:
    """Whether ``run`` takes at most so many times the seconds of the other.

    Both are timed in turn, the best of each is kept, and what is over the bound is measured again: a neighbour
    makes a run slower and never quicker.
    """
    beside()
    long = short = float("inf")
    for _ in range(_ROUNDS):
        short = min(short, _seconds(beside))
        long = min(long, _seconds(run))
        if long < times * max(short, _LEAST_S):
            return True
    return False


def grows_linearly(run: Callable[[int], object], size: int) -> bool:
    """Whether eight times the input takes closer to 8 times as long (linear) than to 64 times."""
    return takes_at_most(_FOLD**1.5, lambda: run(_FOLD * size), lambda: run(size))


def is_linear_work(run: Callable[[int], object], size: int) -> bool:
    """Whether eight times the input runs fewer than twelve times as many lines of Python.

    Unlike time, lines are the same on every machine. What a library does within one line is not seen.
    """
    run(_FOLD * size)  # what is looked up again is cached in both
    return _lines(lambda: run(_FOLD * size)) < 1.5 * _FOLD * _lines(lambda: run(size))


def _lines(run: Callable[[], object]) -> int:
    count = 0

    def trace(_frame: object, event: str, _argument: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def peak_bytes(command: Sequence[object]) -> int:
    """The peak memory of a command's largest process; exit code 3, held, is accepted."""
    with subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 3)
    return used.ru_maxrss * 1024


def _seconds(run: Callable[[], object]) -> float:
    """This thread's CPU time for one run; the garbage collector's grows with everything in the process."""
    collects = gc.isenabled()
    gc.disable()
    try:
        start = time.thread_time()
        run()
        return time.thread_time() - start
    finally:
        if collects:
            gc.enable()
