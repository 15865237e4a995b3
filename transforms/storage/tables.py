"""Files of typed rows: Parquet and Arrow."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib.abc import MetaPathFinder
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.opening import file_system, is_local, open_read

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


class _NoPandas(MetaPathFinder):
    """Finds every package but one."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError(name=fullname)


def spare_pandas() -> None:
    """Keep Arrow from importing pandas, .1 s and 40 MB, to see if the first list it is given is a series.

    It looks twice, when the first list is converted. Conversions to pandas still work, but series are read as
    any other sequence: for processes of commands, which have none.
    """
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, finder := _NoPandas())
        pa.array([0])
        sys.meta_path.remove(finder)


def is_arrow(url: str) -> bool:
    """Whether the name of a file is that of an Arrow file."""
    return url.lower().endswith(".arrow")


def read_footer(url: str) -> Footer:
    """Read schema and row groups of a file; the rows of an Arrow file are one row group.

    Raises:
        UserError: it is damaged or no such file.
    """
    if not is_arrow(url):
        with _open_parquet(url) as file:
            groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
            sizes = [RowGroup(group.num_rows, group.total_byte_size) for group in groups]
            return Footer(plain_schema(file.schema_arrow), sizes)
    with _open_arrow(url) as (schema, batches):
        rows = size = 0
        try:
            for batch in batches:
                rows, size = rows + batch.num_rows, size + batch.nbytes
        except (pa.ArrowException, OSError):
            raise UserError(f"{url}: is cut off or damaged; copy it again or leave it out") from None
        return Footer(plain_schema(schema), [RowGroup(rows, size)] if rows else [])


def read_row_groups(
    url: str, start: int, stop: int, columns: Sequence[str], *, batch_rows: int, batch_bytes: int
) -> Iterator[RowBatch]:
    """Stream the row groups ``start:stop`` as tables of at most ``batch_rows`` rows.

    ``batch_bytes`` reduces the number of rows if rows are large on average. Columns are top-level names, or
    ``list.field`` for one field of a list's entries; missing ones are skipped. A row group that cannot be
    decoded gives one batch without a table for its missing rows, and reading continues with the next one.
    Of Arrow files, all rows are read, and lists with all their fields.
    """
    if is_arrow(url):
        yield from _read_arrow(url, columns, batch_rows, batch_bytes)
        return
    with _open_parquet(url) as file:
        wanted = _leaves(file, columns)
        first_row = 0
        for index in range(start, stop):
            group = file.metadata.row_group(index)
            rows = _rows_of(batch_bytes, group.total_byte_size, group.num_rows, batch_rows)
            done = 0
            try:
                for batch in file.iter_batches(rows, row_groups=[index], columns=wanted, use_threads=False):
                    table = plain_table(pa.Table.from_batches([batch]))
                    yield RowBatch(first_row + done, batch.num_rows, table)
                    done += batch.num_rows
            except (pa.ArrowException, OSError):
                yield RowBatch(first_row + done, group.num_rows - done, None)
            first_row += group.num_rows


def _rows_of(most_bytes: int, size: int, rows: int, most_rows: int) -> int:
    """The number of rows that have about so many bytes."""
    return max(1, min(most_rows, most_bytes * rows // max(1, size)))


def pieces_of(
    table: pa.Table, first_row: int, size: int, batch_rows: int, batch_bytes: int
) -> Iterator[RowBatch]:
    """A table of ``size`` bytes in pieces; see :func:`read_row_groups`."""
    rows = _rows_of(batch_bytes, size, table.num_rows, batch_rows)
    for start in range(0, table.num_rows, rows):
        piece = table.slice(start, rows)
        yield RowBatch(first_row + start, piece.num_rows, plain_table(piece))


def _read_arrow(url: str, columns: Sequence[str], batch_rows: int, batch_bytes: int) -> Iterator[RowBatch]:
    outer = {name.partition(".")[0] for name in columns}
    first_row = 0
    with _open_arrow(url) as (schema, batches):
        wanted = [name for name in schema.names if name in outer]
        for batch in batches:
            table = pa.Table.from_batches([batch]).select(wanted)
            yield from pieces_of(table, first_row, batch.nbytes, batch_rows, batch_bytes)
            first_row += batch.num_rows


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


class ParquetWriter(AbstractContextManager["ParquetWriter"]):
    """Writes tables of one schema to an open file, compressed with zstd, deterministically.

    Small tables are gathered into row groups of ``ROW_GROUP_ROWS`` rows or ``ROW_GROUP_BYTES`` bytes.
    """

    def __init__(self, file: BinaryIO, schema: pa.Schema) -> None:
        self._writer = pq.ParquetWriter(file, schema, compression="zstd", write_statistics=False)
        self._held: list[pa.Table] = []
        self._rows = self._bytes = 0

    def write(self, table: pa.Table) -> None:
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


_FILE_MAGIC = b"ARROW1"


@contextmanager
def _open_arrow(url: str) -> Iterator[tuple[pa.Schema, Iterator[pa.RecordBatch]]]:
    system, path = file_system(url)
    try:
        # Mapped, so that the columns that are not read stay on disk.
        source: Any = pa.memory_map(path) if is_local(system) else pa.PythonFile(open_read(url), mode="r")
        if source.read(len(_FILE_MAGIC)) == _FILE_MAGIC:
            reader = pa.ipc.open_file(source)
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
        else:
            source.seek(0)
            reader = pa.ipc.open_stream(source)
            batches = iter(reader)
    except FileNotFoundError:
        raise UserError(f"{url}: no such file; check the path") from None
    except pa.ArrowException:
        raise UserError(f"{url}: not an Arrow file; copy it again or leave it out") from None
    with source:
        yield reader.schema, batches


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return a schema whose types are plain at every depth, with its metadata; columns of UUIDs are text."""
    kinds = [pa.string() if isinstance(kind, pa.UuidType) else _plain_type(kind) for kind in schema.types]
    return pa.schema(
        [field.with_type(kind) for field, kind in zip(schema, kinds, strict=True)], schema.metadata
    )


def plain_table(table: pa.Table) -> pa.Table:
    """Return a table with the same values in columns of plain types."""
    schema = plain_schema(table.schema)
    if schema == table.schema:
        return table
    for index, field in enumerate(table.schema):
        if isinstance(field.type, pa.UuidType):
            spelled = [None if value is None else str(value) for value in table[index].to_pylist()]
            table = table.set_column(index, schema.field(index), pa.array(spelled, pa.string()))
    return table.cast(schema)


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if isinstance(kind, pa.BaseExtensionType):
        return _plain_type(kind.storage_type)
    if pa.types.is_string_view(kind):
        return pa.large_string()
    if pa.types.is_binary_view(kind):
        return pa.large_binary()
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_plain_type(field.type)) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(_plain_type(kind.key_type), _plain_type(kind.item_type))
    if pa.types.is_large_list(kind):
        return pa.large_list(kind.value_field.with_type(_plain_type(kind.value_type)))
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        inner = kind.value_field.with_type(_plain_type(kind.value_type))
        return pa.list_(inner, getattr(kind, "list_size", -1))
    return kind


def to_stream(table: pa.Table, compression: str | None = None) -> bytes:
    """A table as an Arrow IPC stream; ``compression`` is None, ``lz4`` or ``zstd``."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(
        sink, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)
    ) as writer:
        writer.write_table(table)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def from_stream(data: bytes) -> pa.Table:
    """The table that :func:`to_stream` wrote."""
    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()
