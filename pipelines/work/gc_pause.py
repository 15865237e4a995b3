"""Pause Python's cycle collector while a unit is processed.

Batches consist of hundreds of thousands of lists and tuples without cycles, which reference counting frees.
The cycle collector would still scan them repeatedly: this took half of the time of a run with hardly any
detection.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_LOCK = Lock()
_at_rest = 0
_was_enabled = False


@contextmanager
def gc_paused() -> Iterator[None]:
    """Disable cycle collection in all threads during the block; blocks may nest and overlap."""
    global _at_rest, _was_enabled
    with _LOCK:
        if not _at_rest:
            _was_enabled = gc.isenabled()
            gc.disable()
        _at_rest += 1
    try:
        yield
    finally:
        with _LOCK:
            _at_rest -= 1
            if not _at_rest and _was_enabled:
                gc.enable()


def collect_young() -> None:
    """Collect the cycles left by the last batch; cheap once the batch itself has been freed."""
    gc.collect(1)
