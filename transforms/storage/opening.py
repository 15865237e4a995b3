"""Open URLs: find the file system, open the file."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from tacenda.transforms.schema.errors import UserError

_INSTALL = {
    **dict.fromkeys(("s3", "s3a"), "pip install '.[s3]'"),
    **dict.fromkeys(("gs", "gcs"), "pip install '.[gcs]'"),
    **dict.fromkeys(("abfs", "abfss", "az"), "pip install adlfs"),
}

_LOCAL = ("file", "local")
_PROTOCOL = re.compile(r"([A-Za-z][A-Za-z0-9+._-]+)://")
_CHAIN = re.compile(r"(?!file:|local:)[A-Za-z][A-Za-z0-9+.-]*(://.*::|::.*://)", re.DOTALL)

READ_AHEAD_BYTES = 8 << 20


class StorageError(UserError):
    """Remote storage cannot be reached or denies access; before a run starts, this is a user error."""


@contextmanager
def asking(url: str) -> Iterator[None]:
    """Turn errors of remote storage in the block into one line, except for missing files.

    Raises:
        StorageError: replaces whatever the driver raises, without the driver's message.
    """
    try:
        yield
    except (UserError, FileNotFoundError):
        raise
    except Exception as error:
        named = _PROTOCOL.match(url)
        if named is None or named[1] in _LOCAL:
            raise
        raise StorageError(
            f"{url}: its storage cannot be reached or denies access ({type(error).__name__}); check address, "
            "network, credentials and permissions"
        ) from None


def file_system(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL and the path inside it.

    Raises:
        UserError: the protocol is unknown, its driver is not installed, or several are chained.
        StorageError: its server does not answer.
    """
    if _CHAIN.match(url):
        raise UserError(
            f"{url}: '::' chains storages, which is not supported; name a file or folder of one storage"
        )
    named = _PROTOCOL.match(url)
    protocol = named[1] if named else "file"
    if protocol in _LOCAL:
        # Imported here, so that --help does not wait for it.
        import fsspec

        # Not url_to_fs, which would interpret local names like 'a::b' or 'data:x'.
        system = fsspec.filesystem("file")
        return system, system._strip_protocol(url)
    try:
        with asking(url):
            return _file_system(url, protocol)
    except FileNotFoundError:
        raise UserError(f"{url}: names no place; check the path") from None


def _file_system(url: str, protocol: str) -> tuple[Any, str]:
    import fsspec
    from fsspec.core import url_to_fs

    try:
        found: tuple[Any, str] = url_to_fs(url)
    except ImportError:
        install = _INSTALL.get(protocol, "install the fsspec driver of this protocol")
        raise UserError(f"{url}: no driver for {protocol}:// is installed; mend it with: {install}") from None
    except ValueError:
        if protocol in fsspec.available_protocols():
            raise
        known = ", ".join(sorted(set(fsspec.available_protocols()) & {"file", "gs", "hdfs", "memory", "s3"}))
        raise UserError(f"{url}: unknown protocol {protocol}://; use one of fsspec's, as {known}") from None
    return found


def protocols(system: Any) -> set[str]:
    """The protocols of a file system."""
    return {system.protocol} if isinstance(system.protocol, str) else {*system.protocol}


def is_local(system: Any) -> bool:
    """Whether a file system is local."""
    return "file" in protocols(system)


def open_read(url: str) -> BinaryIO:
    """Open a file at any fsspec URL for binary reading, without decompression.

    Raises:
        UserError: the file does not exist or is not readable.
    """
    system, path = file_system(url)
    try:
        if is_local(system):
            return open(path, "rb")
        with asking(url):
            return cast(BinaryIO, system.open(path, "rb", block_size=READ_AHEAD_BYTES))
    except FileNotFoundError:
        raise UserError(f"{url}: no such file; check the path") from None
    except PermissionError:
        raise UserError(f"{url}: may not be read; check its permissions") from None
