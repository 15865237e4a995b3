"""Machine cache: objects that one process builds and all others on the machine memory-map.

They include dictionary terms, which are personal data: they lie in a folder that only its owner can enter, and
files unused for a week are removed. They may be deleted at any time; the next run rebuilds them. Loading a
pickle can execute code, which is why nobody else may write there.
"""

import contextlib
import fcntl
import hashlib
import os
import pickle
import platform
import re
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np
import pyarrow as pa

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.publishing import replacing

VARIABLE = "TACENDA_CACHE"  # a folder other than the machine's for temporary files

_UNUSED_S = 7 * 24 * 3600
_SUFFIXES = (".kept", ".tmp")

T = TypeVar("T")


def get_or_build(name: str, make: Callable[[], T]) -> T:
    """The object of that name; calls ``make`` if this machine does not have it yet.

    Its arrays are read-only and share memory between all processes. Processes that need it at the same time
    wait for one of them to build it. It is published atomically. Without a usable folder, or room in it, the
    object is built for this process only.
    """
    made: list[T] = []
    with contextlib.suppress(OSError, UserError):
        path = _folder() / f"{name}.kept"
        found: T | None = _loaded(path)
        if found is not None:
            return found
        with locked() as folder:
            _remove_unused(folder)
            found = _loaded(path)
            if found is not None:
                return found
            made.append(make())
            with replacing(path, private=True) as file:
                save(made[0], file)
        found = _loaded(path)
        return made[0] if found is None else found
    return made[0] if made else make()


@contextlib.contextmanager
def locked() -> Iterator[Path]:
    """Hold a lock that one process of this user at a time has; gives the folder of the cache.

    Raises:
        UserError: the folder cannot be used.
    """
    try:
        folder = _folder()
        # Without O_NONBLOCK, opening a named pipe would block.
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError as error:
        place = error.filename or "the folder of compiled data"
        raise UserError(
            f"{place}: {error.strerror or type(error).__name__}; make room there, or set {VARIABLE} "
            "to a writable folder"
        ) from None
    try:
        with contextlib.suppress(OSError):  # a file system without locks: two may build it, the last one wins
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
    finally:
        os.close(lock)


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


_PIECE = pa.schema([("data", pa.uint8())])


def save(value: object, file: BinaryIO) -> None:
    """Write an object as an Arrow file: a batch for its pickle, and one for each of its arrays."""
    arrays: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(value, protocol=5, buffer_callback=arrays.append)
    with pa.ipc.new_file(file, _PIECE) as writer:
        for piece in (memoryview(pickled), *(array.raw() for array in arrays)):
            writer.write_batch(pa.record_batch([np.frombuffer(piece, np.uint8)], schema=_PIECE))


def load(path: Path) -> Any:
    """Load what ``save`` wrote; arrays are read-only, and their pages are shared by all processes.

    Raises:
        OSError: there is no such file.
        ValueError: it is incomplete, or cannot be used here.
    """
    with pa.memory_map(str(path)) as mapped:
        try:
            reader = pa.ipc.open_file(mapped)
            batches = map(reader.get_batch, range(reader.num_record_batches))
            pickled, *arrays = (batch.column(0).to_numpy() for batch in batches)
            return pickle.loads(pickled, buffers=arrays)  # noqa: S301 - written by this very user
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
