"""TokenColumns: the tokens of a batch of cells, as arrays."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Int32s = npt.NDArray[np.int32]
Int8s = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class TokenColumns:
    """The tokens of some cells, concatenated.

    ``starts`` and ``ends`` are half-open code point offsets in the cell's text; cell ``i`` has the tokens
    ``first_token[i]:first_token[i + 1]``.
    """

    ids: Int32s
    starts: Int32s
    ends: Int32s
    cases: Int8s
    first_token: Int32s

    def places(self, origins: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Starts and ends of the tokens in a text in which the cells begin at ``origins``."""
        shift = np.repeat(origins[:-1], np.diff(self.first_token))
        return self.starts + shift, self.ends + shift

    def with_more(self, other: "TokenColumns") -> "TokenColumns":
        """Concatenate the cells with those of another."""
        return TokenColumns(
            np.concatenate((self.ids, other.ids)),
            np.concatenate((self.starts, other.starts)),
            np.concatenate((self.ends, other.ends)),
            np.concatenate((self.cases, other.cases)),
            np.concatenate((self.first_token, self.first_token[-1] + other.first_token[1:])),
        )

    def at(self, cells: npt.NDArray[np.int64], shifts: npt.NDArray[np.int64]) -> "TokenColumns":
        """The tokens of the given cells, which may repeat, with each cell's offsets moved by its shift."""
        counts = np.diff(self.first_token)[cells]
        first = np.zeros(len(cells) + 1, np.int32)
        np.cumsum(counts, out=first[1:])
        token = np.repeat(self.first_token[cells] - first[:-1], counts) + np.arange(first[-1], dtype=np.int32)
        shift = np.repeat(shifts.astype(np.int32), counts)
        return TokenColumns(
            self.ids[token], self.starts[token] + shift, self.ends[token] + shift, self.cases[token], first
        )
