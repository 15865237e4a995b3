"""The interface of a model session: rows of tokens in, class scores out."""

from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


class Session(Protocol):
    """A loaded network.

    ``budget`` is how many places one call is best given; ``pads``: rows of one call may differ in length, the
    shorter padded and masked. ``gated``: the network holds places back on their way, which then have logit
    0 for every class but O. ``arithmetic`` names what else its scores depend on: the library, its version and
    its threads.
    """

    budget: int
    pads: bool
    gated: bool
    arithmetic: str

    def scores(self, ids: Ints, mask: Ints, types: Ints) -> Floats:
        """Logits, rows by places by classes, of rows by places.

        ``mask`` is 0 where a row is padded, ``types`` the token types. Equal input gives equal output on the
        same machine.
        """
        ...

    def scores_of(self, several: Iterable[tuple[Ints, Ints, Ints]], whole: bool = False) -> Iterator[Floats]:
        """The scores of several inputs, in their order; a session may take the next before it has answered.

        ``whole``: no place is held back.
        """
        ...
