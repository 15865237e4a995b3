"""Bytes by number, in memory while there are few and on disk beyond that."""

import tempfile
from collections import defaultdict


class Spill:
    """Pieces of bytes under numbers, written once and taken once.

    Beyond ``memory_bytes`` they lie in a file of the folder for temporary files. It has no name, so that
    nobody else can open it, and the system frees it when this process ends, however it ends.
    """

    def __init__(self, memory_bytes: int) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=memory_bytes)  # noqa: SIM115 - ends with us
        self._places: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self._end = 0

    def add(self, number: int, data: bytes) -> None:
        """Add a piece under a number."""
        self._file.seek(self._end)
        self._file.write(data)
        self._places[number].append((self._end, len(data)))
        self._end += len(data)

    def numbers(self) -> list[int]:
        """The numbers that have pieces, in order."""
        return sorted(self._places)

    def take(self, number: int) -> list[bytes]:
        """The pieces under a number, in the order in which they came; afterwards it has none."""
        found = []
        for start, size in self._places.pop(number, ()):
            self._file.seek(start)
            found.append(self._file.read(size))
        return found
