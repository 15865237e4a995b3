"""Files of typed rows: Parquet and Arrow."""

from collections.abc import Iterator, Sequence

from tacenda.transforms.storage.arrow_files import SUFFIX, read_arrow_footer, read_batches
from tacenda.transforms.storage.parquet import Footer, RowBatch
from tacenda.transforms.storage.parquet import read_footer as read_parquet_footer
from tacenda.transforms.storage.parquet import read_row_groups as read_parquet_row_groups


def is_arrow(url: str) -> bool:
    """Whether the name of a file is that of an Arrow file."""
    return url.lower().endswith(SUFFIX)


def read_footer(url: str) -> Footer:
    """Read schema and row groups of a file.

    Raises:
        UserError: it is damaged or no such file.
    """
    return read_arrow_footer(url) if is_arrow(url) else read_parquet_footer(url)


def read_row_groups(
    url: str, start: int, stop: int, columns: Sequence[str], *, batch_rows: int, batch_bytes: int
) -> Iterator[RowBatch]:
    """Stream the row groups ``start:stop`` as tables; see ``parquet.read_row_groups``."""
    if is_arrow(url):
        return read_batches(url, columns, batch_rows=batch_rows, batch_bytes=batch_bytes)
    return read_parquet_row_groups(url, start, stop, columns, batch_rows=batch_rows, batch_bytes=batch_bytes)
