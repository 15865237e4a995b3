"""Arrow tables as bytes, between processes and in files of our own."""

import pyarrow as pa


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
