"""Parquet files: footers, row groups as a stream of tables, a deterministic writer."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.opening import file_system, is_local, open_read
from tacenda.transforms.storage.plain_types import plain_schema, plain_table

ROW_GROUP_ROWS = 20_000
ROW_GROUP_BYTES = 16 << 20


class RowGroup(NamedTuple):
    """Rows and uncompressed bytes of one row group."""

    rows: int
    text_bytes: int


class Footer(NamedTuple):
    """Schema and row groups of a Parquet file."""

    schema: pa.Schema
    row_groups: list[RowGroup]


class RowBatch(NamedTuple):
    """Rows of a row group; if ``table`` is None, ``rows`` of them could not be read.

    ``first_row`` counts from the first row group that was read.
    """

    first_row: int
    rows: int
    table: pa.Table | None


def read_footer(url: str) -> Footer:
    """Read schema and row groups of a Parquet file.

    Raises:
        UserError: the file is not a Parquet file or is truncated.
    """
    with _open_parquet(url) as file:
        metadata = file.metadata
        groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
        return Footer(
            plain_schema(file.schema_arrow),
            [RowGroup(group.num_rows, group.total_byte_size) for group in groups],
        )


def read_row_groups(
    url: str, start: int, stop: int, columns: Sequence[str], *, batch_rows: int, batch_bytes: int
) -> Iterator[RowBatch]:
    """Stream the row groups ``start:stop`` as tables of at most ``batch_rows`` rows.

    ``batch_bytes`` reduces the number of rows if rows are large on average. Columns are top-level names, or
    ``list.field`` for one field of a list's entries; missing ones are skipped. A row group that cannot be
    decoded gives one batch without a table for its missing rows, and reading continues with the next one.
    """
    with _open_parquet(url) as file:
        wanted = _leaves(file, columns)
        first_row = 0
        for index in range(start, stop):
            group = file.metadata.row_group(index)
            row_bytes = max(1, group.total_byte_size // max(1, group.num_rows))
            rows = max(1, min(batch_rows, batch_bytes // row_bytes))
            done = 0
            try:
                for batch in file.iter_batches(rows, row_groups=[index], columns=wanted, use_threads=False):
                    table = plain_table(pa.Table.from_batches([batch]))
                    yield RowBatch(first_row + done, batch.num_rows, table)
                    done += batch.num_rows
            except (pa.ArrowException, OSError):
                yield RowBatch(first_row + done, group.num_rows - done, None)
            first_row += group.num_rows


def read_columns(url: str, names: Sequence[str]) -> pa.Table:
    """Some columns of a small file."""
    with _open_parquet(url) as file:
        return file.read(list(names))


def _leaves(file: Any, columns: Sequence[str]) -> list[str]:
    """Return the leaf columns to read, so that other fields of lists are not decoded."""
    paths = [file.schema.column(index).path for index in range(len(file.schema))]
    wanted: set[str] = set()
    for name in columns:
        outer, _, inner = name.partition(".")
        if name in file.schema_arrow.names:
            wanted.update(path for path in paths if path == name or path.startswith(f"{name}."))
        elif outer in file.schema_arrow.names:
            # `turns.list.element.text` by the standard; old writers omitted one of the two inner levels.
            below = [path for path in paths if path.startswith(f"{outer}.")]
            fields = [path for path in below if inner in path.split(".")[2:4]]
            # Lists whose entries have no fields are read whole.
            wanted.update(fields if any(path.count(".") > 2 for path in below) else below)
    return [path for path in paths if path in wanted]


class ParquetWriter:
    """Writes tables of one schema to an open file, compressed with zstd, deterministically.

    Small tables are gathered into row groups of ``ROW_GROUP_ROWS`` rows or ``ROW_GROUP_BYTES`` bytes.
    """

    def __init__(self, file: BinaryIO, schema: pa.Schema) -> None:
        self._writer = pq.ParquetWriter(file, schema, compression="zstd", write_statistics=False)
        self._held: list[pa.Table] = []
        self._rows = self._bytes = 0

    def write(self, table: pa.Table) -> None:
        """Append the rows of a table."""
        self._held.append(table)
        self._rows += table.num_rows
        self._bytes += table.nbytes
        if self._rows >= ROW_GROUP_ROWS or self._bytes >= ROW_GROUP_BYTES:
            self._write_held()

    def _write_held(self) -> None:
        if self._rows:
            self._writer.write_table(pa.concat_tables(self._held), row_group_size=ROW_GROUP_ROWS)
        self._held, self._rows, self._bytes = [], 0, 0

    def close(self) -> None:
        """Write buffered rows and the footer; the file stays open."""
        self._write_held()
        self._writer.close()

    def __enter__(self) -> "ParquetWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _open_parquet(url: str) -> Iterator[Any]:
    system, path = file_system(url)
    source: Any = path if is_local(system) else open_read(url)
    try:
        file = pq.ParquetFile(source, pre_buffer=not is_local(system))
    except FileNotFoundError:
        raise UserError(f"{url}: no such file; check the path") from None
    except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
        if isinstance(error, OSError) and (type(error) is not OSError or error.errno is not None):
            raise  # a storage error; Arrow's own errors for an invalid footer have no errno
        raise UserError(
            f"{url}: not a complete Parquet file (no readable footer); copy it again or leave it out"
        ) from None
    try:
        yield file
    finally:
        file.close(force=True)
