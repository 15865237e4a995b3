"""Cut out the surroundings of digits: all that short numeric patterns need to see of a cell."""

import numpy as np
import numpy.typing as npt

from tacenda.transforms.text.utf8 import SEPARATOR, Buffer

REACH = 48
"""Bytes on either side of a figure: a match that holds it and is no longer lies in them with its neighbours."""

_NEARLY_ALL = 0.75
"""Share of the bytes from which on taking excerpts costs more than it saves."""

_IS_FIGURE = bytes(byte in b"0123456789" for byte in range(256))


class Excerpts:
    """The surroundings of all figures of a buffer, parted by the separator of cells.

    They may hold the ends of cells, which are what they are in the buffer.
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
        """The cells that bytes of ``data`` are in."""
        if self._starts is not None:
            k = np.searchsorted(self._firsts, places, side="right") - 1
            places = self._starts[k] + places - self._firsts[k]
        return self._buffer.cells_of(places)
