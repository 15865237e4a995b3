"""Arrow files, as Hugging Face's ``save_to_disk`` writes them: IPC streams, or the IPC file format."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.opening import file_system, is_local, open_read
from tacenda.transforms.storage.parquet import Footer, RowBatch, RowGroup
from tacenda.transforms.storage.plain_types import plain_schema, plain_table

SUFFIX = ".arrow"
_FILE_MAGIC = b"ARROW1"


def read_arrow_footer(url: str) -> Footer:
    """Read the schema of an Arrow file, and its rows as one row group: only its start is known.

    Raises:
        UserError: the file is not an Arrow file or is truncated.
    """
    with _open_arrow(url) as (schema, batches):
        rows = size = 0
        try:
            for batch in batches:
                rows, size = rows + batch.num_rows, size + batch.nbytes
        except (pa.ArrowException, OSError):
            raise UserError(f"{url}: is cut off or damaged; copy it again or leave it out") from None
        return Footer(plain_schema(schema), [RowGroup(rows, size)] if rows else [])


def read_batches(
    url: str, columns: Sequence[str], *, batch_rows: int, batch_bytes: int
) -> Iterator[RowBatch]:
    """Stream an Arrow file as tables of at most ``batch_rows`` rows; see ``parquet.read_row_groups``.

    Fields inside of a list are read with the whole list.
    """
    outer = {name.partition(".")[0] for name in columns}
    first_row = 0
    with _open_arrow(url) as (schema, batches):
        wanted = [name for name in schema.names if name in outer]
        for batch in batches:
            rows = max(1, min(batch_rows, batch_bytes * batch.num_rows // max(1, batch.nbytes)))
            for start in range(0, batch.num_rows, rows):
                piece = pa.Table.from_batches([batch.slice(start, rows)]).select(wanted)
                yield RowBatch(first_row + start, piece.num_rows, plain_table(piece))
            first_row += batch.num_rows


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
