"""Wait for another thread or process, on a busy machine."""

import time
from collections.abc import Callable

PATIENCE_S = 600.0
"""Whoever waits so long waits for something that hangs. It says nothing about how quick anything is."""


def wait_until(condition: Callable[[], bool], step_s: float = 0.005) -> None:
    """Return once a condition holds; it is checked every ``step_s`` seconds."""
    until = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until
        time.sleep(step_s)
