"""Machine cache: objects that one process builds and all others on the machine memory-map.

They include dictionary terms, which are personal data: only their owner can read the files, and files unused
for a week are removed. They may be deleted at any time; the next run rebuilds them.
"""

import contextlib
import errno
import fcntl
import hashlib
import os
import stat
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage import mapped_pickle
from tacenda.transforms.storage.private_files import open_private
from tacenda.transforms.storage.process_cache import built_once

VARIABLE = "TACENDA_CACHE"
"""Environment variable for a folder other than the machine's folder for temporary files."""

_UNUSED_S = 7 * 24 * 3600
_SUFFIXES = (".kept", ".tmp")

T = TypeVar("T")


def get_or_build(name: str, make: Callable[[], T]) -> T:
    """The object of that name; calls ``make`` if this machine does not have it yet.

    Its arrays are read-only and share memory between all processes. Processes that need it at the same time
    wait for one of them to build it. It is published atomically.

    Raises:
        UserError: the folder cannot be used; or what ``make`` raises.
    """
    with _told_to_the_user():
        folder = _folder()
        _remove_unused(folder)
    path = _path(folder, name)
    found: T | None = _loaded(path)
    if found is not None:
        return found
    with _told_to_the_user():
        lock = _lock(folder / "lock")
    with _alone(lock):
        found = _loaded(path)
        if found is not None:
            return found
        made = make()
        with _told_to_the_user():
            _write(path, made)
        mapped: T | None = _loaded(path)
        return made if mapped is None else mapped


def get_or_build_anyway(name: str, make: Callable[[], T]) -> T:
    """:func:`get_or_build`; without a usable folder, the object is built for this process only."""
    made: list[T] = []

    def remembered() -> T:
        made.append(make())
        return made[0]

    try:
        return get_or_build(name, remembered)
    except (OSError, UserError):
        return made[0] if made else make()


def fingerprint(*parts: str | bytes) -> str:
    """A hash for names, to distinguish versions of sources, data and machines."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:16]


@built_once
def contents(package: str) -> str:
    """A hash of all files of a package, code and data, for rebuilding objects when these change."""
    paths = sorted((f for f in files(package).iterdir() if f.is_file()), key=lambda f: f.name)
    return fingerprint(*(part for file in paths for part in (file.name, file.read_bytes())))


def _folder() -> Path:
    above = Path(os.environ.get(VARIABLE) or tempfile.gettempdir())
    folder = above / f"tacenda-{os.getuid()}"
    above.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise UserError(
            f"{folder}: is not a folder of yours for compiled data; set {VARIABLE} to another folder"
        )
    if stat.S_IMODE(found.st_mode) != 0o700:
        folder.chmod(0o700)
    return folder


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}{_SUFFIXES[0]}"


def _loaded(path: Path) -> Any:
    try:
        found = mapped_pickle.load(path)
    except (OSError, ValueError):
        return None  # missing or incomplete: rebuild
    with contextlib.suppress(OSError):  # a read-only folder, as in a machine image
        os.utime(path, follow_symlinks=False)
    return found


def _write(path: Path, made: object) -> None:
    unfinished = path.with_name(f"{path.stem}-{uuid.uuid4().hex}{_SUFFIXES[1]}")
    try:
        with open(unfinished, "xb", opener=_private) as file:
            mapped_pickle.save(made, file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _lock(path: Path) -> int:
    """Open the lock file; anything else in its place is removed."""
    flags = os.O_RDWR | os.O_CREAT
    try:
        return open_private(path, flags)
    except IsADirectoryError:
        raise
    except (OSError, ValueError):
        path.unlink(missing_ok=True)
    try:
        return open_private(path, flags)
    except ValueError as error:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), str(path)) from error


@contextlib.contextmanager
def _alone(lock: int) -> Iterator[None]:
    """Hold a lock during the block; locks of killed processes are released."""
    try:
        with contextlib.suppress(OSError):  # a file system without locks: two may build it, the last one wins
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _remove_unused(folder: Path) -> None:
    oldest = time.time() - _UNUSED_S
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            if path.suffix in _SUFFIXES and path.lstat().st_mtime < oldest:
                path.unlink()


@contextlib.contextmanager
def _told_to_the_user() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place = error.filename or "the folder of compiled data"
        raise UserError(
            f"{place}: {error.strerror or type(error).__name__}; make room there, or set {VARIABLE} "
            "to a writable folder"
        ) from None
