"""Pickle with arrays stored separately, so that they can be memory-mapped.

Loading a pickle can execute code, so a file is loaded only if this user owns it and nobody else can write it.
"""

import mmap
import os
import pickle
import struct
import zlib
from pathlib import Path
from typing import Any, BinaryIO

from tacenda.transforms.storage.private_files import open_private

_MAGIC = b"tacenda kept 1\n\0"
_ALIGNMENT = 64
_COMPARED_BYTES = 64 << 20
"""Larger files are not verified, since reading them to compute the checksum takes a tenth of a second."""

_READ_BYTES = 1 << 20

_HEADER = struct.Struct(f"<{len(_MAGIC)}sQQQ")
"""Magic; checksum and size of the data after the header; number of buffers, including the pickle."""


def save(value: object, file: BinaryIO) -> None:
    """Write an object."""
    arrays: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(value, protocol=5, buffer_callback=arrays.append)
    buffers = [memoryview(pickled), *(array.raw() for array in arrays)]
    sizes = struct.pack(f"<{len(buffers)}Q", *(buffer.nbytes for buffer in buffers))
    parts: list[bytes | memoryview] = [sizes]
    length = len(sizes)
    for buffer in buffers:
        gap = -(_HEADER.size + length) % _ALIGNMENT
        parts += (bytes(gap), buffer)
        length += gap + buffer.nbytes
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    file.write(_HEADER.pack(_MAGIC, checksum, length, len(buffers)))
    for part in parts:
        file.write(part)


def load(path: Path) -> Any:
    """Load what ``save`` wrote; arrays are read-only, and their pages are shared by all processes.

    Raises:
        OSError: there is no such file.
        ValueError: it is incomplete, not private to this user, or cannot be used here.
    """
    with open(open_private(path, os.O_RDONLY), "rb") as file:
        checksum = _checksum(file)
        mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    try:
        return _unpickled(mapped, checksum)
    except ValueError:
        raise
    except Exception as error:
        raise ValueError(f"the file cannot be used here ({type(error).__name__})") from error


def _checksum(file: BinaryIO) -> int | None:
    """The checksum of the data after the header; None if there is too much.

    The file is read instead of mapped, because mapped pages would count as this process's memory.
    """
    if os.fstat(file.fileno()).st_size - _HEADER.size > _COMPARED_BYTES:
        return None
    file.seek(_HEADER.size)
    checksum = 0
    while block := file.read(_READ_BYTES):
        checksum = zlib.crc32(block, checksum)
    return checksum


def _unpickled(mapped: memoryview, found: int | None) -> Any:
    magic, checksum, length, count = _HEADER.unpack_from(mapped)
    if magic != _MAGIC or length != len(mapped) - _HEADER.size:
        raise ValueError("the file is not whole")
    if found is not None and found != checksum:
        raise ValueError("the file is not what was written")
    sizes = struct.unpack_from(f"<{count}Q", mapped, _HEADER.size)
    place = _HEADER.size + 8 * count
    buffers: list[memoryview] = []
    for size in sizes:
        place += -place % _ALIGNMENT
        buffers.append(mapped[place : place + size])
        place += size
    return pickle.loads(buffers[0], buffers=buffers[1:])  # noqa: S301 - written by this very user
