import hashlib
from pathlib import Path

import pyarrow as pa
import pytest

from tacenda.transforms.writing.hashed_file import hashed_file


def test_the_hash_is_that_of_the_published_bytes(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "part.bin"
    with hashed_file(str(path)) as sink:
        for data in (b"bytes", bytearray(b"more"), pa.py_buffer(b"arrow"), memoryview(b"abcdef")[::1]):
            assert sink.write(data) == memoryview(data).nbytes
        assert sink.tell() == 20
        assert sink.writable()
        assert not path.exists()
    assert path.read_bytes() == b"bytesmorearrowabcdef"
    assert sink.hexdigest() == hashlib.sha256(path.read_bytes()).hexdigest()


def test_closing_the_sink_does_not_publish(tmp_path: Path) -> None:
    path = tmp_path / "part.bin"
    with hashed_file(str(path)) as sink:
        sink.write(b"x")
        sink.close()
        assert not path.exists()
    assert path.read_bytes() == b"x"


def test_a_broken_write_publishes_nothing(tmp_path: Path) -> None:
    def write() -> None:
        with hashed_file(str(tmp_path / "part.bin")) as sink:
            sink.write(b"x")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write()
    assert not list(tmp_path.iterdir())
