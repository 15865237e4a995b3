"""How full the batches of networks were, for the metrics of a job: counts of this process since last taken."""

from threading import Lock
from typing import NamedTuple


class BatchFill(NamedTuple):
    """Places of all calls of networks, and those of them that held a token rather than padding."""

    places: int = 0
    tokens: int = 0


_lock = Lock()
_since = BatchFill()


def add_batch(places: int, tokens: int) -> None:
    """Count the places of some calls of a network."""
    global _since
    with _lock:
        _since = BatchFill(_since.places + places, _since.tokens + tokens)


def take_batch_fill() -> BatchFill:
    """What was counted since this was last asked; with several threads, that of all of them."""
    global _since
    with _lock:
        taken, _since = _since, BatchFill()
    return taken
