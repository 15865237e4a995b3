from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import (
    absolute,
    exists,
    is_file,
    list_folder,
    read_bytes,
    read_text,
    remove_file,
    remove_folder,
    try_writing,
)


@pytest.fixture(params=["local", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A folder with ``b.txt`` and ``deep/a.txt``, local or in an object store."""
    base = str(tmp_path) if request.param == "local" else "memory://files"
    system, root = fsspec.core.url_to_fs(base)
    system.makedirs(f"{root}/deep", exist_ok=True)
    for name in ("b.txt", "deep/a.txt"):
        system.pipe_file(f"{root}/{name}", name.encode())
    yield base
    if request.param == "memory":
        system.store.clear()


def test_existing_and_missing_paths_are_distinguished(folder: str) -> None:
    for name, there, file in (("b.txt", True, True), ("deep", True, False), ("none", False, False)):
        assert exists(f"{folder}/{name}") is there
        assert is_file(f"{folder}/{name}") is file


def test_reading(folder: str) -> None:
    assert read_bytes(f"{folder}/deep/a.txt") == b"deep/a.txt"
    with pytest.raises(UserError, match="no such file"):
        read_bytes(f"{folder}/none")


def test_text_of_a_user_is_utf8_with_or_without_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfna\xc3\xafve")
    assert read_text(str(path), "--file") == "naïve"
    path.write_bytes(b"na\xefve")
    with pytest.raises(UserError, match=r"^--file: not UTF-8; save it as UTF-8 text$"):
        read_text(str(path), "--file")
    with pytest.raises(UserError, match=r"^--file: cannot be read \(IsADirectoryError\); check the path$"):
        read_text(str(tmp_path), "--file")


def test_a_listing_is_of_urls_that_can_be_read_again(folder: str) -> None:
    protocol, _, path = folder.rpartition("://")
    assert [url.removeprefix(f"{protocol}:///").lstrip("/") for url in list_folder(folder)] == [
        f"{path.lstrip('/')}/b.txt",
        f"{path.lstrip('/')}/deep",
    ]
    assert [read_bytes(url) for url in list_folder(f"{folder}/deep")] == [b"deep/a.txt"]
    assert list_folder(f"{folder}/none") == []


def test_removing_twice_is_no_error(folder: str) -> None:
    for _ in range(2):
        remove_file(f"{folder}/b.txt")
        remove_folder(f"{folder}/deep")
    assert list_folder(folder) == []


def test_writing_is_tried_where_the_folder_would_be_made(tmp_path: Path) -> None:
    try_writing(str(tmp_path))
    try_writing(f"{tmp_path}/a/b")
    try_writing("memory://nowhere/a")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("file/a", "link", "link/a"):
        with pytest.raises(OSError):
            try_writing(f"{tmp_path}/{name}")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a file system of the kernel's own")
def test_a_file_system_that_permits_and_still_refuses_is_found_by_trying() -> None:
    with pytest.raises(OSError):
        try_writing("/proc/tacenda")


def test_local_paths_become_absolute_and_urls_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute("in/a.jsonl") == f"{tmp_path}/in/a.jsonl"
    assert absolute("./in/*.jsonl") == f"{tmp_path}/in/*.jsonl"
    assert absolute(f"file://{tmp_path}/x") == f"{tmp_path}/x"
    assert absolute("memory://a/b") == "memory://a/b"


def test_a_local_path_goes_no_step_up_and_links_keep_their_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to("there/deep")
    assert absolute(f"../{tmp_path.name}/./in//a.jsonl") == f"{tmp_path}/in/a.jsonl"
    assert absolute("in/../out/.") == f"{tmp_path}/out"
    assert absolute("link/a.jsonl") == f"{tmp_path}/link/a.jsonl"
    assert absolute("link/../a.jsonl") == f"{tmp_path}/there/a.jsonl"
    assert absolute("/..") == "/"


def test_cached_listings_are_not_used(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    system, root = fsspec.core.url_to_fs(folder)
    monkeypatch.setattr(type(system), "invalidate_cache", lambda self, path=None: asked.append(path))
    list_folder(folder)
    assert asked == [root]
