"""Leases: a small file beside the output ensures a single writer.

This needs neither locks nor atomic renames. The holder rewrites the file periodically; a lease that was not
rewritten for a while is free. Taking over a lease changes its token, and a holder that finds another token
has lost the lease and publishes nothing more (:func:`check`). Two processes that start at the same time
detect it by reading the file again.

The age of a lease is determined by the storage's clock, from the modification times of the lease and a probe,
so the clocks of machines do not matter. On the holder's own machine, its process is checked instead.
"""

import json
import os
import random
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import psutil

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import remove_file
from tacenda.transforms.storage.opening import StorageError, asking, file_system, is_local
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.storage.times import time_of_writing

BEAT_S = 20.0
"""Interval at which a lease is rewritten."""

EXPIRY_S = 90.0
"""Age at which a lease is free; allows for some failed or late beats."""

_SETTLE_S = {True: 0.2, False: 1.0}
"""Wait after taking a lease, to detect another taken at the same time; by whether the storage is local."""

_UNKNOWN_STEP_S = 2.0

_STOP_S = 20.0
"""Limit on waiting for a beat in progress, which would restore a released lease."""


class LeaseLostError(Exception):
    """The lease was taken over or removed."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A held lease: its URL and our token."""

    url: str
    token: str


def acquire(url: str, what: str, *, ends_with_process: bool) -> Lease:
    """Take the lease at a URL.

    Args:
        url: URL of the lease file.
        what: description of the holder, for messages.
        ends_with_process: whether all work ends with this process; otherwise others may renew the lease.

    Raises:
        UserError: the lease is held, as far as can be told; the message says by whom and since when.
        StorageError: its storage does not answer.
    """
    found = _read(url)
    if found is not None:
        _refuse_held(url, found, probing=True)
    lease = Lease(url, uuid.uuid4().hex)
    data = _signed(
        {
            "token": lease.token,
            "what": what,
            "since": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "ends_with_process": ends_with_process,
            **_process(),
        }
    )
    _OURS.add(lease.token)
    try:
        if not (found is None and _created(url, data)):
            _write(url, data)
            time.sleep(_SETTLE_S[is_local(file_system(url)[0])])
            check(lease)
    except BaseException as error:
        # It may have been written all the same: the next run of this process takes it over.
        _OURS.discard(lease.token)
        if not isinstance(error, LeaseLostError):
            raise
        raise UserError(
            f"another run started writing there at the same time ({_holder_in_words(_read(url))})"
        ) from None
    return lease


def refuse_held(url: str) -> None:
    """Check that the lease at a URL is free, without changing anything.

    Raises:
        UserError: it is held.
    """
    found = _read(url)
    if found is not None:
        _refuse_held(url, found, probing=False)


def check(lease: Lease) -> None:
    """Check that a lease is still ours.

    Raises:
        LeaseLostError: it is not.
    """
    found = _read(lease.url)
    if found is None or _parsed(found).get("token") != lease.token:
        raise LeaseLostError


def release(lease: Lease) -> None:
    """Release a lease if it is still ours, and remove its folder if that is local and empty.

    Where the storage does not answer, the lease expires by itself.
    """
    leave(lease)
    with suppress(LeaseLostError, StorageError):
        check(lease)
        remove_file(lease.url)
    system, path = file_system(lease.url)
    if is_local(system):
        with suppress(OSError):
            os.rmdir(os.path.dirname(path))


def leave(lease: Lease) -> None:
    """Stop renewing a lease; it expires unless others renew it."""
    with _LOCK:
        keeper = _KEEPERS.pop(lease.token, None)
        _OURS.discard(lease.token)
    if keeper is not None:
        keeper.stop()


@contextmanager
def kept(lease: Lease) -> Iterator[None]:
    """Renew a lease during the block and for a while after it; blocks may overlap, even across processes."""
    with _LOCK:
        keeper = _KEEPERS.get(lease.token)
        if keeper is None or not keeper.is_alive():
            keeper = _KEEPERS[lease.token] = _Keeper(lease)
            keeper.start()
        keeper.users += 1
    try:
        yield
    finally:
        with _LOCK:
            keeper.users -= 1
            keeper.used = time.monotonic()


_LOCK = threading.Lock()
_OURS: set[str] = set()
"""Tokens of the leases that this process holds."""


class _Keeper(threading.Thread):
    """Rewrites a lease unless another worker has done so since the last check."""

    def __init__(self, lease: Lease) -> None:
        super().__init__(name="lease", daemon=True)
        self.users = 0
        self.used = time.monotonic()
        self._lease = lease
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()
        self.join(timeout=_STOP_S)

    def run(self) -> None:
        seen: bytes | None = None
        # Jitter, so that not all workers write at the same time.
        while not self._stopped.wait(BEAT_S * random.uniform(0.6, 1.0)):  # noqa: S311
            if not self.users and time.monotonic() - self.used > EXPIRY_S:
                return
            with suppress(Exception):  # transient storage errors; the next beat will do
                found = _read(self._lease.url)
                if found is None or _parsed(found).get("token") != self._lease.token:
                    return
                if found == seen:
                    found = _signed(_parsed(found))
                    if not self._stopped.is_set():
                        _write(self._lease.url, found)
                seen = found


_KEEPERS: dict[str, _Keeper] = {}


def _refuse_held(url: str, found: bytes, *, probing: bool) -> None:
    holder = _parsed(found)
    alive = _process_is_alive(holder)
    if alive is False and holder.get("ends_with_process"):
        return
    idle = _idle(url, found, probing=probing)
    if not alive and idle > EXPIRY_S:
        return
    mend = "wait for its end, or choose another folder"
    if not alive:
        mend += f"; if it was killed, its folder is free in {max(1, round(EXPIRY_S - idle))} s"
    raise UserError(f"another run writes there ({_holder_in_words(found)}); {mend}")


def _holder_in_words(found: bytes | None) -> str:
    holder = _parsed(found or b"")
    if not holder:
        return "it has just begun"
    return f"{holder['what']}, process {holder['pid']} on {holder['host']}, since {holder['since']}"


def _process() -> dict[str, Any]:
    """Identify this process, distinguished from later ones with the same id, and its machine."""
    return {
        "host": socket.gethostname(),
        "machine": _machine(),
        "pid": os.getpid(),
        "started": psutil.Process().create_time(),
    }


def _machine() -> str:
    """Identifies processes that can see each other: boot id and pid namespace."""
    boot, space = Path("/proc/sys/kernel/random/boot_id"), "/proc/self/ns/pid"
    try:
        return f"{boot.read_text().strip()} {os.readlink(space)}"
    except OSError:
        return f"{uuid.getnode()} {round(psutil.boot_time())}"


def _process_is_alive(holder: dict[str, Any]) -> bool | None:
    """Whether the holder's process is alive; None if it is on another machine."""
    if holder.get("machine") != _machine():
        return None
    if holder["pid"] == os.getpid():
        return holder["token"] in _OURS
    try:
        return bool(abs(psutil.Process(holder["pid"]).create_time() - holder["started"]) < 2)
    except psutil.NoSuchProcess:
        return False


def _idle(url: str, found: bytes, *, probing: bool) -> float:
    """Seconds since a lease was last written; without modification times, it is observed for a while."""
    then = _written(url)
    if then is None:
        return _watched(url, found) if probing else 0.0
    if not probing:
        return time.time() - then
    probe = f"{url}.{uuid.uuid4().hex}"
    _write(probe, b"")
    try:
        now = _written(probe)
    finally:
        remove_file(probe)
    return 0.0 if now is None else now - then


def _watched(url: str, found: bytes) -> float:
    began = time.monotonic()
    while (idle := time.monotonic() - began) <= EXPIRY_S:
        time.sleep(_UNKNOWN_STEP_S)
        if _read(url) != found:
            return 0.0
    return idle


def _written(url: str) -> float | None:
    system, path = file_system(url)
    system.invalidate_cache(path.rsplit("/", 1)[0])
    try:
        with asking(url):
            return time_of_writing(system.info(path))
    except FileNotFoundError:
        return None


def _read(url: str) -> bytes | None:
    """The content of a lease, bypassing caches; None if there is none."""
    system, path = file_system(url)
    system.invalidate_cache(path.rsplit("/", 1)[0])
    try:
        with asking(url):
            return bytes(system.cat_file(path))
    except FileNotFoundError:
        return None


def _parsed(found: bytes) -> dict[str, Any]:
    """Parse a lease; empty if it is incomplete."""
    try:
        data = json.loads(found)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _signed(data: dict[str, Any]) -> bytes:
    """Serialise a lease with a unique beat."""
    return json.dumps({**data, "beat": uuid.uuid4().hex}, indent=1).encode()


def _created(url: str, data: bytes) -> bool:
    """Create a local file exclusively; whether that succeeded."""
    system, path = file_system(url)
    if not is_local(system):
        return False
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(path, "xb") as file:
            file.write(data)
    except FileExistsError:
        return False
    return True


def _write(url: str, data: bytes) -> None:
    with publish(url) as sink:
        sink.write(data)
