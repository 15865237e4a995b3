"""Work unit: what one task reads, processes and writes."""

from dataclasses import dataclass
from typing import Literal

Encoding = Literal["parquet", "jsonl"]
Compression = Literal["gzip", "zstd"] | None


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """A range of one input file.

    ``start`` and ``stop`` count row groups in a Parquet file and bytes in uncompressed JSON lines (a line
    belongs to the unit in which it starts); a compressed file is one unit, ``0`` to its size. ``first_row`` is
    the number of the unit's first row in its file where the format tells it, else 0. ``size_bytes`` is an
    estimate of the work, for progress only.
    """

    ordinal: int
    url: str
    encoding: Encoding
    compression: Compression
    start: int
    stop: int
    first_row: int
    size_bytes: int

    @property
    def name(self) -> str:
        """The part of every output name that makes it this unit's own."""
        return f"{self.ordinal:05d}"


@dataclass(frozen=True, slots=True)
class Partition:
    """One hash partition of turn-a-row input: all rows of the conversations that fall into it."""

    ordinal: int
    size_bytes: int

    @property
    def name(self) -> str:
        """The part of every output name that makes it this partition's own."""
        return f"h{self.ordinal:05d}"
