"""From a URL to its file system and to an open file."""

from typing import Any, BinaryIO, cast

import fsspec
from fsspec.core import url_to_fs
from fsspec.utils import get_protocol

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

READ_AHEAD_BYTES = 8 << 20


def file_system(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL and the path inside it.

    Raises:
        UserError: the protocol is unknown, or its driver is not installed.
    """
    protocol = get_protocol(url)
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
