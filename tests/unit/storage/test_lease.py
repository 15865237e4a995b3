import json
import os
import subprocess
import sys
import time
import uuid
from typing import Any

import fsspec
import psutil
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage import lease as leases
from tacenda.transforms.storage.lease import LeaseLostError, acquire, check, kept, refuse_held, release
from tacenda.transforms.storage.opening import StorageError
from tests.waiting import wait_until


@pytest.fixture(params=["local", "memory"])
def url(request, tmp_path):
    """A location for a lease, on disk or in an object store."""
    if request.param == "local":
        yield str(tmp_path / "out" / "lease.json")
        return
    folder = f"memory://{uuid.uuid4().hex}"
    yield f"{folder}/lease.json"
    system = fsspec.filesystem("memory")
    if system.exists(folder):
        system.rm(folder, recursive=True)


def _content(url):
    found: dict[str, Any] = json.loads(fsspec.open(url).open().read())
    return found


def _edit(url, **changes):
    data = {**_content(url), **changes}
    with fsspec.open(url, "wb") as file:
        file.write(json.dumps(data).encode())


def _age(url, seconds):
    """Make the lease look written that long ago."""
    _edit(url, beat=_content(url)["beat"] - seconds)


def test_a_lease_is_acquired_and_released(url):
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


@pytest.mark.parametrize("is_reused", [False, True])
def test_a_killed_process_holds_no_lease(url, is_reused):
    """On the same machine nobody waits: its work has ended with it."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    acquire(url, "killed", ends_with_process=True)
    dead.wait()
    _edit(url, **({"pid": os.getppid(), "started": 12345.0} if is_reused else {"pid": dead.pid}))
    theirs = acquire(url, "next", ends_with_process=True)
    check(theirs)
    release(theirs)


def test_a_process_that_ended_holds_no_lease_though_its_parent_does_not_ask(url):
    """As in containers whose first process waits for no other."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    acquire(url, "killed", ends_with_process=True)
    _edit(url, pid=child.pid, started=psutil.Process(child.pid).create_time())
    with pytest.raises(UserError):
        refuse_held(url)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    refuse_held(url)
    child.communicate()


def test_a_living_process_of_this_machine_holds_it_however_old(url):
    mine = acquire(url, "asleep", ends_with_process=True)
    _age(url, 10 * leases.EXPIRY_S)
    with pytest.raises(UserError, match="another run writes there"):
        acquire(url, "next", ends_with_process=True)
    release(mine)


@pytest.mark.parametrize("elsewhere", [{"machine": "another"}, {"pid": None, "ends_with_process": False}])
def test_the_age_decides_if_the_process_is_unknown(url, elsewhere):
    """On another machine; or on this one if remote workers may continue without it."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    first = acquire(url, "far away", ends_with_process=True)
    _edit(url, **{**elsewhere, "pid": dead.pid})
    with pytest.raises(UserError, match=r"if it was killed, its folder is free in \d+ s"):
        acquire(url, "next", ends_with_process=True)
    check(first)
    _age(url, leases.EXPIRY_S + 1)
    second = acquire(url, "next", ends_with_process=True)
    with pytest.raises(LeaseLostError):
        check(first)
    release(first)
    check(second)
    release(second)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}"])
def test_an_incomplete_lease_is_nobodys(url, content):
    fsspec.open(url).fs.makedirs(url.rsplit("/", 1)[0], exist_ok=True)
    with fsspec.open(url, "wb") as file:
        file.write(content)
    mine = acquire(url, "next", ends_with_process=True)
    check(mine)
    release(mine)


def test_a_check_renews_a_lease_that_gets_old(url):
    mine = acquire(url, "x", ends_with_process=False)
    first = _content(url)
    check(mine)
    assert _content(url) == first
    _age(url, 2 * leases.BEAT_S)
    check(mine)
    assert {**_content(url), "beat": 0} == {**first, "beat": 0}
    assert _content(url)["beat"] >= first["beat"]
    release(mine)


def test_a_lease_is_renewed_while_a_block_goes_on(url, monkeypatch):
    monkeypatch.setattr(leases, "BEAT_S", 0.01)
    with kept(acquire(url, "x", ends_with_process=True)):
        for _ in range(2):
            _age(url, 10 * leases.EXPIRY_S)
            wait_until(lambda: time.time() - _content(url)["beat"] < leases.EXPIRY_S)
    assert not fsspec.open(url).fs.exists(url)


def test_a_block_whose_lease_was_lost_goes_on_and_leaves_that_of_others(url, monkeypatch):
    monkeypatch.setattr(leases, "BEAT_S", 0.01)
    checked, check_once = [], leases.check
    monkeypatch.setattr(leases, "check", lambda lease: (checked.append(lease), check_once(lease)))
    with kept(acquire(url, "x", ends_with_process=True)):
        _edit(url, token="theirs", beat=0)
        wait_until(lambda: checked)
    assert _content(url)["token"] == "theirs"
    assert _content(url)["beat"] == 0


def test_a_lost_lease_is_not_renewed(url):
    mine = acquire(url, "x", ends_with_process=True)
    _edit(url, token="theirs")
    with pytest.raises(LeaseLostError):
        check(mine)
    release(mine)
    assert _content(url)["token"] == "theirs"


def test_a_lease_is_left_to_expire_where_its_storage_does_not_answer(url, monkeypatch):
    lease = leases.acquire(url, "a run", ends_with_process=True)

    def no_answer(url):
        raise StorageError("no answer")

    with monkeypatch.context() as patched:
        patched.setattr(leases, "_read", no_answer)
        leases.release(lease)
    assert leases._read(url)["token"] == lease.token
