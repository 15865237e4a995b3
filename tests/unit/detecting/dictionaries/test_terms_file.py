import gzip
import hashlib
from pathlib import Path

import pyarrow as pa
import pytest

from tacenda.transforms.detecting.dictionaries.terms_file import blocks_of_lines, sha256
from tacenda.transforms.schema.errors import UserError


def _lines(path: Path) -> list[str]:
    url = str(path)
    return [line for block in blocks_of_lines(url, sha256(url)) for line in block]


def test_lines_of_plain_and_compressed_files(tmp_path: Path) -> None:
    lines = [f"Zoë {i}" for i in range(300_000)]
    data = "\n".join(lines).encode()
    for name, stored in (
        ("a.txt", data),
        ("a.txt.gz", gzip.compress(data[: 1 << 20]) + gzip.compress(data[1 << 20 :])),
        ("a.txt.zst", pa.compress(data, codec="zstd", asbytes=True)),
    ):
        path = tmp_path / name
        path.write_bytes(stored)
        assert sha256(str(path)) == hashlib.sha256(stored).hexdigest()
        assert [line for line in _lines(path) if line] == lines, name


def test_a_line_longer_than_a_block(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n" + "é" * (3 << 20) + "\nb")
    assert [len(line) for line in _lines(tmp_path / "a.txt") if line] == [1, 3 << 20, 1]


@pytest.mark.parametrize(("before", "line"), [(0, 1), (2, 3), (200_000, 200_001)])
def test_the_line_that_is_not_utf8(tmp_path: Path, before: int, line: int) -> None:
    (tmp_path / "bad.txt").write_bytes(b"Zo\xc3\xab x\n" * before + b"ok \xff\nmore\n")
    with pytest.raises(UserError, match=rf"^dictionary .*bad\.txt line {line}: not UTF-8; [^\n]*$"):
        _lines(tmp_path / "bad.txt")


def test_a_damaged_archive_is_reported(tmp_path: Path) -> None:
    (tmp_path / "bad.txt.gz").write_bytes(gzip.compress(b"Sam\n" * 1000)[:-20])
    with pytest.raises(UserError, match=r"^dictionary .*bad\.txt\.gz: cannot be read \([^\n]*$"):
        _lines(tmp_path / "bad.txt.gz")


def test_a_modified_dictionary_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Sam\n")
    known = sha256(str(path))
    path.write_text("Pam\n")
    with pytest.raises(UserError, match=r"^dictionary .*a\.txt: was changed since the run began"):
        list(blocks_of_lines(str(path), known))


def test_no_file() -> None:
    with pytest.raises(UserError, match="no such file"):
        sha256("/nowhere/names.txt")
