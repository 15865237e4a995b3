from pathlib import Path

import numpy as np
import pytest

from tacenda.transforms.detecting.dictionaries import terms_file
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.loading import load
from tacenda.transforms.detecting.dictionaries.matching import FoldedCells
from tacenda.transforms.detecting.settings import WordDictionary
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage import machine_cache
from tacenda.transforms.text.column import TextColumn


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(machine_cache.VARIABLE, str(tmp_path / "cache"))
    load.forget()


def test_a_file_and_a_list_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\ufeffZoë\r\n\n--\nAnna Lena\n")
    from_file = load(WordDictionary(url=str(tmp_path / "a.txt")))
    in_place = load(WordDictionary(("Zoë", "", "--", "Anna Lena")))
    assert all(np.array_equal(a, b) for a, b in zip(from_file, in_place, strict=True))
    starts, ends = FoldedCells(TextColumn(["zoe and ANNA LENA"])).find(from_file)[1:]
    assert (starts.tolist(), ends.tolist()) == ([0, 8], [3, 17])


@pytest.mark.parametrize("content", [b"", b"\n \n---\n"])
def test_a_file_without_terms_is_the_users_mistake(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.txt").write_bytes(content)
    with pytest.raises(UserError, match=r"^dictionary .*bad\.txt: has no terms; [^\n]*$"):
        load(WordDictionary(url=str(tmp_path / "bad.txt")))
    assert not list((tmp_path / "cache").rglob("terms-*"))


def test_a_table_is_built_once_for_a_content_and_a_folding(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Sam\n")
    pinned = WordDictionary(url=str(path), sha256=terms_file.sha256(str(path)))
    load(pinned)
    load(pinned, Folding.STRICT)
    path.unlink()
    load.forget()
    assert len(load(pinned).hashes) == 1
    path.write_text("Pam\nSam\n")
    assert len(load(WordDictionary(url=str(path))).hashes) == 2
    assert len(list((tmp_path / "cache").rglob("terms-*"))) == 3


def test_a_worker_that_finds_another_file_stops(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Pam\n")
    with pytest.raises(UserError, match=r"a\.txt: was changed since the run began"):
        load(WordDictionary(url=str(path), sha256="0" * 64))
