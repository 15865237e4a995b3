import json
import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage import lease as leases
from tacenda.transforms.storage.lease import (
    Lease,
    LeaseLostError,
    acquire,
    check,
    kept,
    leave,
    refuse_held,
    release,
)
from tacenda.transforms.storage.opening import StorageError
from tests.waiting import wait_until


@pytest.fixture(params=["local", "memory"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A location for a lease, on disk or in an object store."""
    if request.param == "local":
        yield str(tmp_path / "out" / "lease.json")
        return
    folder = f"memory://{uuid.uuid4().hex}"
    yield f"{folder}/lease.json"
    system = fsspec.filesystem("memory")
    if system.exists(folder):
        system.rm(folder, recursive=True)


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "_SETTLE_S", {True: 0.05, False: 0.05})


def _content(url: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(fsspec.open(url).open().read())
    return found


def _edit(url: str, **changes: object) -> None:
    data = {**_content(url), **changes}
    with fsspec.open(url, "wb") as file:
        file.write(json.dumps(data).encode())


def _age(url: str, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Make the storage report that the lease was written that long ago."""
    real = leases._written

    def written(asked: str) -> float | None:
        then = real(asked)
        return then if then is None or asked != url else then - seconds

    monkeypatch.setattr(leases, "_written", written)


def test_a_lease_is_acquired_and_released(url: str) -> None:
    mine = acquire(url, "anonymize, run abc", ends_with_process=True)
    check(mine)
    since = _content(url)["since"]
    for ask in (lambda: acquire(url, "other", ends_with_process=True), lambda: refuse_held(url)):
        with pytest.raises(UserError) as caught:
            ask()
        told = f"anonymize, run abc, process {os.getpid()} on {_content(url)['host']}, since {since}"
        assert told in str(caught.value)
    release(mine)
    assert not fsspec.open(url).fs.exists(url)
    with pytest.raises(LeaseLostError):
        check(mine)
    refuse_held(url)
    release(acquire(url, "other", ends_with_process=True))


def test_a_killed_process_holds_no_lease(url: str) -> None:
    """On the same machine nobody waits: its work has ended with it."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    acquire(url, "killed", ends_with_process=True)
    dead.wait()
    _edit(url, pid=dead.pid)
    theirs = acquire(url, "next", ends_with_process=True)
    check(theirs)
    release(theirs)


def test_a_reused_process_id_does_not_hold_the_lease(url: str) -> None:
    acquire(url, "before a crash", ends_with_process=True)
    _edit(url, pid=os.getppid(), started=12345.0)
    release(acquire(url, "next", ends_with_process=True))


def test_a_living_process_of_this_machine_holds_it_however_old(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = acquire(url, "asleep", ends_with_process=True)
    _age(url, monkeypatch, 10 * leases.EXPIRY_S)
    with pytest.raises(UserError, match="another run writes there"):
        acquire(url, "next", ends_with_process=True)
    release(mine)


@pytest.mark.parametrize("elsewhere", [{"machine": "another"}, {"pid": None, "ends_with_process": False}])
def test_the_age_decides_if_the_process_is_unknown(
    url: str, monkeypatch: pytest.MonkeyPatch, elsewhere: dict[str, object]
) -> None:
    """On another machine; or on this one if remote workers may continue without it."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    first = acquire(url, "far away", ends_with_process=True)
    leave(first)
    _edit(url, **{**elsewhere, "pid": dead.pid})
    with pytest.raises(UserError, match=r"if it was killed, its folder is free in \d+ s"):
        acquire(url, "next", ends_with_process=True)
    check(first)
    _age(url, monkeypatch, leases.EXPIRY_S + 1)
    second = acquire(url, "next", ends_with_process=True)
    with pytest.raises(LeaseLostError):
        check(first)
    release(first)
    check(second)
    release(second)


def test_clocks_of_machines_do_not_matter(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(acquire(url, "far away", ends_with_process=True))
    _edit(url, machine="another")
    real = time.time
    for skew in (-(10**6), 10**6):
        monkeypatch.setattr(time, "time", lambda skew=skew: real() + skew)
        with pytest.raises(UserError, match="another run writes there"):
            acquire(url, "next", ends_with_process=True)


def test_where_storage_tells_no_times_the_lease_is_watched(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(acquire(url, "far away", ends_with_process=True))
    _edit(url, machine="another")
    monkeypatch.setattr(leases, "_written", lambda _: None)
    monkeypatch.setattr(leases, "_UNKNOWN_STEP_S", 0.01)
    real = leases._read

    def read_after_a_beat(asked: str) -> bytes | None:
        _edit(url, beat=uuid.uuid4().hex)
        return real(asked)

    with monkeypatch.context() as beating:
        beating.setattr(leases, "_read", read_after_a_beat)
        with pytest.raises(UserError, match="another run writes there"):
            acquire(url, "next", ends_with_process=True)
    monkeypatch.setattr(leases, "EXPIRY_S", 0.05)
    release(acquire(url, "next", ends_with_process=True))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}"])
def test_an_incomplete_lease_is_held_until_it_expires(
    url: str, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    release(acquire(url, "x", ends_with_process=True))
    fsspec.open(url).fs.makedirs(url.rsplit("/", 1)[0], exist_ok=True)
    with fsspec.open(url, "wb") as file:
        file.write(content)
    with pytest.raises(UserError, match="it has just begun"):
        acquire(url, "next", ends_with_process=True)
    _age(url, monkeypatch, leases.EXPIRY_S + 1)
    release(acquire(url, "next", ends_with_process=True))


def test_one_of_several_simultaneous_runs_gets_the_lease(url: str) -> None:
    won: list[Lease] = []
    gate = threading.Barrier(6)

    def begin() -> None:
        gate.wait()
        try:
            won.append(acquire(url, "at once", ends_with_process=True))
        except UserError:
            return

    threads = [threading.Thread(target=begin) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    held = [lease for lease in won if _content(url)["token"] == lease.token]
    assert len(held) == 1
    for lease in won:
        if lease not in held:  # it began, and finds out before it publishes anything
            with pytest.raises(LeaseLostError):
                check(lease)
    release(held[0])


def test_a_lease_is_renewed_during_work(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "BEAT_S", 0.02)
    mine = acquire(url, "x", ends_with_process=False)
    first = _content(url)
    with kept(mine), kept(mine):
        wait_until(lambda: _content(url)["beat"] != first["beat"])
    check(mine)
    assert {**_content(url), "beat": ""} == {**first, "beat": ""}
    release(mine)
    time.sleep(0.1)
    assert not fsspec.open(url).fs.exists(url)


def test_a_lease_renewed_by_others_is_respected(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "BEAT_S", 0.02)
    mine = acquire(url, "x", ends_with_process=False)
    looks: list[bytes | None] = []
    writes: list[str] = []
    real = leases._read

    def read(asked: str) -> bytes | None:
        if threading.current_thread().name == "lease":
            _edit(url, beat=uuid.uuid4().hex)
            looks.append(real(asked))
        return real(asked)

    monkeypatch.setattr(leases, "_read", read)
    monkeypatch.setattr(leases, "_write", lambda asked, _: writes.append(asked))
    with kept(mine):
        wait_until(lambda: len(looks) > 5)
    assert writes == []
    monkeypatch.undo()
    release(mine)


def test_a_lost_lease_is_not_renewed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "BEAT_S", 0.02)
    mine = acquire(url, "x", ends_with_process=True)
    _edit(url, token="theirs")
    with kept(mine):
        wait_until(lambda: not leases._KEEPERS[mine.token].is_alive())
    release(mine)
    assert _content(url)["token"] == "theirs"


def test_a_lease_that_could_not_be_checked_is_not_held(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leases._write(url, b"{}")
    monkeypatch.setattr(leases, "EXPIRY_S", -1.0)

    def no_answer(lease: leases.Lease) -> None:
        raise StorageError("no answer")

    with monkeypatch.context() as patched:
        patched.setattr(leases, "check", no_answer)
        with pytest.raises(StorageError):
            leases.acquire(url, "first", ends_with_process=True)
    monkeypatch.setattr(leases, "EXPIRY_S", 90.0)
    leases.check(leases.acquire(url, "second", ends_with_process=True))


def test_a_lease_is_left_to_expire_where_its_storage_does_not_answer(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = leases.acquire(url, "a run", ends_with_process=True)

    def no_answer(url: str) -> bytes:
        raise StorageError("no answer")

    with monkeypatch.context() as patched:
        patched.setattr(leases, "_read", no_answer)
        leases.release(lease)
    assert leases._read(url) is not None
