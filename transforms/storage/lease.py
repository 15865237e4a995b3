"""One writer at a time: a small file beside what is written says who writes, and that they are alive.

No storage is asked to lock or to rename. The holder writes the file again and again; a lease that nobody wrote
for a while is free. Who takes one over puts another token into it, and whoever finds another token than theirs
has lost it and publishes nothing more (:func:`check`). Two that begin at one moment find out by reading again.

How old a lease is, the storage alone tells: it stamps the lease and a probe by one clock, so that the clocks of
machines do not matter. Where holder and asker share a machine, the holder's process is looked for instead.
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
from tacenda.transforms.storage.opening import file_system, is_local
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.storage.times import time_of_writing

BEAT_S = 20.0
"""How often a lease is written again."""

EXPIRY_S = 90.0
"""A lease that was not written for so long is free; some beats may fail or come late."""

_SETTLE_S = {True: 0.2, False: 1.0}
"""How long a new lease waits for another one that was begun at the same moment; is the storage local?"""

_UNKNOWN_STEP_S = 2.0

_STOP_S = 20.0
"""How long to wait for a beat that is being written, which would bring back a lease that was given."""


class LeaseLostError(Exception):
    """Somebody else took the lease over, or removed it."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease that is held: where it stands, and the token that makes it ours."""

    url: str
    token: str


def acquire(url: str, what: str, *, ends_with_process: bool) -> Lease:
    """Take the lease at a URL.

    Args:
        url: where it stands, or shall stand.
        what: the holder, in words for others.
        ends_with_process: whether all work ends with this process; else others may keep the lease without it.

    Raises:
        UserError: somebody holds it who is alive, as far as can be told; the message says who, and since when.
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
    if not (found is None and _created(url, data)):
        _write(url, data)
        time.sleep(_SETTLE_S[is_local(file_system(url)[0])])
        try:
            check(lease)
        except LeaseLostError:
            _OURS.discard(lease.token)
            raise UserError(
                f"another run began to write there at the same moment ({_told(_read(url))})"
            ) from None
    return lease


def refuse_held(url: str) -> None:
    """See that nobody holds the lease at a URL; changes nothing.

    Raises:
        UserError: somebody does.
    """
    found = _read(url)
    if found is not None:
        _refuse_held(url, found, probing=False)


def check(lease: Lease) -> None:
    """See that a lease is still ours.

    Raises:
        LeaseLostError: it is not.
    """
    found = _read(lease.url)
    if found is None or _parsed(found).get("token") != lease.token:
        raise LeaseLostError


def release(lease: Lease) -> None:
    """Give a lease back, if it is still ours; a local folder that held nothing else goes with it."""
    leave(lease)
    with suppress(LeaseLostError):
        check(lease)
        remove_file(lease.url)
    system, path = file_system(lease.url)
    if is_local(system):
        with suppress(OSError):
            os.rmdir(os.path.dirname(path))


def leave(lease: Lease) -> None:
    """Keep a lease no longer; it stands until it is old, or as long as others keep it."""
    with _LOCK:
        keeper = _KEEPERS.pop(lease.token, None)
        _OURS.discard(lease.token)
    if keeper is not None:
        keeper.stop()


@contextmanager
def kept(lease: Lease) -> Iterator[None]:
    """Keep a lease alive inside the block and for a while after it; blocks may overlap, also in processes."""
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
"""Tokens of the leases that this process took and did not give back."""


class _Keeper(threading.Thread):
    """Writes a lease again where nobody else did since it last looked: of many workers one is enough."""

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
        # Not all at the same moment, or all would write.
        while not self._stopped.wait(BEAT_S * random.uniform(0.6, 1.0)):  # noqa: S311
            if not self.users and time.monotonic() - self.used > EXPIRY_S:
                return
            with suppress(Exception):  # storage has hiccups; the next beat mends it
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
    raise UserError(f"another run writes there ({_told(found)}); {mend}")


def _told(found: bytes | None) -> str:
    holder = _parsed(found or b"")
    if not holder:
        return "it has just begun"
    return f"{holder['what']}, process {holder['pid']} on {holder['host']}, since {holder['since']}"


def _process() -> dict[str, Any]:
    """Who we are: a process, told from later ones of the same number, on a machine, told from its like."""
    return {
        "host": socket.gethostname(),
        "machine": _machine(),
        "pid": os.getpid(),
        "started": psutil.Process().create_time(),
    }


def _machine() -> str:
    """What two processes share that see each other: the boot of a machine, and a space of process numbers."""
    boot, space = Path("/proc/sys/kernel/random/boot_id"), "/proc/self/ns/pid"
    try:
        return f"{boot.read_text().strip()} {os.readlink(space)}"
    except OSError:
        return f"{uuid.getnode()} {round(psutil.boot_time())}"


def _process_is_alive(holder: dict[str, Any]) -> bool | None:
    """Whether the holder's process is; None where that cannot be seen from here."""
    if holder.get("machine") != _machine():
        return None
    if holder["pid"] == os.getpid():
        return holder["token"] in _OURS
    try:
        return bool(abs(psutil.Process(holder["pid"]).create_time() - holder["started"]) < 2)
    except psutil.NoSuchProcess:
        return False


def _idle(url: str, found: bytes, *, probing: bool) -> float:
    """For how many seconds nobody wrote a lease; where its storage tells no times, it is watched."""
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
        return time_of_writing(system.info(path))
    except FileNotFoundError:
        return None


def _read(url: str) -> bytes | None:
    """What stands in a lease; None where there is none. Not through a listing that this process may keep."""
    system, path = file_system(url)
    system.invalidate_cache(path.rsplit("/", 1)[0])
    try:
        return bytes(system.cat_file(path))
    except FileNotFoundError:
        return None


def _parsed(found: bytes) -> dict[str, Any]:
    """A lease as data; nothing of one that is only half there."""
    try:
        data = json.loads(found)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _signed(data: dict[str, Any]) -> bytes:
    """A lease as bytes that no other writing of it has."""
    return json.dumps({**data, "beat": uuid.uuid4().hex}, indent=1).encode()


def _created(url: str, data: bytes) -> bool:
    """Whether a local file could be made that was not there: then nobody else made it."""
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
