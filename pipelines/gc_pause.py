"""Pause Python's cycle collector while a unit is processed.

Batches are made of hundreds of thousands of lists and tuples, none of which points back to where it came from,
so that counting references frees them all. The collector walks through them again and again nevertheless: that
was half of the time of a run with next to no detection.
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
    """Collect no cycles inside the block, nor in other threads; blocks may nest and overlap."""
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
    """What cycles the last batch left behind; cheap as long as the batch itself is gone."""
    gc.collect(1)
