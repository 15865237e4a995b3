"""Parts, work units and blocks: how the input is divided.

A *part* is a run of consecutive input, about 128 MB of text, that becomes one file in each output folder. A
*work unit* is about 1 MB of a part: what one task reads, processes, stages and, if it fails, repeats. Both
are determined by files and options alone, never by the number of workers.

Plain JSON lines and small row groups are read in place, by any worker. Compressed files and large row groups
can only be read from the start: they are read once, and cut into units whose content is sent as a *block*.
"""

from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any, Literal, NamedTuple

from tacenda.transforms.schema.rejection import Rejection
from tacenda.transforms.schema.url_redaction import source_name

Encoding = Literal["parquet", "jsonl"]
Compression = Literal["gzip", "zstd"] | None
LayoutKind = Literal["lines", "array", "objects", "whole", "table", "text"]

_DIGITS = 5


class Layout(NamedTuple):
    """How the records of a text file are laid out.

    JSON has one record a line, all in one array, each over several lines (``objects``), or is one (``whole``).
    A ``table`` has a record a row, with the names of its ``columns`` in the first one and ``delimiter`` between
    cells. ``text`` is one record itself.
    """

    kind: LayoutKind = "lines"
    delimiter: str = ","
    columns: tuple[str, ...] = ()


LINES = Layout()


def ordinal_name(ordinal: int) -> str:
    """A name for a number; names sort as the numbers do.

    >>> ordinal_name(7)
    '00007'
    >>> ordinal_name(99_999) < ordinal_name(100_000) < ordinal_name(1_000_000)
    True
    """
    digits = f"{ordinal:0{_DIGITS}d}"
    more = len(digits) - _DIGITS
    # Letters sort after digits, and by alphabet: more digits mean a greater number.
    return f"{ascii_lowercase[more - 1]}{digits}" if more else digits


def ordinal_of(name: str) -> int:
    """The number of a name, which may have a split appended; the inverse of :func:`ordinal_name`.

    >>> ordinal_of("00007"), ordinal_of(ordinal_name(100_000)), ordinal_of("00003-train")
    (7, 100000, 3)
    """
    return int(name.partition("-")[0].lstrip(ascii_lowercase))


@dataclass(frozen=True, slots=True)
class FileRange:
    """A range of one input file.

    ``file`` is its number in the plan, and ``key`` represents it in the ids of records without one. ``start``
    and ``stop`` are in units of ``measure``; a line belongs to the range in which it starts. ``first_row`` is
    the number of the first row in the file if the format has it, else 0. ``text_bytes`` estimates the
    decompressed size. ``sequential``: it can only be read from its start. ``split`` is the split of a dataset,
    such as ``train``. Content from ``until`` on (a row, or a decompressed byte) is left out by request.
    """

    file: int
    url: str
    encoding: Encoding
    compression: Compression
    start: int
    stop: int
    first_row: int
    text_bytes: int
    key: str = ""
    sequential: bool = False
    until: int | None = None
    layout: Layout = LINES
    split: str = ""

    @property
    def measure(self) -> str:
        """The unit of ``start`` and ``stop``."""
        return "row groups" if self.encoding == "parquet" else "bytes"

    @property
    def is_plain_lines(self) -> bool:
        """Whether it can be cut at any byte."""
        return self.encoding == "jsonl" and self.compression is None and self.layout == LINES

    def cut(self, start: int, stop: int) -> "FileRange":
        return replace(self, start=start, stop=stop, text_bytes=stop - start)


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive ranges of one encoding whose output goes into one file of each kind.

    It is cut into units of about ``unit_bytes`` of text; a sequential range above ``part_bytes``, alone in
    its part, is continued in further parts.
    """

    ordinal: int
    ranges: tuple[FileRange, ...]
    unit_bytes: int
    part_bytes: int

    @property
    def name(self) -> str:
        """The unique part of the names of its files; tools know the split of a dataset by it."""
        name, split = ordinal_name(self.ordinal), self.ranges[0].split
        return f"{name}-{split}" if split else name

    @property
    def encoding(self) -> Encoding:
        return self.ranges[0].encoding

    @property
    def text_bytes(self) -> int:
        """Estimated size of its text."""
        return sum(piece.text_bytes for piece in self.ranges)


class Block(NamedTuple):
    """The content of one work unit of a sequential range.

    ``data`` is whole lines from byte ``start`` of the decompressed file on, or rows from row ``start`` on as
    an Arrow stream. ``lost`` could not be read.
    """

    start: int
    stop: int
    data: bytes
    lost: tuple[Rejection, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """What one task processes: ranges that it reads itself, or a block of one sequential range.

    ``name`` begins with the name of its part; the names of units sort in the order of the input.
    """

    name: str
    ranges: tuple[FileRange, ...]
    block: Block | None = None

    @property
    def part(self) -> str:
        return part_of(self.name)

    @property
    def encoding(self) -> Encoding:
        return self.ranges[0].encoding

    @property
    def text_bytes(self) -> int:
        """Estimated size of its text."""
        return sum(piece.text_bytes for piece in self.ranges) if self.block is None else len(self.block.data)

    def sources(self) -> list[dict[str, Any]]:
        """Where its content comes from, in order: file, from where to where, and what is counted."""
        of_block = "rows" if self.encoding == "parquet" else "decompressed bytes"
        measure = self.ranges[0].measure if self.block is None else of_block
        return [
            {"url": source_name(piece.url), "start": place.start, "stop": place.stop, "counts": measure}
            for piece, place in ((piece, self.block or piece) for piece in self.ranges)
        ]


def unit_name(part: str, *numbers: int) -> str:
    """The name of a work unit: that of its part, and its position in it.

    >>> unit_name("00002", 0, 17)
    '00002.00000.00017'
    """
    return ".".join([part, *map(ordinal_name, numbers)])


def part_of(unit: str) -> str:
    """The name of a unit's part.

    >>> part_of("00002_00001.00000.00017")
    '00002_00001'
    """
    return unit.partition(".")[0]


def continuation(part: str, number: int) -> str:
    """The name of a part's ``number``th continuation, for a sequential range longer than a part.

    >>> continuation("00002", 0), continuation("00002", 1)
    ('00002', '00002_00001')
    """
    return f"{part}_{ordinal_name(number)}" if number else part


def planned_part(unit: str) -> str:
    """The planned part to which a unit of it, or of its continuations, belongs."""
    return part_of(unit).partition("_")[0]


@dataclass(frozen=True, slots=True)
class Partition:
    """One hash partition of turn-a-row input: all rows of its conversations."""

    ordinal: int
    text_bytes: int
    part: str

    @property
    def name(self) -> str:
        return unit_name(self.part, self.ordinal)
