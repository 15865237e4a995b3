"""Leases: a small file beside the output names the run that writes there.

This needs neither locks nor atomic renames. On the machine of the run, its process tells whether the lease
is held; elsewhere, its age does: workers renew it whenever they publish (:func:`check`). Whoever takes a
lease over changes its token, and the run that finds another token publishes nothing more. Units write the
same bytes whoever does them, so a run that was taken over by mistake costs time and nothing else.
"""

import json
import os
import socket
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import psutil

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import remove_file
from tacenda.transforms.storage.opening import StorageError, asking, file_system, is_local
from tacenda.transforms.storage.publishing import publish_bytes

BEAT_S = 30.0
"""Age at which a check renews a lease."""

EXPIRY_S = 300.0
"""Age at which a lease is free; a unit takes seconds, and clocks of machines differ by less."""

_SETTLE_S = 0.3
"""Wait after taking a lease over, to detect another run that did so at the same time."""

_OURS: set[str] = set()
"""Tokens of the leases that this process holds."""


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
        ends_with_process: whether all work ends with this process.

    Raises:
        UserError: the lease is held, as far as can be told; the message says by whom and since when.
        StorageError: its storage does not answer.
    """
    refuse_held(url)
    lease = Lease(url, uuid.uuid4().hex)
    holder = {
        "token": lease.token,
        "what": what,
        "since": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "ends_with_process": ends_with_process,
        "host": socket.gethostname(),
        "machine": _machine(),
        "pid": os.getpid(),
        "started": psutil.Process().create_time(),
    }
    _OURS.add(lease.token)
    try:
        if not _created(url, _dated(holder)):
            _write(url, _dated(holder))
            time.sleep(_SETTLE_S)
            check(lease)
    except BaseException as error:
        # It may have been written all the same: the next run of this process takes it over.
        _OURS.discard(lease.token)
        if isinstance(error, LeaseLostError):
            told = _in_words(_read(url) or {})
            raise UserError(f"another run started writing there at the same time ({told})") from None
        raise
    return lease


def refuse_held(url: str) -> None:
    """Check that the lease at a URL is free, without changing anything.

    Raises:
        UserError: it is held.
    """
    holder = _read(url)
    if not holder:
        return
    alive = _process_is_alive(holder)
    idle = _age(holder)
    if (alive is False and holder["ends_with_process"]) or (not alive and idle > EXPIRY_S):
        return
    mend = "wait for its end, or choose another folder"
    if not alive:
        mend += f"; if it was killed, its folder is free in {max(1, round(EXPIRY_S - idle))} s"
    raise UserError(f"another run writes there ({_in_words(holder)}); {mend}")


def check(lease: Lease) -> None:
    """Check that a lease is still ours, and renew it if it is getting old.

    Raises:
        LeaseLostError: it is not.
    """
    holder = _read(lease.url)
    if not holder or holder["token"] != lease.token:
        raise LeaseLostError
    if _age(holder) > BEAT_S:
        _write(lease.url, _dated(holder))


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
    """Leave a lease to workers elsewhere, who renew it until they are done."""
    _OURS.discard(lease.token)


def _in_words(holder: dict[str, Any]) -> str:
    if not holder:
        return "it has just begun"
    return f"{holder['what']}, process {holder['pid']} on {holder['host']}, since {holder['since']}"


def _machine() -> str:
    """Identifies processes that can see each other: boot id and pid namespace."""
    boot, space = Path("/proc/sys/kernel/random/boot_id"), "/proc/self/ns/pid"
    try:
        return f"{boot.read_text().strip()} {os.readlink(space)}"
    except OSError:
        return f"{uuid.getnode()} {round(psutil.boot_time())}"


def _process_is_alive(holder: dict[str, Any]) -> bool | None:
    """Whether the holder's process is alive; None if it is on another machine."""
    if holder["machine"] != _machine():
        return None
    if holder["pid"] == os.getpid():
        return holder["token"] in _OURS
    try:
        return bool(abs(psutil.Process(holder["pid"]).create_time() - holder["started"]) < 2)
    except psutil.NoSuchProcess:
        return False


def _age(holder: dict[str, Any]) -> float:
    """Seconds since a lease was last written, by the clocks of its writer and of this machine."""
    return float(time.time() - holder["beat"])


def _dated(holder: dict[str, Any]) -> bytes:
    return json.dumps({**holder, "beat": time.time()}, indent=1).encode()


def _read(url: str) -> dict[str, Any] | None:
    """The content of a lease, bypassing caches; None if there is none, empty if it is incomplete."""
    system, path = file_system(url)
    system.invalidate_cache(path.rsplit("/", 1)[0])
    try:
        with asking(url):
            content = system.cat_file(path)
    except FileNotFoundError:
        return None
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) and "beat" in found else {}


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
    publish_bytes(url, data)
