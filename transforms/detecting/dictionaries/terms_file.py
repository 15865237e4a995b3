"""A user's file of terms: UTF-8, one per line, plain or compressed, at any fsspec URL."""

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

import pyarrow as pa

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.opening import open_read

_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
_BLOCK_BYTES = 1 << 20


def sha256(url: str) -> str:
    """The SHA-256 of a file as stored.

    Raises:
        UserError: it cannot be read.
    """
    with _told_to_the_user(url), open_read(url) as file:
        digest = hashlib.sha256()
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
        return digest.hexdigest()


def blocks_of_lines(url: str, expected_sha256: str) -> Iterator[list[str]]:
    """All lines, in blocks of about a megabyte.

    Raises:
        UserError: the file cannot be read, is not UTF-8, or does not have the expected hash.
    """
    with _told_to_the_user(url), open_read(url) as file:
        source = _Hashed(file)
        line = 1
        for block in _whole_lines(_decompressed(url, source)):
            try:
                lines = block.decode().split("\n")
            except UnicodeDecodeError as error:
                line += block.count(b"\n", 0, error.start)
                raise UserError(
                    f"dictionary {url} line {line}: not UTF-8; save the file as UTF-8 text, one term a line"
                ) from None
            line += len(lines) - 1
            yield lines
        while source.read(_BLOCK_BYTES):
            pass
        if source.digest.hexdigest() != expected_sha256:
            raise UserError(f"dictionary {url}: was changed since the run began; start the run again")


class _Hashed(io.RawIOBase):
    """Passes a file through and hashes it at the same time, so that it is read only once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(len(buffer))
        self.digest.update(data)
        buffer[: len(data)] = data
        return len(data)


def _decompressed(url: str, source: _Hashed) -> BinaryIO:
    for suffix, codec in _COMPRESSIONS.items():
        if url.endswith(suffix):
            return cast(BinaryIO, pa.CompressedInputStream(pa.PythonFile(source, mode="r"), codec))
    return cast(BinaryIO, source)


def _whole_lines(file: BinaryIO) -> Iterator[bytes]:
    rest = b""
    while block := file.read(_BLOCK_BYTES):
        whole, newline, begun = block.rpartition(b"\n")
        if newline:
            yield rest + whole + newline
            rest = begun
        else:
            rest += block
    if rest:
        yield rest


@contextmanager
def _told_to_the_user(url: str) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, pa.ArrowException) as error:
        raise UserError(
            f"dictionary {url}: cannot be read ({type(error).__name__}); check the file"
        ) from None
