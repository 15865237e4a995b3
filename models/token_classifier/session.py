"""The interface of a model session: rows of tokens in, class scores out."""

from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


class Session(Protocol):
    """A loaded network.

    ``budget`` is the optimal number of places in a call. ``pads``: rows of one call may differ in length, the
    shorter ones padded and masked. ``gated``: the network drops places between layers; these have logit 0 for
    every class but O. ``arithmetic`` names what else its scores depend on: the library, its version and the
    number of threads.
    """

    budget: int
    pads: bool
    gated: bool
    arithmetic: str

    def scores(self, ids: Ints, mask: Ints, types: Ints) -> Floats:
        """Logits (rows, places, classes) of inputs (rows, places).

        ``mask`` is 0 for padding, ``types`` are the token types. Equal input gives equal output on the same
        machine.
        """
        ...

    def scores_of(self, several: Iterable[tuple[Ints, Ints, Ints]], whole: bool = False) -> Iterator[Floats]:
        """Scores of several inputs, in order; a session may read ahead.

        ``whole``: switch the gates off, so that no place is dropped.
        """
        ...
