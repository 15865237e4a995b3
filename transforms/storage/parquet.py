"""Parquet files: footers, row groups as a stream of tables, a deterministic writer."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from transforms.schema.errors import UserError
from transforms.storage.opening import file_system, is_local, open_read
from transforms.storage.showing import shown

ROW_GROUP_ROWS = 20_000


class RowGroup(NamedTuple):
    """Rows and stored bytes of one row group."""

    rows: int
    size_bytes: int


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
        sizes = [sum(g.column(c).total_compressed_size for c in range(g.num_columns)) for g in groups]
        return Footer(
            _without_views(file.schema_arrow),
            [RowGroup(group.num_rows, size) for group, size in zip(groups, sizes, strict=True)],
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
        as_read = file.schema_arrow
        views = _without_views(as_read) != as_read
        first_row = 0
        for index in range(start, stop):
            group = file.metadata.row_group(index)
            row_bytes = max(1, group.total_byte_size // max(1, group.num_rows))
            rows = max(1, min(batch_rows, batch_bytes // row_bytes))
            done = 0
            try:
                for batch in file.iter_batches(rows, row_groups=[index], columns=wanted, use_threads=False):
                    table = pa.Table.from_batches([batch])
                    if views:
                        table = table.cast(_without_views(table.schema))
                    yield RowBatch(first_row + done, batch.num_rows, table)
                    done += batch.num_rows
            except (pa.ArrowException, OSError):
                yield RowBatch(first_row + done, group.num_rows - done, None)
            first_row += group.num_rows


def _without_views(schema: pa.Schema) -> pa.Schema:
    """Return a schema with plain text and lists in place of views, of which Arrow computes little."""
    return pa.schema([field.with_type(_without_view(field.type)) for field in schema])


def _without_view(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_string_view(kind):
        return pa.large_string()
    if pa.types.is_binary_view(kind):
        return pa.large_binary()
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_without_view(field.type)) for field in kind])
    if pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
        return pa.large_list(kind.value_field.with_type(_without_view(kind.value_type)))
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_without_view(kind.value_type)))
    if pa.types.is_large_list(kind):
        return pa.large_list(kind.value_field.with_type(_without_view(kind.value_type)))
    return kind


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
    """Write tables of one schema to an open file, compressed with zstd; no clock or random number enters."""

    def __init__(self, file: BinaryIO, schema: pa.Schema) -> None:
        self._writer = pq.ParquetWriter(file, schema, compression="zstd", write_statistics=False)

    def write(self, table: pa.Table) -> None:
        """Append a table as row groups."""
        if table.num_rows:
            self._writer.write_table(table, row_group_size=ROW_GROUP_ROWS)

    def close(self) -> None:
        """Write the footer; the file stays open."""
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
    except pa.ArrowInvalid as error:
        raise UserError(
            f"{shown(url)}: not a whole Parquet file (no readable footer); copy it again or leave it out"
        ) from error
    except FileNotFoundError as error:
        raise UserError(f"{shown(url)}: no such file; check the path") from error
    try:
        yield file
    finally:
        file.close(force=True)
