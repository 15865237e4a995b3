import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacenda.transforms.storage import mapped_pickle
from tacenda.transforms.storage.mapped_pickle import load, save


def _saved(value: object) -> bytes:
    file = io.BytesIO()
    save(value, file)
    return file.getvalue()


def test_objects_come_back_with_their_arrays_in_the_file(tmp_path: Path) -> None:
    value = {"a": np.arange(7, dtype=np.uint64), "b": [np.eye(2), np.zeros(0)], "c": ("é", 1)}
    path = tmp_path / "v"
    path.write_bytes(_saved(value))
    assert _saved(value) == path.read_bytes()
    found = load(path)
    assert found["c"] == ("é", 1)
    assert found["a"].tolist() == list(range(7))
    assert found["b"][0].tolist() == [[1, 0], [0, 1]]
    assert not len(found["b"][1])
    assert not found["a"].flags.writeable
    assert not found["a"].flags.owndata
    assert found["a"].ctypes.data % 64 == 0


class _Foreign:
    """Cannot be loaded, like a compiled pattern of another processor."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("not a number",)


class _Elsewhere:
    """From a library that is not installed."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.strerror, ("not a number",)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x" * 10,
        b"x" * 100,
        _saved([1, 2])[:-1],
        _saved([1]) + b"\0",
        _saved(_Foreign()),
        _saved(_Elsewhere()),
    ],
)
def test_what_is_not_whole_or_cannot_be_used_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "v").write_bytes(data)
    with pytest.raises(ValueError):
        load(tmp_path / "v")


def test_the_file_of_another_user_is_not_even_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "v").write_bytes(_saved([1]))
    monkeypatch.setattr(mapped_pickle.os, "getuid", lambda: os.stat(tmp_path / "v").st_uid + 1)
    with pytest.raises(ValueError, match="not this user's alone"):
        load(tmp_path / "v")


def test_a_large_file_is_mapped_without_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytearray(_saved(np.arange(8)))
    data[-1] ^= 1
    (tmp_path / "v").write_bytes(data)
    monkeypatch.setattr(mapped_pickle, "_COMPARED_BYTES", 10)
    assert load(tmp_path / "v").tolist()[:7] == list(range(7))
