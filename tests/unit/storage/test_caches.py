import inspect
import os
import platform
import stat
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import numpy.typing as npt
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage import machine_cache
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build, locked
from tacenda.transforms.storage.process_cache import built_once, built_once_for

Table = dict[str, npt.NDArray[np.int64]]


def _make():
    return {"numbers": np.arange(5)}


def _never():
    raise AssertionError


def _full(_value, _file):
    raise OSError(28, "No space left on device")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(machine_cache.VARIABLE, str(tmp_path / "new" / "place"))
    return tmp_path / "new" / "place" / f"tacenda-{os.getuid()}"


def _numbers(table):
    found: list[int] = table["numbers"].tolist()
    return found


def test_only_the_owner_may_read_it(folder, tmp_path):
    get_or_build("a", _make)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} <= {0o600, 0o644}
    folder.chmod(0o755)
    for is_link in (False, True):
        if is_link:
            folder.rename(tmp_path / "theirs").chmod(0o700)
            folder.symlink_to(tmp_path / "theirs")
        with pytest.raises(UserError, match=r"is not a folder of yours alone[^\n]*TACENDA_CACHE[^\n]*$"):
            locked().__enter__()
        assert _numbers(get_or_build("a", _make)) == [0, 1, 2, 3, 4]


def test_it_is_made_again_when_it_is_gone_or_broken(folder):
    get_or_build("a", _make)
    path = folder / "a.kept"
    whole = path.read_bytes()
    for broken in (b"", b"half of it", whole[:-1], whole + b"x"):
        path.write_bytes(broken)
        assert _numbers(get_or_build("a", _make)) == [0, 1, 2, 3, 4]
        assert path.read_bytes() == whole
    path.unlink()
    get_or_build("a", _make)
    assert path.read_bytes() == whole


def test_what_can_be_done_without_is_made_once_where_nothing_can_be_kept(folder, monkeypatch):
    made = []

    def make():
        made.append("a")
        return _make()

    monkeypatch.setattr(machine_cache, "save", _full)
    assert _numbers(get_or_build("a", make)) == [0, 1, 2, 3, 4]
    assert made == ["a"]
    assert [path.name for path in folder.iterdir()] == ["lock"]
    monkeypatch.undo()
    monkeypatch.setenv(machine_cache.VARIABLE, str(folder.parent.parent / "file" / "below"))
    (folder.parent.parent / "file").touch()
    assert _numbers(get_or_build("a", make)) == [0, 1, 2, 3, 4]
    assert made == ["a", "a"]


def test_what_nobody_used_for_long_is_removed(folder):
    for name in ("old", "new"):
        get_or_build(name, _make)
    (folder / "left.tmp").touch()
    month_ago = time.time() - 30 * 24 * 3600
    for name in ("old.kept", "left.tmp"):
        os.utime(folder / name, (month_ago, month_ago))
    get_or_build("new", _never)
    get_or_build("newer", _make)
    assert sorted(path.name for path in folder.iterdir()) == ["lock", "new.kept", "newer.kept"]


def _made_in_a_process(name):
    made = []

    def make():
        made.append(name)
        time.sleep(0.2)
        return _make()

    return _numbers(get_or_build(name, make)), bool(made)


def test_one_of_several_processes_builds_the_entry(folder):
    with ProcessPoolExecutor(3, mp_context=get_context("fork")) as pool:
        results = list(pool.map(_made_in_a_process, ["a"] * 6))
    assert [numbers for numbers, _ in results] == [[0, 1, 2, 3, 4]] * 6
    assert sum(made for _, made in results) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["a.kept", "lock"]


def test_fingerprints_tell_parts_apart():
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
    assert fingerprint("ab", b"c") == fingerprint("ab", "c")
    assert contents("tacenda.transforms.storage") != contents("tacenda.transforms.schema")


@pytest.mark.parametrize(
    "value", [[1, 2], {"a": np.arange(7, dtype=np.uint64), "b": [np.eye(2), np.zeros(0)], "c": ("é", 1)}]
)
def test_what_is_saved_comes_back_with_its_arrays_in_the_file(tmp_path, value):
    with (tmp_path / "v").open("wb") as file:
        machine_cache.save(value, file)
    found = machine_cache.load(tmp_path / "v")
    assert repr(found) == repr(value)
    if isinstance(value, dict):
        assert not found["a"].flags.owndata
        assert found["a"].flags.aligned


THREADS = 8


def test_threads_that_ask_at_once_get_one_object():
    built: list[object] = []

    @built_once
    def table():
        time.sleep(0.02)  # long enough for the others to come and ask
        built.append(object())
        return built[-1]

    start = threading.Barrier(THREADS)

    def ask(_):
        start.wait()
        return table()

    with ThreadPoolExecutor(THREADS) as pool:
        given = list(pool.map(ask, range(THREADS)))
    assert len(built) == 1
    assert all(one is built[0] for one in given)


def test_what_fails_is_tried_again():
    attempts = iter([ValueError("first"), None])

    @built_once
    def built():
        error = next(attempts)
        if error is not None:
            raise error
        return "built"

    with pytest.raises(ValueError, match="first"):
        built()
    assert built() == "built"


def test_the_oldest_goes_where_there_is_a_bound():
    built: list[int] = []

    @built_once_for(2)
    def numbered(number):
        built.append(number)
        return number

    for number in (1, 2, 3, 2, 1):
        assert numbered(number) == number
    assert built == [1, 2, 3, 1]


@pytest.mark.parametrize(
    ("cpuinfo", "features"),
    [
        ("model\t: 0\nflags\t\t: fpu avx512f fma avx2\n\nflags\t: sve\n", "avx2 fma avx512f"),
        ("Features\t: fp asimd asimddp crc32\n", "asimd asimddp"),
    ],
)
def test_features_come_in_one_order_and_without_the_rest(cpuinfo, features, tmp_path, monkeypatch):
    (tmp_path / "cpuinfo").write_text(cpuinfo)
    monkeypatch.setattr(machine_cache, "_CPUINFO", tmp_path / "cpuinfo")
    assert inspect.unwrap(machine_cache.processor)() == f"{platform.machine()} {features}"
