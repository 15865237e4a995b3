"""Rejection: a record kept out of the corpus, described without its content."""

from enum import Enum
from typing import NamedTuple


class Stage(str, Enum):
    """The processing stage at which a record was rejected."""

    READ = "read"
    DETECT = "detect"
    REPLACE = "replace"
    SCORE = "score"
    WRITE = "write"


NOT_READ = "NotRead"  # error class of rows left out by a limit: they are counted, but are not errors


class Rejection(NamedTuple):
    """One quarantined record.

    ``position`` is the 0-based row of a Parquet file, or the byte offset of the line in a (decompressed) JSON
    lines file. ``error`` is an error class such as ``InvalidJson``, never a message. ``rows`` is the number
    of input rows of the record. ``file`` is the number of the input file to which ``position`` refers.
    """

    position: int
    stage: Stage
    error: str
    rows: int = 1
    file: int | None = None
