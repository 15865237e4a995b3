"""Facts: what the lists know about every word of a text, as bits."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.names.lists import Levels

Flags = npt.NDArray[np.bool_]
Kinds = npt.NDArray[np.uint16]

_Number = TypeVar("_Number", bound=np.unsignedinteger)

_LEVELS_IN_A_BYTE, _FLAGS_IN_A_BYTE = 4, 8

_AT_ONCE = 1 << 16
"""Words looked up at once: a block that fits into a fast cache."""


def gathered(table: npt.NDArray[_Number], kinds: npt.NDArray[np.integer]) -> npt.NDArray[_Number]:
    """``table[kinds]``, faster."""
    values = np.empty(len(kinds), dtype=table.dtype)
    for first in range(0, len(kinds), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        np.take(table, kinds[some], out=values[some], mode="clip")
    return values


class FactTable:
    """Levels (0 to 3) and flags of each kind of word, packed into bytes."""

    def __init__(self, levels: Mapping[str, Levels], flags: Mapping[str, Flags]) -> None:
        self.places = {
            **{name: divmod(i, _LEVELS_IN_A_BYTE) for i, name in enumerate(levels)},
            **{name: divmod(i, _FLAGS_IN_A_BYTE) for i, name in enumerate(flags)},
        }
        self.levels = _packed(list(levels.values()), _LEVELS_IN_A_BYTE)
        self.flags = _packed([flag.astype(np.uint8) for flag in flags.values()], _FLAGS_IN_A_BYTE)


class Facts:
    """The levels and flags of some words."""

    def __init__(self, table: FactTable, kinds: Kinds) -> None:
        self._places = table.places
        self._levels = [gathered(column, kinds) for column in table.levels]
        self._flags = [gathered(column, kinds) for column in table.flags]

    def level(self, name: str) -> Levels:
        """One level of each word."""
        column, place = self._places[name]
        values: Levels = (self._levels[column] >> np.uint8(2 * place)) & np.uint8(3)
        return values

    def flag(self, name: str) -> Flags:
        """One flag of each word."""
        column, place = self._places[name]
        values: Flags = (self._flags[column] & np.uint8(1 << place)) != 0
        return values


def _packed(columns: Sequence[Levels], in_a_byte: int) -> list[Levels]:
    packed = []
    bits = 8 // in_a_byte
    for first in range(0, len(columns), in_a_byte):
        byte = np.zeros_like(columns[0])
        for place, column in enumerate(columns[first : first + in_a_byte]):
            byte |= column << np.uint8(bits * place)
        packed.append(byte)
    return packed
