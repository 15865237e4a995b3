from pathlib import Path

import numpy as np

from tacenda.transforms.detecting.dictionaries.compiling import compile_terms
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.matching import FoldedCells
from tacenda.transforms.detecting.dictionaries.table import TermTable
from tacenda.transforms.storage import machine_cache
from tacenda.transforms.text.column import TextColumn


def _table(*terms: str) -> TermTable:
    return compile_terms([terms], Folding.LOOSE)


def _found(text: str, table: TermTable) -> list[tuple[int, int]]:
    _, starts, ends = FoldedCells(TextColumn([text])).find(table)
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def test_an_equal_hash_is_not_a_match() -> None:
    table = _table("sam")
    for stranger in ("pam", "sa", "samu", "xxxxxxxxxx"):
        forged = table._replace(hashes=_table(stranger).hashes)
        assert _found(f"{stranger} sam {stranger}", forged) == []


def test_terms_of_one_hash_are_all_found() -> None:
    text = np.frombuffer(b"pam\nsam\npam\n", dtype=np.uint8)
    places = np.array([0, 4, 8], dtype=np.uint64)
    table = _table("sam")._replace(hashes=_table("sam").hashes.repeat(3), places=places, text=text)
    assert _found("sam", table) == [(0, 3)]
    assert _found("sa samu", table) == []


def test_a_mapped_table_finds_the_same(tmp_path: Path) -> None:
    table = _table("Sam", "Sam Smith", "王伟", "a b c")
    with (tmp_path / "t").open("wb") as file:
        machine_cache.save(table, file)
    mapped = machine_cache.load(tmp_path / "t")
    assert all(np.array_equal(a, b) for a, b in zip(mapped, table, strict=True))
    assert _found("a b c, Sam, SAM smith 王伟", mapped) == [(0, 5), (7, 10), (12, 21), (22, 24)]
