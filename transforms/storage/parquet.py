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
    """Rows of one row group, and its bytes when decompressed."""

    rows: int
    text_bytes: int


class Footer(NamedTuple):
    """What a Parquet file says of itself."""

    schema: pa.Schema
    row_groups: list[RowGroup]


class RowBatch(NamedTuple):
    """Rows of a row group, or, where ``table`` is None, the ``rows`` of it that could not be read.

    ``first_row`` counts from the start of the file's first row group read.
    """

    first_row: int
    rows: int
    table: pa.Table | None


def read_footer(url: str) -> Footer:
    """Read schema and row groups of a Parquet file.

    Raises:
        UserError: the file is no Parquet file, or was cut off.
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

    ``batch_bytes`` lowers the number of rows where rows are large on average. Columns are top-level names, or
    ``list.field`` for one field of a list's entries; those that the file lacks are passed over. A row group
    that stops decoding yields one batch without table for the rows that are missing, and the next row group
    follows.
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
    """Return the columns as Parquet stores them: what nobody asked for inside a list is not even decoded."""
    paths = [file.schema.column(index).path for index in range(len(file.schema))]
    wanted: set[str] = set()
    for name in columns:
        outer, _, inner = name.partition(".")
        if name in file.schema_arrow.names:
            wanted.update(path for path in paths if path == name or path.startswith(f"{name}."))
        elif outer in file.schema_arrow.names:
            # `turns.list.element.text` by the standard; writers of old left out one of the two inner levels.
            below = [path for path in paths if path.startswith(f"{outer}.")]
            fields = [path for path in below if inner in path.split(".")[2:4]]
            # A list whose entries have no fields at all is read as it is.
            wanted.update(fields if any(path.count(".") > 2 for path in below) else below)
    return [path for path in paths if path in wanted]


class ParquetWriter:
    """Write tables of one schema to an open file, compressed with zstd; no clock or random number enters.

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
        """Write what is held, and the footer; the file stays open."""
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
            raise  # of the storage; Arrow's own, of a footer that does not decode, have no number
        raise UserError(
            f"{url}: not a whole Parquet file (no readable footer); copy it again or leave it out"
        ) from None
    try:
        yield file
    finally:
        file.close(force=True)
