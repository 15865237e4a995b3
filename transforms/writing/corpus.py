"""A corpus part: the anonymised records of one work unit, in the encoding they came in."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from transforms.schema.work_unit import Encoding
from transforms.writing.part import HashingFile

SUFFIX: dict[Encoding, str] = {"parquet": "parquet", "jsonl": "jsonl.zst"}

_ZSTD_LEVEL = 3


class RecordSink(Protocol):
    """Takes what a shape renders: a table for Parquet, records for JSON lines."""

    def write_table(self, table: pa.Table) -> None: ...

    def write_records(self, records: list[dict[str, object]]) -> None: ...


@contextmanager
def parquet_part(sink: HashingFile, schema: pa.Schema) -> Iterator[pq.ParquetWriter]:
    """A Parquet writer over ``sink`` whose bytes depend on the rows alone."""
    with pq.ParquetWriter(
        sink, schema, compression="zstd", compression_level=_ZSTD_LEVEL, store_schema=False
    ) as writer:
        yield writer


@contextmanager
def json_lines_part(sink: HashingFile) -> Iterator[pa.CompressedOutputStream]:
    """A zstd stream over ``sink`` for lines made by :func:`json_lines`."""
    with pa.CompressedOutputStream(pa.PythonFile(sink, mode="w"), "zstd") as stream:
        yield stream


def json_lines(records: list[dict[str, object]]) -> bytes:
    """Records as JSON lines, keys in the order the shape gave them."""
    return b"".join(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE) for record in records)
