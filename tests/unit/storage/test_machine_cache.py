import os
import stat
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage import machine_cache
from tacenda.transforms.storage.machine_cache import (
    contents,
    fingerprint,
    get_or_build,
    get_or_build_anyway,
)

Table = dict[str, npt.NDArray[np.int64]]


def _make() -> Table:
    return {"numbers": np.arange(5)}


def _never() -> Table:
    raise AssertionError


def _full(_value: object, _file: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(machine_cache.VARIABLE, str(tmp_path / "new" / "place"))
    return tmp_path / "new" / "place" / f"tacenda-{os.getuid()}"


def _numbers(table: Table) -> list[int]:
    found: list[int] = table["numbers"].tolist()
    return found


def test_only_the_owner_may_read_it(folder: Path) -> None:
    get_or_build("a", _make)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} <= {0o600, 0o644}
    folder.chmod(0o755)
    with pytest.raises(UserError, match="is not a folder of yours alone"):
        get_or_build("a", _never)


def test_cached_data_is_shared_and_read_only(folder: Path) -> None:
    for table in (get_or_build("a", _make), get_or_build("a", _never)):
        assert not table["numbers"].flags.writeable


def test_it_is_made_again_when_it_is_gone_or_broken(folder: Path) -> None:
    get_or_build("a", _make)
    path = folder / "a.kept"
    whole = path.read_bytes()
    turned = bytearray(whole)
    turned[30] ^= 1
    for broken in (b"", b"half of it", whole[:-1], whole + b"x", bytes(turned)):
        path.write_bytes(broken)
        assert _numbers(get_or_build("a", _make)) == [0, 1, 2, 3, 4]
        assert path.read_bytes() == whole
    path.unlink()
    get_or_build("a", _make)
    assert path.read_bytes() == whole


def test_a_failed_build_leaves_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_cache, "save", _full)
    with pytest.raises(UserError, match=r"^[^\n]*No space left on device; make room[^\n]*$"):
        get_or_build("a", _make)
    assert [path.name for path in folder.iterdir()] == ["lock"]


def test_what_can_be_done_without_is_made_once_where_nothing_can_be_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def make() -> Table:
        made.append("a")
        return _make()

    monkeypatch.setattr(machine_cache, "save", _full)
    assert _numbers(get_or_build_anyway("a", make)) == [0, 1, 2, 3, 4]
    assert made == ["a"]
    monkeypatch.undo()
    monkeypatch.setenv(machine_cache.VARIABLE, str(folder.parent.parent / "file" / "below"))
    (folder.parent.parent / "file").touch()
    assert _numbers(get_or_build_anyway("a", make)) == [0, 1, 2, 3, 4]
    assert made == ["a", "a"]


def test_what_nobody_used_for_long_is_removed(folder: Path) -> None:
    for name in ("old", "new"):
        get_or_build(name, _make)
    (folder / "left.tmp").touch()
    month_ago = time.time() - 30 * 24 * 3600
    for name in ("old.kept", "left.tmp"):
        os.utime(folder / name, (month_ago, month_ago))
    get_or_build("new", _never)
    assert sorted(path.name for path in folder.iterdir()) == ["lock", "new.kept"]


def test_used_entries_are_kept(folder: Path) -> None:
    get_or_build("a", _make)
    before = (folder / "a.kept").stat().st_mtime - 3600
    os.utime(folder / "a.kept", (before, before))
    get_or_build("a", _never)
    assert (folder / "a.kept").stat().st_mtime > before


def test_a_folder_of_another_user_is_refused(folder: Path, tmp_path: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.symlink_to(tmp_path)
    with pytest.raises(UserError, match=r"is not a folder of yours[^\n]*TACENDA_CACHE[^\n]*$"):
        get_or_build("a", _make)
    assert _numbers(get_or_build_anyway("a", _make)) == [0, 1, 2, 3, 4]
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def _made_in_a_process(name: str) -> tuple[list[int], bool]:
    made = []

    def make() -> Table:
        made.append(name)
        time.sleep(0.2)
        return _make()

    return _numbers(get_or_build(name, make)), bool(made)


def test_one_of_several_processes_builds_the_entry(folder: Path) -> None:
    with ProcessPoolExecutor(3, mp_context=get_context("fork")) as pool:
        results = list(pool.map(_made_in_a_process, ["a"] * 6))
    assert [numbers for numbers, _ in results] == [[0, 1, 2, 3, 4]] * 6
    assert sum(made for _, made in results) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["a.kept", "lock"]


def test_fingerprints_tell_parts_apart() -> None:
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
    assert fingerprint("ab", b"c") == fingerprint("ab", "c")
    assert contents("tacenda.transforms.storage") != contents("tacenda.transforms.schema")


@pytest.mark.parametrize(
    "value", [[1, 2], {"a": np.arange(7, dtype=np.uint64), "b": [np.eye(2), np.zeros(0)], "c": ("é", 1)}]
)
def test_what_is_saved_comes_back_with_its_arrays_in_the_file(tmp_path: Path, value: Any) -> None:
    with (tmp_path / "v").open("wb") as file:
        machine_cache.save(value, file)
    found = machine_cache.load(tmp_path / "v")
    assert repr(found) == repr(value)
    if isinstance(value, dict):
        assert not found["a"].flags.owndata
        assert found["a"].ctypes.data % 64 == 0


class _Foreign:
    """Cannot be loaded, like a compiled pattern of another processor."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("not a number",)


def test_what_cannot_be_used_here_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "v").open("wb") as file:
        machine_cache.save(_Foreign(), file)
    with pytest.raises(ValueError, match="cannot be used here"):
        machine_cache.load(tmp_path / "v")


def test_the_age_of_a_link_is_its_own(folder: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.touch()
    os.utime(old, (0, 0))
    folder.mkdir(0o700, parents=True)
    (folder / "b.kept").symlink_to(old)
    get_or_build("a", _make)
    assert old.exists()
    assert (folder / "b.kept").is_symlink()
