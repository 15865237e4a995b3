"""One output file of a work unit: published whole or not at all, and hashed while it is written."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from transforms.storage.publishing import publish


class HashingFile:
    """A binary sink that passes bytes on and keeps their sha256; just enough of a file for Arrow's writers."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._sha256 = hashlib.sha256()
        self._position = 0
        self.closed = False

    def write(self, data: Any) -> int:
        view = memoryview(data)
        self._sha256.update(view)
        self._sink.write(view)
        self._position += view.nbytes
        return view.nbytes

    def tell(self) -> int:
        return self._position

    def flush(self) -> None:
        self._sink.flush()

    def close(self) -> None:
        self.closed = True

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def hexdigest(self) -> str:
        return self._sha256.hexdigest()


@contextmanager
def hashed_part(url: str) -> Iterator[HashingFile]:
    """Open ``url`` for an atomic write; afterwards ``hexdigest()`` is that of the published bytes."""
    with publish(url) as sink:
        yield HashingFile(sink)
