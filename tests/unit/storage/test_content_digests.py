"""Digests of input files: what changes them, and what is not read."""

from pathlib import Path

from tacenda.transforms.storage.locating import SAMPLE_BYTES, WHOLE_BYTES, FileInfo, content_digests, locate


def _digest(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return content_digests(locate([str(path)]))[0]


def test_any_byte_of_a_small_file_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    one = _digest(path, b"a" * 1000)
    assert _digest(path, b"a" * 1000) == one
    assert _digest(path, b"a" * 500 + b"b" + b"a" * 499) != one
    assert _digest(path, b"a" * 1001) != one


def test_of_a_large_file_size_start_middle_and_end_count(tmp_path: Path) -> None:
    path, size = tmp_path / "a.jsonl", 2 * WHOLE_BYTES
    plain = bytearray(size)
    one = _digest(path, plain)
    for place in (0, size // 2, size - 1):
        other = bytearray(plain)
        other[place] = 1
        assert _digest(path, other) != one
    assert _digest(path, bytearray(size + 1)) != one
    unseen = bytearray(plain)
    unseen[SAMPLE_BYTES + 1] = 1
    assert _digest(path, unseen) == one


def test_a_file_with_a_tag_is_not_read() -> None:
    files = [FileInfo("s3://nowhere/a.jsonl", 5, tag=tag) for tag in ("one", "one", "other")]
    one, same, other = content_digests(files)
    assert one == same != other
