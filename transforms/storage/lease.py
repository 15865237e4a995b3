"""Leases: a small file beside the output names the run that writes there.

This needs neither locks nor atomic renames. On the machine of the run, its process tells whether the lease
is held; elsewhere, its age does: workers renew it whenever they publish (:func:`check`), changes of a folder
all the time (:func:`kept`). Whoever takes a lease over changes its token, and the run that finds another token
publishes nothing more. Units write the same bytes whoever does them, so a run that was taken over by mistake
costs time and nothing else.
"""

import json
import os
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import remove_empty_folder, remove_file
from tacenda.transforms.storage.opening import StorageError, asking, file_system
from tacenda.transforms.storage.publishing import publish_bytes

BEAT_S = 30.0  # age at which a check renews a lease
EXPIRY_S = 300.0  # age at which a lease is free; a unit takes seconds, and clocks of machines differ by less


class LeaseLostError(Exception):
    """The lease was taken over or removed."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A held lease: its URL and our token."""

    url: str
    token: str


def acquire(url: str, what: str, *, ends_with_process: bool) -> Lease:
    """Take the lease at a URL for ``what``; of several runs that do so at once, the last one has it.

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
    _write(url, holder)
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
    idle = time.time() - holder["beat"]
    if (alive is False and holder["ends_with_process"]) or (not alive and idle > EXPIRY_S):
        return
    mend = "wait for its end, or choose another folder"
    if not alive:
        mend += f"; if it was killed, its folder is free in {max(1, round(EXPIRY_S - idle))} s"
    who = f"{holder['what']}, process {holder['pid']} on {holder['host']}, since {holder['since']}"
    raise UserError(f"another run writes there ({who}); {mend}")


def check(lease: Lease | None) -> None:
    """Check that a lease, if there is one, is still ours, and renew it if it is getting old.

    Raises:
        LeaseLostError: it is not.
    """
    if lease is None:
        return
    holder = _read(lease.url)
    if holder.get("token") != lease.token:
        raise LeaseLostError("another run took over the output folder, or its lease was removed")
    if time.time() - holder["beat"] > BEAT_S:
        _write(lease.url, holder)


@contextmanager
def kept(lease: Lease) -> Iterator[None]:
    """Renew a lease during the block, which may last longer than it, and release it then."""
    ended = Event()

    def renew() -> None:
        with suppress(LeaseLostError):
            while not ended.wait(BEAT_S):
                with suppress(StorageError, OSError):
                    check(lease)

    thread = Thread(target=renew, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        release(lease)


def release(lease: Lease) -> None:
    """Release a lease if it is still ours, and remove its folder if that is local and empty.

    Where the storage does not answer, the lease ends with the process, or expires by itself.
    """
    with suppress(LeaseLostError, StorageError):
        check(lease)
        remove_file(lease.url)
    remove_empty_folder(lease.url.rpartition("/")[0])


def _machine() -> str:
    """Identifies processes that can see each other: boot id and pid namespace."""
    boot, space = Path("/proc/sys/kernel/random/boot_id"), "/proc/self/ns/pid"
    try:
        return f"{boot.read_text().strip()} {os.readlink(space)}"
    except OSError:
        return f"{uuid.getnode()} {round(psutil.boot_time())}"


def _process_is_alive(holder: dict[str, Any]) -> bool | None:
    """Whether the holder's process is alive, and no zombie; None if it is on another machine."""
    if holder["machine"] != _machine():
        return None
    try:
        one = psutil.Process(holder["pid"])
        return bool(abs(one.create_time() - holder["started"]) < 2 and one.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _read(url: str) -> dict[str, Any]:
    """The content of a lease, bypassing caches; empty if there is none, or it is incomplete."""
    system, path = file_system(url)
    system.invalidate_cache(path.rsplit("/", 1)[0])
    try:
        with asking(url):
            content = system.cat_file(path)
        found = json.loads(content)
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) and "beat" in found else {}


def _write(url: str, holder: dict[str, Any]) -> None:
    publish_bytes(url, json.dumps({**holder, "beat": time.time()}, indent=1).encode())
