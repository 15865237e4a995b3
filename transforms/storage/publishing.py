"""Atomic publishing: a file appears under its final name complete or not at all."""

import json
import os
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from tacenda.transforms.storage.opening import asking, file_system, is_local, protocols

WHOLE_OBJECT_PROTOCOLS = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oci", "memory"})
"""Stores where objects become visible only when their upload is complete, so no renaming is needed."""

SPOOL_BYTES = 64 << 20

_AT_ONCE_BYTES = 4 << 20
"""Up to this size an object is written by one request, which may be repeated when its answer is lost."""


@contextmanager
def publish(url: str, *, private: bool = False) -> Iterator[BinaryIO]:
    """Yield a binary file whose content becomes visible at ``url`` when the block ends without an error.

    An existing file is replaced. If the block fails, nothing is left behind. A killed process can leave a
    hidden ``.*.tmp`` file in a local folder, which readers ignore. ``private``: a local file is readable by
    its owner only, and so are folders created for it.
    """
    system, path = file_system(url)
    if is_local(system):
        with replacing(Path(path), private) as file:
            yield file
    else:
        with tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES) as spool:
            yield cast(BinaryIO, spool)
            with asking(url):
                _upload(spool, system, path)


@contextmanager
def replacing(final: Path, private: bool) -> Iterator[BinaryIO]:
    """:func:`publish` of a local file."""
    final.parent.mkdir(0o700 if private else 0o777, parents=True, exist_ok=True)
    unfinished = final.parent / f".{final.name}.{uuid.uuid4().hex}.tmp"
    try:
        with open(unfinished, "xb", opener=partial(os.open, mode=0o600) if private else None) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(final)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename == str(unfinished):
            error.filename = str(final)  # the name that the user knows
        with suppress(OSError):
            unfinished.unlink()
        raise


def publish_bytes(url: str, data: bytes, *, private: bool = False) -> None:
    """Publish bytes as a file."""
    with publish(url, private=private) as sink:
        sink.write(data)


def json_bytes(data: Any) -> bytes:
    """Plain data as JSON for people to read."""
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()


def _upload(spool: Any, system: Any, path: str) -> None:
    spool.seek(0)
    if WHOLE_OBJECT_PROTOCOLS & protocols(system):
        _copy(spool, system, path)
        return
    folder, _, name = path.rpartition("/")
    system.makedirs(folder, exist_ok=True)
    unfinished = f"{folder}/.{name}.{uuid.uuid4().hex}.tmp"
    try:
        _copy(spool, system, unfinished)
        system.mv(unfinished, path)
    except BaseException:
        with suppress(FileNotFoundError):
            system.rm_file(unfinished)
        raise


def _copy(spool: Any, system: Any, path: str) -> None:
    if (head := spool.read(_AT_ONCE_BYTES)) and len(head) < _AT_ONCE_BYTES:
        system.pipe_file(path, head)
        return
    spool.seek(0)
    with system.open(path, "wb") as target:
        while block := spool.read(8 << 20):
            target.write(block)
