"""TokenTable: the tokens of a column, from the point of view of one language, as arrays."""

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.spoken.folded_column import Bytes, FoldedColumn, Offsets, byte_of
from tacenda.transforms.detecting.spoken.vocabulary import BEFORE_JOINER, COMPOUND, STRONG, Vocabulary

Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]

_MOST_DIGITS_OF_COMPOUND = 9


def byte_table(characters: str) -> Flags:
    """A table of the bytes of some folded characters."""
    table = np.zeros(256, dtype=np.bool_)
    table[list(map(byte_of, characters))] = True
    return table


def among(some: Bytes, table: Flags) -> Flags:
    """``table[some]`` without converting every byte to an index of eight bytes."""
    return np.frombuffer(some.tobytes().translate(table.tobytes()), dtype=np.bool_)


class TokenTable:
    """Tokens of a column in one language: positions, kinds, first bytes and roles.

    Args:
        column: the texts.
        numbers: the vocabulary numbers of the tokens' words.
        vocabulary: that of several languages.
        language: one of them, by its index.
        chosen: the tokens to include, ascending; None for all.
    """

    def __init__(
        self,
        column: FoldedColumn,
        numbers: npt.NDArray[np.int16],
        vocabulary: Vocabulary,
        language: int,
        chosen: Offsets | None = None,
    ) -> None:
        every = slice(None) if chosen is None else chosen
        self.starts = column.starts[every]
        self.ends = column.ends[every]
        self.kinds = column.kinds[every]
        self.bytes = column.data[self.starts]
        self.roles = vocabulary.roles[language].take(numbers[every])
        self._numbers = numbers[every]
        self._digits = vocabulary.digits[language]
        self._known = np.flatnonzero(self.roles)
        self._roles_of_known = self.roles[self._known]

    def mark(self, compounds: Offsets) -> None:
        """Mark some tokens as numbers of several parts."""
        self.roles[compounds] |= STRONG | BEFORE_JOINER | COMPOUND
        self._known = np.flatnonzero(self.roles)
        self._roles_of_known = self.roles[self._known]

    def where(self, mask: int) -> Offsets:
        """The tokens that have one of some roles."""
        some: Offsets = self._known[(self._roles_of_known & mask) != 0]
        return some

    def digits(self, tokens: Offsets) -> Counts:
        """The maximum number of digits of number words."""
        digits: Counts = self._digits.take(self._numbers[tokens]).astype(np.int64)
        digits[(self.roles[tokens] & COMPOUND) != 0] = _MOST_DIGITS_OF_COMPOUND
        return digits

    def glued_before(self, tokens: Offsets) -> Flags:
        """Whether each token touches the previous one."""
        before = np.maximum(tokens - 1, 0)
        glued: Flags = (self.ends[before] == self.starts[tokens]) & (tokens > 0)
        return glued
