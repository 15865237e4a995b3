import os
import stat
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from transforms.detecting.dictionaries import cache
from transforms.detecting.dictionaries.compiling import compile_terms
from transforms.detecting.dictionaries.folding import Folding
from transforms.detecting.dictionaries.table import TermTable
from transforms.schema.errors import UserError


def _build() -> TermTable:
    return compile_terms([["Sam", "Pam Beesly"]], Folding.LOOSE)


def _never() -> TermTable:
    raise AssertionError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "new" / "place"))
    return tmp_path / "new" / "place" / f"tacet-dictionaries-{os.getuid()}"


def _modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_only_the_owner_may_read_it(folder: Path) -> None:
    cache.compiled("a", _build)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert _modes(folder) == {0o600}
    folder.chmod(0o755)
    assert len(cache.compiled("a", _never).hashes) == 2
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_it_is_built_again_when_it_is_gone_or_broken(folder: Path) -> None:
    cache.compiled("a", _build)
    (folder / "a.terms").write_bytes(b"half of it")
    assert len(cache.compiled("a", _build).hashes) == 2
    (folder / "a.terms").unlink()
    assert len(cache.compiled("a", _build).hashes) == 2


def test_a_build_that_fails_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: TermTable, file: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(TermTable, "save", full)
    with pytest.raises(UserError, match=r"^[^\n]*No space left on device; make room[^\n]*$"):
        cache.compiled("a", _build)
    assert [path.name for path in folder.iterdir()] == ["lock"]


def test_what_nobody_used_for_long_is_removed(folder: Path) -> None:
    for name in ("old", "new"):
        cache.compiled(name, _build)
    (folder / "left.tmp").touch()
    month_ago = time.time() - 30 * 24 * 3600
    for name in ("old.terms", "left.tmp"):
        os.utime(folder / name, (month_ago, month_ago))
    cache.compiled("new", _never)
    assert sorted(path.name for path in folder.iterdir()) == ["lock", "new.terms"]


def test_use_keeps_it(folder: Path) -> None:
    cache.compiled("a", _build)
    os.utime(folder / "a.terms", (0, 0))
    (folder / "a.terms").touch()
    before = (folder / "a.terms").stat().st_mtime - 3600
    os.utime(folder / "a.terms", (before, before))
    cache.compiled("a", _never)
    assert (folder / "a.terms").stat().st_mtime > before


def test_a_folder_of_somebody_else_is_refused(folder: Path, tmp_path: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.symlink_to(tmp_path)
    with pytest.raises(UserError, match=r"is not a folder of yours[^\n]*TACET_DICTIONARY_CACHE[^\n]*$"):
        cache.compiled("a", _build)


def _built_in_a_process(name: str) -> tuple[int, bool]:
    built = []

    def build() -> TermTable:
        built.append(name)
        time.sleep(0.2)
        return _build()

    return len(cache.compiled(name, build).hashes), bool(built)


def test_of_processes_that_need_it_at_once_one_builds(folder: Path) -> None:
    with ProcessPoolExecutor(3, mp_context=get_context("fork")) as pool:
        results = list(pool.map(_built_in_a_process, ["a"] * 6))
    assert [terms for terms, _ in results] == [2] * 6
    assert sum(built for _, built in results) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["a.terms", "lock"]
