"""From a URL to its file system and to an open file."""

import re
from typing import Any, BinaryIO, cast

import fsspec
from fsspec.core import url_to_fs

from transforms.schema.errors import UserError
from transforms.storage.showing import shown

INSTALL_LINES = {
    "s3": "pip install 'tacet[s3]'",
    "s3a": "pip install 'tacet[s3]'",
    "gs": "pip install 'tacet[gcs]'",
    "gcs": "pip install 'tacet[gcs]'",
    "abfs": "pip install adlfs",
    "abfss": "pip install adlfs",
    "az": "pip install adlfs",
}

_LOCAL = ("file", "local")
_PROTOCOL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_CHAIN = re.compile(r"(?!file:|local:)[A-Za-z][A-Za-z0-9+.-]*(://.*::|::.*://)", re.DOTALL)

READ_AHEAD_BYTES = 8 << 20


def file_system(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL and the path inside it.

    Raises:
        UserError: the protocol is unknown, its driver is not installed, or several are chained.
    """
    if _CHAIN.match(url):
        raise UserError(
            f"{shown(url)}: '::' chains storages, which is not supported; name a file or folder of one storage"
        )
    named = _PROTOCOL.match(url)
    protocol = named[1] if named else "file"
    if protocol in _LOCAL:
        # Not by url_to_fs: what looks like a chain to it, or like data:, is a name like any other.
        system = fsspec.filesystem("file")
        return system, system._strip_protocol(url)
    try:
        found: tuple[Any, str] = url_to_fs(url)
    except ImportError as error:
        install = INSTALL_LINES.get(protocol, "install the fsspec driver of this protocol")
        raise UserError(
            f"{shown(url)}: no driver for {protocol}:// is installed; mend it with: {install}"
        ) from error
    except ValueError as error:
        known = ", ".join(sorted(set(fsspec.available_protocols()) & {"file", "gs", "hdfs", "memory", "s3"}))
        raise UserError(
            f"{shown(url)}: unknown protocol {protocol}://; use one of fsspec's, as {known}"
        ) from error
    return found


def is_local(system: Any) -> bool:
    """Say whether a file system is the machine's own."""
    protocol = system.protocol
    return "file" in ((protocol,) if isinstance(protocol, str) else protocol)


def open_read(url: str) -> BinaryIO:
    """Open a file of any fsspec URL for reading in binary; the bytes come as they are stored.

    Raises:
        UserError: the file is not there, or may not be read.
    """
    system, path = file_system(url)
    try:
        if is_local(system):
            return open(path, "rb")
        return cast(BinaryIO, system.open(path, "rb", block_size=READ_AHEAD_BYTES))
    except FileNotFoundError as error:
        raise UserError(f"{shown(url)}: no such file; check the path") from error
    except PermissionError as error:
        raise UserError(f"{shown(url)}: may not be read; check its permissions") from error
