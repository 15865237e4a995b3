import os
import sys

import fsspec
import pytest

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.locating import (
    SAMPLE_BYTES,
    WHOLE_BYTES,
    FileInfo,
    changed,
    content_digests,
    format_of,
    locate,
    located,
)
from tests.cases import tabled


@pytest.fixture
def folder(tmp_path):
    for name in ("b.jsonl", "a.parquet", "c.json.gz", "_SUCCESS", ".hidden.jsonl", "readme.md"):
        (tmp_path / name).write_bytes(b"12345")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "d.jsonl.zst").write_bytes(b"1")
    (tmp_path / "_temporary").mkdir()
    (tmp_path / "_temporary" / "e.jsonl").write_bytes(b"1")
    return tmp_path


def names(found):
    return [info.url.rsplit("/", 1)[-1] for info in found]


def test_a_folder_means_every_readable_file_below_it(folder):
    found = locate([str(folder)])
    assert names(found) == ["a.parquet", "b.jsonl", "c.json.gz", "d.jsonl.zst"]
    assert [info.size for info in found] == [5, 5, 5, 1]


def test_what_lies_beside_and_is_not_read_is_told(folder):
    (folder / "turns.csv").write_bytes(b"1")
    (folder / "sheet.xlsx").write_bytes(b"1")
    found, beside = located([str(folder)])
    assert names(found) == ["a.parquet", "b.jsonl", "c.json.gz", "d.jsonl.zst"]
    assert {"sheet.xlsx", "turns.csv"} <= {url.rsplit("/", 1)[-1] for url in beside}
    found, beside = located([str(folder), f"{folder}/turns.csv"])
    assert "turns.csv" in names(found)
    assert not any(url.endswith("turns.csv") for url in beside)


def test_globs_and_files_are_sorted_and_each_comes_once(folder):
    (folder / "call[1].txt").write_bytes(b"1")
    assert names(locate([f"{folder}/call[1].txt"])) == ["call[1].txt"]
    found = locate([f"{folder}/b.jsonl", f"file://{folder}/*.jsonl", f"{folder}/a.parquet"])
    assert [(info.url, info.size) for info in found] == [(f"{folder}/a.parquet", 5), (f"{folder}/b.jsonl", 5)]


def test_what_changed_since_is_reported_and_new_files_are_not(folder):
    urls = [str(folder / "deep"), f"{folder}/b*.jsonl", str(folder / "c.json.gz")]
    files = locate(urls)
    (folder / "b2.jsonl").write_bytes(b"1")
    assert changed(urls, files) == []
    (folder / "c.json.gz").write_bytes(b"54321")
    os.utime(folder / "c.json.gz", ns=(1, 1))
    (folder / "deep" / "d.jsonl.zst").unlink()
    assert names(changed(urls, files)) == ["c.json.gz", "d.jsonl.zst"]


@tabled("url", "message")
def test_a_mistake_is_reported_in_one_line(folder, url, message, monkeypatch):
    (folder / "empty").mkdir()
    for driver in ("s3fs", "gcsfs"):
        monkeypatch.setitem(sys.modules, driver, None)
    with pytest.raises(UserError) as told:
        locate([url.format(folder)])
    assert message in str(told.value)
    assert "\n" not in str(told.value)


def test_an_incomplete_url_is_reported(monkeypatch):
    def refuse(path):
        raise ValueError("Cannot traverse all of S3")

    monkeypatch.setattr(fsspec.filesystem("memory"), "isfile", refuse)
    with pytest.raises(UserError, match="memory://: names no place"):
        locate(["memory://"])


def test_links_to_files_are_files(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a.jsonl").write_bytes(b"12345")
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "b.jsonl").symlink_to(tmp_path / "there" / "a.jsonl")
    (folder / "c.jsonl").write_bytes(b"1")
    expected = [(str(folder / "b.jsonl"), 5), (str(folder / "c.jsonl"), 1)]
    for url in (str(folder), f"{folder}/*.jsonl"):
        assert [(info.url, info.size) for info in locate([url])] == expected


def test_a_file_comes_once_however_it_is_spelled(tmp_path):
    (tmp_path / "b.jsonl").write_bytes(b"1")
    (tmp_path / "latest.jsonl").symlink_to("b.jsonl")
    (tmp_path / "link").symlink_to(".")
    spelled = [f"{tmp_path}/link/b.jsonl", f"{tmp_path}/b.jsonl", f"{tmp_path}/latest.jsonl"]
    for urls in (spelled, spelled[::-1], [f"{tmp_path}/*.jsonl"]):
        assert [info.url for info in locate(urls)] == [f"{tmp_path}/b.jsonl"]


@pytest.mark.parametrize(("target", "told"), [("nowhere", "broken link"), (".", "link to a folder")])
def test_a_link_that_leads_to_no_file_is_reported(tmp_path, target, told):
    (tmp_path / "a.jsonl").write_bytes(b"1")
    (tmp_path / "b.jsonl").symlink_to(tmp_path / target)
    with pytest.raises(UserError, match=rf"b\.jsonl: is a {told}"):
        locate([str(tmp_path)])


@tabled("url", "expected")
def test_the_suffix_tells_the_format(url, expected):
    found = format_of(url)
    assert (found and list(found)) == expected


def _digest(path, data):
    path.write_bytes(data)
    return content_digests(locate([str(path)]))[0]


@pytest.mark.parametrize("size", [1000, 2 * WHOLE_BYTES])
def test_size_start_middle_and_end_of_a_file_count_and_any_byte_of_a_small_one(tmp_path, size):
    path, plain = tmp_path / "a.jsonl", bytes(size)

    def changed_at(place):
        return _digest(path, plain[:place] + b"b" + plain[place + 1 :])

    one = _digest(path, plain)
    assert _digest(path, plain) == one != _digest(path, plain + b"a")
    assert one not in map(changed_at, (0, size // 2, size - 1))
    assert (changed_at(SAMPLE_BYTES + 1 if size > WHOLE_BYTES else 700) == one) == (size > WHOLE_BYTES)


def test_a_file_with_a_tag_is_not_read():
    files = [FileInfo("s3://nowhere/a.jsonl", 5, tag=tag) for tag in ("one", "one", "other")]
    one, same, other = content_digests(files)
    assert one == same != other
