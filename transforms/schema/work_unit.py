"""Work unit: what one task reads, processes and writes."""

from dataclasses import dataclass
from string import ascii_lowercase
from typing import Literal

Encoding = Literal["parquet", "jsonl"]
Compression = Literal["gzip", "zstd"] | None

_DIGITS = 5


def unit_name(ordinal: int) -> str:
    """The name of the work unit of a number; names sort as numbers do.

    >>> unit_name(7)
    '00007'
    >>> unit_name(99_999) < unit_name(100_000) < unit_name(1_000_000)
    True
    """
    digits = f"{ordinal:0{_DIGITS}d}"
    more = len(digits) - _DIGITS
    # A letter sorts behind every digit, and a later one behind it: more digits are a greater number.
    return f"{ascii_lowercase[more - 1]}{digits}" if more else digits


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """A range of one input file.

    ``start`` and ``stop`` count row groups in a Parquet file and bytes in uncompressed JSON lines (a line
    belongs to the unit in which it starts); a compressed file is one unit, ``0`` to its size. ``first_row`` is
    the number of the unit's first row in its file where the format tells it, else 0. ``size_bytes`` is an
    estimate of the work, for progress only. ``key`` stands for the file in the ids of records that have none.
    """

    ordinal: int
    url: str
    encoding: Encoding
    compression: Compression
    start: int
    stop: int
    first_row: int
    size_bytes: int
    key: str = ""

    @property
    def name(self) -> str:
        """The part of every output name that makes it this unit's own."""
        return unit_name(self.ordinal)


@dataclass(frozen=True, slots=True)
class Partition:
    """One hash partition of turn-a-row input: all rows of the conversations that fall into it."""

    ordinal: int
    size_bytes: int

    @property
    def name(self) -> str:
        """The part of every output name that makes it this partition's own."""
        return f"h{unit_name(self.ordinal)}"
