"""Write a part's output files by concatenating what its work units staged.

Only one unit is in memory at a time. Lines are copied unchanged; tables are collected into row groups of
normal size.
"""

import hashlib
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO

from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.storage.tables import ParquetWriter, from_stream
from tacenda.transforms.writing.staging import open_staged


class HashingFile(io.BufferedIOBase, BinaryIO):
    """A binary sink that passes bytes on and hashes them (SHA-256); closing it leaves the inner file open."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._sha256 = hashlib.sha256()
        self._position = 0

    def write(self, data: Any) -> int:
        """Write bytes or a buffer; returns the number of bytes."""
        with memoryview(data) as view:
            self._sha256.update(view)
            self._sink.write(view)
            self._position += view.nbytes
            return view.nbytes

    def tell(self) -> int:
        """The number of bytes written; the only possible position."""
        return self._position

    def writable(self) -> bool:
        return True

    def hexdigest(self) -> str:
        """The SHA-256 of everything written."""
        return self._sha256.hexdigest()

    def told(self, rows: int) -> dict[str, Any]:
        """What a manifest says of the file: SHA-256, rows and size in bytes."""
        return {"sha256": self.hexdigest(), "rows": rows, "bytes": self._position}


@contextmanager
def hashed_file(url: str) -> Iterator[HashingFile]:
    """Open ``url`` for an atomic write; afterwards ``hexdigest()`` is that of the published bytes."""
    with publish(url) as sink:
        yield HashingFile(sink)


def assemble(
    output: str, part: str, staged: Sequence[str]
) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]]]:
    """Write ``<folder>/part-<part>.<suffix>`` files under ``output`` from the units staged at some URLs.

    Either all files appear, when all are complete, or none.

    Returns:
        the receipts of the units, in order; and what a manifest says of each file (:meth:`HashingFile.told`),
        by path relative to the output.
    """
    receipts: list[dict[str, Any]] = []
    files: dict[str, tuple[HashingFile, Any]] = {}
    rows = Counter[str]()
    with ExitStack() as stack:
        for url in staged:
            with open_staged(url) as unit:
                receipts.append(unit.receipt)
                for name, count, size in unit.sections:
                    data = unit.file.read(size)
                    if len(data) < size:
                        raise EOFError
                    folder, _, suffix = name.partition(".")
                    table = from_stream(data) if suffix == "parquet" else None
                    path = f"{folder}/part-{part}.{suffix}"
                    if path not in files:
                        sink: Any = stack.enter_context(hashed_file(f"{output}/{path}"))
                        writer = sink if table is None else ParquetWriter(sink, table.schema)
                        files[path] = sink, writer if table is None else stack.enter_context(writer)
                    files[path][1].write(data if table is None else table)
                    rows[path] += count
    return receipts, {path: sink.told(rows[path]) for path, (sink, _) in files.items()}
