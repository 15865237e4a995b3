import sys

import fsspec
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage import publishing
from tacenda.transforms.storage.files import (
    absolute,
    exists,
    is_file,
    list_folder,
    place_of,
    read_bytes,
    read_text,
    time_of_writing,
    try_writing,
)
from tacenda.transforms.storage.opening import StorageError, asking, open_read
from tacenda.transforms.storage.publishing import publish
from tests.cases import tabled


@pytest.fixture(params=["local", "memory"])
def folder(request, tmp_path):
    base = str(tmp_path) if request.param == "local" else "memory://files"
    system, root = fsspec.core.url_to_fs(base)
    system.makedirs(f"{root}/deep", exist_ok=True)
    for name in ("b.txt", "deep/a.txt"):
        system.pipe_file(f"{root}/{name}", name.encode())
    yield base
    if request.param == "memory":
        system.store.clear()


def test_text_of_a_user_is_utf8_with_or_without_a_mark(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfna\xc3\xafve")
    assert read_text(str(path), "--file") == "naïve"
    path.write_bytes(b"na\xefve")
    with pytest.raises(UserError, match=r"^--file: not UTF-8; save it as UTF-8 text$"):
        read_text(str(path), "--file")
    with pytest.raises(UserError, match=r"^--file: cannot be read \(IsADirectoryError\); check the path$"):
        read_text(str(tmp_path), "--file")


def test_a_listing_is_of_urls_that_can_be_read_again(folder):
    protocol, _, path = folder.rpartition("://")
    assert [url.removeprefix(f"{protocol}:///").lstrip("/") for url in list_folder(folder)] == [
        f"{path.lstrip('/')}/b.txt",
        f"{path.lstrip('/')}/deep",
    ]
    assert [read_bytes(url) for url in list_folder(f"{folder}/deep")] == [b"deep/a.txt"]
    assert list_folder(f"{folder}/none") == []


def test_writing_is_tried_where_the_folder_would_be_made(tmp_path):
    try_writing(str(tmp_path))
    try_writing(f"{tmp_path}/a/b")
    try_writing("memory://nowhere/a")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("file/a", "link", "link/a"):
        with pytest.raises(OSError):
            try_writing(f"{tmp_path}/{name}")


def test_local_paths_become_absolute_and_urls_stay(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert absolute("in/a.jsonl") == f"{tmp_path}/in/a.jsonl"
    assert absolute("./in/*.jsonl") == f"{tmp_path}/in/*.jsonl"
    assert absolute(f"file://{tmp_path}/x") == f"{tmp_path}/x"
    assert absolute("memory://a/b") == "memory://a/b"


def test_a_local_path_goes_no_step_up_and_links_keep_their_names(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to("there/deep")
    assert absolute(f"../{tmp_path.name}/./in//a.jsonl") == f"{tmp_path}/in/a.jsonl"
    assert absolute("in/../out/.") == f"{tmp_path}/out"
    assert absolute("link/a.jsonl") == f"{tmp_path}/link/a.jsonl"
    assert absolute("link/../a.jsonl") == f"{tmp_path}/there/a.jsonl"
    assert absolute("/..") == "/"


def test_one_place_is_equal_however_it_is_spelled(tmp_path):
    (tmp_path / "link").symlink_to("there")
    there = place_of(f"{tmp_path}/there")
    for spelled in ("link", "there/", "there/../there", "there/."):
        assert place_of(f"{tmp_path}/{spelled}") == place_of(f"file://{tmp_path}/{spelled}") == there
    assert place_of(f"{tmp_path}/link", target=False) != there
    assert len({place_of(f"{tmp_path}/{name}/a", target=False) for name in ("link", "there")}) == 1
    assert place_of("memory://a/b/") == place_of("memory:///a/b")


def test_a_place_lies_in_itself_and_in_what_is_above_it(tmp_path):
    folder = place_of(str(tmp_path))
    assert folder.lies_in(folder)
    assert place_of(f"{tmp_path}/a/b").lies_in(folder)
    assert folder.lies_in(place_of("/"))
    assert not place_of(f"{tmp_path}.out").lies_in(folder)
    assert not place_of(f"memory:/{tmp_path}/a").lies_in(folder)


@tabled("info", "seconds")
def test_modification_times_of_every_storage(info, seconds):
    assert time_of_writing(info) == seconds


@pytest.mark.parametrize("name", ["x::y.jsonl", "zip::x", "data:x", "a://b", "x::"])
def test_a_local_name_is_a_name_whatever_it_looks_like(tmp_path, monkeypatch, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(b"here")
    urls = [f"{tmp_path}/{name}", f"file://{tmp_path}/{name}", f"./{name}"]
    monkeypatch.chdir(tmp_path)
    for url in urls if "://" in name else [*urls, name]:
        with open_read(url) as file:
            assert file.read() == b"here"


@pytest.mark.parametrize(
    "url", ["zip://a.jsonl::/tmp/z.zip", "simplecache::file:///tmp/a.jsonl", "s3://a/b::c"]
)
def test_a_chain_of_storages_is_refused_by_name(url):
    with pytest.raises(UserError, match=f"{url}: '::' chains storages, which is not supported"):
        open_read(url)


@tabled("url", "message")
def test_a_mistake_is_reported_in_one_line(tmp_path, url, message, monkeypatch):
    for driver in ("s3fs", "adlfs"):
        monkeypatch.setitem(sys.modules, driver, None)
    with pytest.raises(UserError, match=message) as told:
        open_read(url.format(tmp_path))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("error", [OSError("Pam"), TypeError("Pam"), PermissionError("Pam")])
def test_an_error_of_a_storage_elsewhere_names_the_url_alone(error):
    url = "ftp://host/x"
    with pytest.raises(StorageError, match=rf"^{url}: .*\(\w+Error\); check") as caught, asking(url):
        raise error
    assert "Pam" not in str(caught.value)


@pytest.fixture
def memory():
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield system
    system.store.clear()


def break_off(url):
    with publish(url) as file:
        file.write(b"ha")
        raise RuntimeError


def test_a_file_system_that_shows_unfinished_files_is_renamed_into(memory, monkeypatch):
    seen = []
    move = type(memory).mv

    def spy(self, source, target, **options):
        seen.append((source, target))
        return move(self, source, target, **options)

    monkeypatch.setattr("tacenda.transforms.storage.publishing.WHOLE_OBJECT_PROTOCOLS", frozenset())
    monkeypatch.setattr(type(memory), "mv", spy)
    with publish("memory://out/part.jsonl") as file:
        file.write(b"whole")
    assert len(seen) == 1
    assert seen[0][0].startswith("/out/.part.jsonl.")
    assert memory.find("/") == ["/out/part.jsonl"]


def test_a_private_file_is_its_owners_alone(tmp_path):
    path = tmp_path / "new" / "a"
    with publish(str(path), private=True) as file:
        file.write(b"x")
        [unfinished] = path.parent.iterdir()
        assert unfinished.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("size", [0, 5, publishing._AT_ONCE_BYTES, publishing._AT_ONCE_BYTES + 1])
def test_an_object_of_any_size_arrives_whole(memory, size):
    with publish("memory://folder/object") as file:
        file.write(bytes(range(250)) * (size // 250) + bytes(size % 250))
    assert memory.cat_file("/folder/object") == bytes(range(250)) * (size // 250) + bytes(size % 250)


def test_what_is_published_appears_whole_at_the_end_of_the_block(folder):
    url = f"{folder}/new/part.jsonl"
    for content in (b"first", b"second"):
        with publish(url) as file:
            file.write(content)
            assert (is_file(url), exists(url)) == (content == b"second",) * 2
        assert read_bytes(url) == content
    with pytest.raises(RuntimeError):
        break_off(url)
    assert read_bytes(url) == b"second"
    assert len(list_folder(f"{folder}/new")) == 1
