"""An output file: published atomically, and hashed while it is written."""

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from tacenda.transforms.storage.publishing import publish


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


@contextmanager
def hashed_file(url: str) -> Iterator[HashingFile]:
    """Open ``url`` for an atomic write; afterwards ``hexdigest()`` is that of the published bytes."""
    with publish(url) as sink:
        yield HashingFile(sink)
