"""Basic operations on files and folders at any fsspec URL."""

import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.opening import asking, file_system, is_local, open_read


def exists(url: str) -> bool:
    """Whether there is a file or folder at a URL."""
    system, path = file_system(url)
    with asking(url):
        return bool(system.exists(path))


def is_file(url: str) -> bool:
    """Whether there is a file at a URL."""
    system, path = file_system(url)
    with asking(url):
        return bool(system.isfile(path))


def read_bytes(url: str) -> bytes:
    """The whole content of a small file."""
    with open_read(url) as file, asking(url):
        return file.read()


def read_text(url: str, shown: str) -> str:
    """The text of a small UTF-8 file of a user, on stdin if it is ``-``; ``shown`` is what messages call it.

    Raises:
        UserError: the file cannot be read, or is not UTF-8.
    """
    try:
        return (sys.stdin.buffer.read() if url == "-" else read_bytes(url)).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{shown}: not UTF-8; save it as UTF-8 text") from None
    except OSError as error:
        raise UserError(f"{shown}: cannot be read ({type(error).__name__}); check the path") from None


def written(url: str) -> float | None:
    """Modification time of a file, in seconds since 1970; None if its storage does not provide it."""
    system, path = file_system(url)
    with asking(url):
        return time_of_writing(system.info(path))


def list_folder(url: str) -> list[str]:
    """URLs of the entries of a folder, sorted; empty if there is no such folder."""
    return sorted(_listed(url))


def file_sizes(url: str) -> dict[str, int]:
    """URLs and stored bytes of the files directly in a folder; none if there is no such folder."""
    return {name: int(info["size"]) for name, info in _listed(url).items() if info["type"] == "file"}


def _listed(url: str) -> dict[str, Any]:
    system, path = file_system(url)
    system.invalidate_cache(path)
    try:
        with asking(url):
            found = system.ls(path, detail=True)
    except FileNotFoundError:
        return {}
    names = [info["name"] for info in found]
    urls = names if is_local(system) else [str(system.unstrip_protocol(name)) for name in names]
    return dict(zip(urls, found, strict=True))


def remove_file(url: str) -> None:
    """Remove a file, if it is there."""
    system, path = file_system(url)
    with suppress(FileNotFoundError), asking(url):
        system.rm_file(path)


def remove_folder(url: str) -> None:
    """Remove a folder with all that is in it, if it is there."""
    system, path = file_system(url)
    with suppress(FileNotFoundError), asking(url):
        system.rm(path, recursive=True)


def move_file(source: str, target: str) -> None:
    """Move a file within one storage, replacing an existing one."""
    system, path = file_system(source)
    _, end = file_system(target)
    with asking(target):
        if is_local(system):
            Path(end).parent.mkdir(parents=True, exist_ok=True)
            os.replace(path, end)
        else:
            system.mv(path, end)


def remove_empty_folder(url: str) -> None:
    """Remove a local folder if it is empty; other storage has no empty folders."""
    system, path = file_system(url)
    if is_local(system):
        with suppress(OSError):
            os.rmdir(path)


def try_writing(url: str) -> None:
    """Check that a local folder can be created or, if it exists, written to; leaves nothing behind.

    Permissions alone do not tell, so this tries to write. Other storage is not checked, since others might
    see the trial object.

    Raises:
        OSError: it is not writable.
    """
    system, path = file_system(url)
    if is_local(system):
        folder = next(one for one in (Path(path), *Path(path).parents) if os.path.lexists(one))
        os.rmdir(tempfile.mkdtemp(prefix=".", suffix=".tmp", dir=folder))


def absolute(url: str) -> str:
    """Make a local path absolute and remove ``..``, so that it has the same meaning in every process."""
    system, path = file_system(url)
    if not is_local(system):
        return url
    # The parent of a link is that of its target, so links are followed where there is a "..".
    return os.path.realpath(path) if ".." in path.split("/") else os.path.abspath(path)


class Place(NamedTuple):
    """The location of a file or folder, existing or not; ``path`` has no trailing slash.

    Paths rather than URLs, since s3:// and s3a:// are the same storage.
    """

    storage: type
    path: str

    def lies_in(self, folder: "Place") -> bool:
        """Whether it is the folder or below it."""
        return self.storage is folder.storage and f"{self.path}/".startswith(f"{folder.path}/")


def place_of(url: str, target: bool = True) -> Place:
    """The location of a URL; of a local link, that of its ``target`` or of the link itself."""
    system, path = file_system(url)
    if is_local(system):
        folder, _, name = path.rpartition("/")
        path = os.path.realpath(path) if target else f"{os.path.realpath(folder or '/').rstrip('/')}/{name}"
    return Place(type(system), path.rstrip("/"))


_NAMES = ("mtime", "LastModified", "last_modified", "updated", "created")
"""Keys of file systems: local disks and HDFS, S3, Azure, Google, memory."""


def time_of_writing(info: Mapping[str, Any]) -> float | None:
    """Modification time in seconds since 1970, from a file system's metadata; None if unknown."""
    value = next((info[name] for name in _NAMES if info.get(name)), None)
    if isinstance(value, str):
        with suppress(ValueError):
            value = datetime.fromisoformat(value.replace("Z", "+00:00"))
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=timezone.utc)).timestamp()
    return float(value) if isinstance(value, int | float) else None
