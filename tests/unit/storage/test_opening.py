import sys

import fsspec
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.opening import StorageError, asking, file_system, is_local, open_read


def test_files_of_any_file_system_are_read_as_bytes(tmp_path):
    (tmp_path / "a").write_bytes(b"here")
    fsspec.filesystem("memory").pipe_file("/opening/a", b"there")
    for url, content in (
        (str(tmp_path / "a"), b"here"),
        (f"file://{tmp_path}/a", b"here"),
        ("memory://opening/a", b"there"),
    ):
        with open_read(url) as file:
            assert file.read() == content


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


def test_only_the_machines_own_files_are_local(tmp_path):
    assert is_local(file_system(str(tmp_path))[0])
    assert not is_local(file_system("memory://x")[0])


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("{0}/none.jsonl", "no such file"),
        ("memory://opening/none.jsonl", "no such file"),
        ("nonsense://x", "unknown protocol nonsense://"),
        ("zip://x", "zip:// is no storage of its own"),
        ("ftp://127.0.0.1:9/x", "cannot be reached"),
        ("s3://x/y", r"pip install '\.\[s3\]'"),
        ("abfs://x/y", "pip install adlfs"),
    ],
)
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


@pytest.mark.parametrize(
    ("url", "error"), [("ftp://host/x", FileNotFoundError), ("/tmp/x", OSError), ("file:///tmp/x", OSError)]
)
def test_errors_that_say_all_by_themselves_stay(url, error):
    with pytest.raises(error), asking(url):
        raise error
