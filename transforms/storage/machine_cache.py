"""Machine cache: objects that one process builds and all others on the machine memory-map.

They include dictionary terms, which are personal data: they lie in a folder that only its owner can enter, and
files unused for a week are removed. They may be deleted at any time; the next run rebuilds them. A file is a
pickle whose arrays lie behind it. Loading a pickle can execute code, which is why nobody else may write there.
"""

import contextlib
import fcntl
import hashlib
import mmap
import os
import pickle
import platform
import re
import stat
import struct
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.publishing import replacing

VARIABLE = "TACENDA_CACHE"  # a folder other than the machine's for temporary files

_UNUSED_S = 7 * 24 * 3600
_SUFFIXES = (".kept", ".tmp")
_ALIGNMENT = 64
_SIZE = struct.Struct("<QQ")  # number of buffers; checksum of their sizes and of the pickle

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
    path = folder / f"{name}.kept"
    found: T | None = _loaded(path)
    if found is not None:
        return found
    with locked():
        found = _loaded(path)
        if found is None:
            made = make()
            with _told_to_the_user(), replacing(path, private=True) as file:
                save(made, file)
            found = _loaded(path)
        return made if found is None else found


@contextlib.contextmanager
def locked(name: str = "lock") -> Iterator[Path]:
    """Hold a lock that one process of this user at a time has; gives the folder of the cache.

    Raises:
        UserError: the folder cannot be used.
    """
    with _told_to_the_user():
        folder = _folder()
        # Without O_NONBLOCK, opening a named pipe would block.
        lock = os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    try:
        with contextlib.suppress(OSError):  # a file system without locks: two may build it, the last one wins
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
    finally:
        os.close(lock)


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
    encoded = [part.encode() if isinstance(part, str) else part for part in parts]
    told = b"".join(len(data).to_bytes(8, "little") + data for data in encoded)
    return hashlib.sha256(told).hexdigest()[:16]


@built_once
def contents(package: str) -> str:
    """A hash of all files of a package, code and data, for rebuilding objects when these change."""
    paths = sorted((f for f in files(package).iterdir() if f.is_file()), key=lambda f: f.name)
    return fingerprint(*(part for file in paths for part in (file.name, file.read_bytes())))


def save(value: object, file: BinaryIO) -> None:
    """Write an object: the number and the sizes of its buffers, the pickle, and the arrays as they are."""
    arrays: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(value, protocol=5, buffer_callback=arrays.append)
    buffers = [memoryview(pickled), *(array.raw() for array in arrays)]
    sizes = struct.pack(f"<{len(buffers)}Q", *(buffer.nbytes for buffer in buffers))
    file.write(_SIZE.pack(len(buffers), zlib.crc32(pickled, zlib.crc32(sizes))) + sizes)
    place = _SIZE.size + len(sizes)
    for buffer in buffers:
        place += file.write(bytes(-place % _ALIGNMENT))
        place += file.write(buffer)


def load(path: Path) -> Any:
    """Load what ``save`` wrote; arrays are read-only, and their pages are shared by all processes.

    Raises:
        OSError: there is no such file.
        ValueError: it is incomplete, or cannot be used here.
    """
    with open(
        path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
    ) as file:
        mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    try:
        count, checksum = _SIZE.unpack_from(mapped)
        sizes = struct.unpack_from(f"<{count}Q", mapped, _SIZE.size)
        place = _SIZE.size + 8 * count
        pieces = [mapped[_SIZE.size : place]]
        for size in sizes:
            place += -place % _ALIGNMENT
            pieces.append(mapped[place : place + size])
            place += size
        if place != len(mapped) or zlib.crc32(pieces[1], zlib.crc32(pieces[0])) != checksum:
            raise ValueError("the file is not whole")  # noqa: TRY301 - as any other fault of it
        return pickle.loads(pieces[1], buffers=pieces[2:])  # noqa: S301 - written by this very user
    except Exception as error:
        raise ValueError(f"the file cannot be used here ({type(error).__name__})") from error


def _folder() -> Path:
    above = Path(os.environ.get(VARIABLE) or tempfile.gettempdir())
    folder = above / f"tacenda-{os.getuid()}"
    above.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
        raise UserError(
            f"{folder}: is not a folder of yours alone for compiled data; remove it, or set {VARIABLE} to "
            "another folder"
        )
    return folder


def _loaded(path: Path) -> Any:
    with contextlib.suppress(OSError, ValueError):
        found = load(path)
        with contextlib.suppress(OSError):  # a read-only folder, as in a machine image
            os.utime(path, follow_symlinks=False)
        return found
    return None


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


_CPUINFO = Path("/proc/cpuinfo")

_FEATURES = (  # by which ONNX Runtime and matrix libraries choose routines, as Linux names them
    "avx2", "fma", "avx_vnni", "avx512f", "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16", "amx_int8",
    "amx_bf16", "asimd", "asimddp", "i8mm", "bf16", "sve", "sve2",
)  # fmt: skip


_LISTED = re.compile(r"^(?:flags|features)\s*:(.*)", re.IGNORECASE | re.MULTILINE)


@built_once
def processor() -> str:
    """The architecture and the features that affect arithmetic, such as ``x86_64 avx2 fma``.

    Features are known on Linux only; elsewhere this is just the architecture.
    """
    listed = None
    with contextlib.suppress(OSError):
        listed = _LISTED.search(_CPUINFO.read_text("ascii", "replace"))
    present = listed[1].split() if listed else ()
    return " ".join((platform.machine(), *(feature for feature in _FEATURES if feature in present)))
