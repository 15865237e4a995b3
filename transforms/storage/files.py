"""Basic operations on files and folders at any fsspec URL."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.opening import asking, file_system, is_local, open_read
from tacenda.transforms.storage.places import without_steps
from tacenda.transforms.storage.times import time_of_writing


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
    """The text of a small UTF-8 file of a user; ``shown`` is what messages call it.

    Raises:
        UserError: the file cannot be read, or is not UTF-8.
    """
    try:
        return read_bytes(url).decode("utf-8-sig")
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
    system, path = file_system(url)
    system.invalidate_cache(path)
    try:
        with asking(url):
            names = system.ls(path, detail=False)
    except FileNotFoundError:
        return []
    return sorted(name if is_local(system) else str(system.unstrip_protocol(name)) for name in names)


def file_sizes(url: str) -> dict[str, int]:
    """URLs and stored bytes of the files directly in a folder; none if there is no such folder."""
    system, path = file_system(url)
    system.invalidate_cache(path)
    try:
        with asking(url):
            found = system.ls(path, detail=True)
    except FileNotFoundError:
        return {}
    return {
        info["name"] if is_local(system) else str(system.unstrip_protocol(info["name"])): int(info["size"])
        for info in found
        if info["type"] == "file"
    }


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
    if not is_local(system):
        return
    folder = Path(path)
    while not os.path.lexists(folder):
        folder = folder.parent
    os.rmdir(tempfile.mkdtemp(prefix=".", suffix=".tmp", dir=folder))


def absolute(url: str) -> str:
    """Make a local path absolute and remove ``..``, so that it has the same meaning in every process."""
    system, path = file_system(url)
    return without_steps(path) if is_local(system) else url
