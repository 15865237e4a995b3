"""Cut out the surroundings of digits: the only parts of a cell that short numeric patterns need."""

import numpy as np
import numpy.typing as npt

from tacenda.transforms.text.utf8 import SEPARATOR, Buffer

REACH = 48
"""Bytes on either side of a digit: enough for any match up to this length that has the digit, plus
neighbours."""

_NEARLY_ALL = 0.75
"""Above this share of the bytes, excerpts cost more than they save."""

_IS_FIGURE = bytes(byte in b"0123456789" for byte in range(256))


class Excerpts:
    """The surroundings of all digits of a buffer, separated like cells.

    They may include the ends of cells, unchanged.
    """

    def __init__(self, buffer: Buffer) -> None:
        figures = np.flatnonzero(np.frombuffer(buffer.data.translate(_IS_FIGURE), dtype=np.uint8))
        begins = np.flatnonzero(np.diff(figures, prepend=-3 * REACH) > 2 * REACH)
        starts = np.maximum(figures[begins] - REACH, 0)
        ends = np.minimum(np.append(figures[begins[1:] - 1], figures[-1:]) + REACH + 1, len(buffer.data))
        self._buffer = buffer
        self._starts: npt.NDArray[np.int64] | None = None
        self.data = buffer.data
        if (ends - starts).sum() < _NEARLY_ALL * len(buffer.data):
            spans = zip(starts.tolist(), ends.tolist(), strict=True)
            self.data = SEPARATOR.join([buffer.data[start:end] for start, end in spans])
            self._starts = starts
            self._firsts = np.cumsum(ends - starts + 1) - (ends - starts + 1)

    def cells_of(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The cells of some byte positions in ``data``."""
        if self._starts is not None:
            k = np.searchsorted(self._firsts, places, side="right") - 1
            places = self._starts[k] + places - self._firsts[k]
        return self._buffer.cells_of(places)
