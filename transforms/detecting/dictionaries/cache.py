"""Compiled dictionaries of this machine: built by the first process that needs one, mapped by all others.

They hold the terms, which are personal data: only their owner may read them, and what nobody used for a week is
removed. They may be removed at any time; the next run builds them again.
"""

import contextlib
import fcntl
import os
import stat
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

from transforms.detecting.dictionaries.table import TermTable, map_table
from transforms.schema.errors import UserError

VARIABLE = "TACET_DICTIONARY_CACHE"
"""Environment variable that names another place than the machine's folder for temporary files."""

_UNUSED_S = 7 * 24 * 3600
_SUFFIXES = (".terms", ".tmp")


def compiled(name: str, build: Callable[[], TermTable]) -> TermTable:
    """The table of that name; ``build`` is called where this machine does not have it yet.

    Processes that need it at once wait for one of them to build it. It is written under another name and then
    renamed, so that nobody ever sees half of it.

    Raises:
        UserError: the folder cannot be used; or what ``build`` raises.
    """
    with _told_to_the_user():
        folder = _folder()
        _remove_unused(folder)
    path = folder / f"{name}{_SUFFIXES[0]}"
    table = _mapped(path)
    if table is not None:
        return table
    with _alone(folder):
        table = _mapped(path)
        if table is not None:
            return table
        built = build()
        with _told_to_the_user():
            _write(path, built)
            return map_table(path)


def _folder() -> Path:
    above = Path(os.environ.get(VARIABLE) or tempfile.gettempdir())
    folder = above / f"tacet-dictionaries-{os.getuid()}"
    above.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise UserError(
            f"{folder}: is not a folder of yours, where dictionaries could lie; set {VARIABLE} to another place"
        )
    if stat.S_IMODE(found.st_mode) != 0o700:
        folder.chmod(0o700)
    return folder


def _mapped(path: Path) -> TermTable | None:
    try:
        table = map_table(path)
        os.utime(path)
    except (OSError, ValueError):
        return None  # not there, or not whole: built again
    return table


def _write(path: Path, table: TermTable) -> None:
    unfinished = path.with_name(f"{path.stem}-{uuid.uuid4().hex}{_SUFFIXES[1]}")
    try:
        with open(unfinished, "xb", opener=_private) as file:
            table.save(file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time; the lock of one that is killed is free again."""
    with open(folder / "lock", "wb", opener=_private) as file:
        with contextlib.suppress(OSError):  # a file system without locks: two may build, the last one stays
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _remove_unused(folder: Path) -> None:
    oldest = time.time() - _UNUSED_S
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            if path.suffix in _SUFFIXES and path.stat().st_mtime < oldest:
                path.unlink()


@contextlib.contextmanager
def _told_to_the_user() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place = error.filename or "the folder of compiled dictionaries"
        raise UserError(
            f"{place}: {error.strerror or type(error).__name__}; make room there, or set {VARIABLE} "
            "to a folder that can be written"
        ) from None
