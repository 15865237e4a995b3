"""Rejection: a record kept out of the corpus, described without its content."""

from enum import Enum
from typing import NamedTuple


class Stage(str, Enum):
    """Where in the way of the data a record was rejected."""

    READ = "read"
    DETECT = "detect"
    REPLACE = "replace"
    SCORE = "score"
    WRITE = "write"


NOT_READ = "NotRead"
"""Error class of rows that a limit leaves out: they are counted, and no error."""


class Rejection(NamedTuple):
    """One quarantined record.

    ``position`` is the 0-based row of a Parquet file, the byte offset of the line in a JSON lines file (in the
    decompressed bytes). ``error`` is an error class such as ``InvalidJson``, never a message. ``rows`` is how
    many input rows the record stands for. ``file`` is the number of the input file that ``position`` counts in.
    """

    position: int
    stage: Stage
    error: str
    rows: int = 1
    file: int | None = None
