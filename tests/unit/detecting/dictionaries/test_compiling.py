import numpy as np
import pytest

from tacenda.transforms.detecting.dictionaries import compiling
from tacenda.transforms.detecting.dictionaries.compiling import compile_terms
from tacenda.transforms.detecting.dictionaries.folding import Folding


def _stored(*terms: str, folding: Folding = Folding.LOOSE) -> list[str]:
    return compile_terms([terms], folding).text.tobytes().decode().split("\n")[:-1]


def test_terms_are_stored_folded() -> None:
    assert _stored("Zoë  B17", "--", "", "王伟\r") == ["zoe b\x1f17", "王 伟"]


def test_an_apostrophe_between_letters_may_be_left_out_of_what_is_found() -> None:
    assert _stored("O’Brien", "the 90's", "x' y") == ["o brien", "the 90 s", "x y", "obrien"]
    assert _stored("O’Brien", folding=Folding.STRICT) == ["o brien"]


def test_an_empty_dictionary_finds_nothing() -> None:
    for blocks in ([], [[]], [["", "-"]]):
        assert [len(array) for array in compile_terms(blocks, Folding.LOOSE)] == [0, 0, 0, 0]


def test_hashes_lead_to_their_terms() -> None:
    table = compile_terms([["b c", "a"], ["c b a"], ["b c d e"]], Folding.LOOSE)
    assert (np.diff(table.hashes.astype(object)) > 0).all()
    text = table.text.tobytes()
    terms = {text[place:].split(b"\n")[0]: hash_ for hash_, place in zip(*table[:2], strict=True)}
    alone = compile_terms([["b c"]], Folding.LOOSE).hashes[0]
    assert terms[b"b c"] == alone
    assert len(terms) == 4
    # b; b c; b c d; c; c b
    assert len(table.openings) == 5
    assert alone in table.openings


def test_the_batch_size_of_compiling_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = [f"{i % 7} x{i % 50} y{i}" for i in range(200)]
    at_once = compile_terms([terms], Folding.LOOSE)
    monkeypatch.setattr(compiling, "_JOINED_AT_ONCE", 10)
    one_by_one = compile_terms([[term] for term in terms], Folding.LOOSE)
    assert all(np.array_equal(a, b) for a, b in zip(at_once, one_by_one, strict=True))
