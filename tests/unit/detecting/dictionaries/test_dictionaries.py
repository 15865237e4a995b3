import hashlib
import unicodedata

import numpy as np
import pytest

from tacenda.transforms.detecting.dictionaries import loading
from tacenda.transforms.detecting.dictionaries.folding import FoldedWords, Folding
from tacenda.transforms.detecting.dictionaries.loading import blocks_of_lines, compile_terms, load, sha256_of
from tacenda.transforms.detecting.settings import WordDictionary
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage import machine_cache
from tacenda.transforms.text.column import TextColumn
from tests.cases import tabled
from tests.growth import takes_at_most


def _table(*terms, folding=Folding.LOOSE):
    return compile_terms([terms], folding)


def _equal(table, other):
    return all(np.array_equal(a, b) for a, b in zip(table, other, strict=True))


def test_terms_are_folded():
    assert _equal(_table("Zoë  B17", "--", "", "王伟\r"), _table("zoe b17", "王 伟"))
    assert not _equal(_table("b17"), _table("b 17"))


def test_an_apostrophe_between_letters_may_be_left_out_of_what_is_found():
    terms = "O’Brien", "the 90's", "x' y"
    assert _equal(_table(*terms), _table("o brien", "the 90 s", "x y", "obrien"))
    assert _equal(_table(*terms[:1], folding=Folding.STRICT), _table("o brien", folding=Folding.STRICT))


def test_the_batch_size_of_compiling_does_not_matter():
    terms = [f"{i % 7} x{i % 50} y{i}" for i in range(200)]
    assert _equal(_table(*terms), compile_terms([[term] for term in terms], Folding.LOOSE))


def _folded(text, folding):
    return " ".join(FoldedWords(TextColumn([text]), folding).folded)


@pytest.mark.parametrize("folding", Folding)
def test_case_and_composition_are_ignored(folding):
    cased = [*range(0x3000), *range(0xA640, 0xAC00), *range(0xFB00, 0xFFFF), *range(0x10400, 0x10600)]
    for character in map(chr, cased):
        # Of the few letters without a simple lower case, İ has a dot of its own.
        if character.isalpha() and character != "İ":
            folded = _folded(character, folding)
            assert folded == _folded(unicodedata.normalize("NFD", character), folding)
            lower = character.lower()
            assert folded == _folded(lower, folding) or len(lower) > 1 or not lower.isalpha()


def test_accents_are_a_difference_only_where_they_have_to_be():
    assert _folded("ÀéñøŁßй", Folding.LOOSE) == "aenolssи"
    assert _folded("ÀéñøŁßй", Folding.STRICT) == unicodedata.normalize("NFD", "àéñøłssй")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv(machine_cache.VARIABLE, str(tmp_path / "cache"))
    load.cache_clear()


def test_a_file_and_a_list_are_the_same(tmp_path):
    (tmp_path / "a.txt").write_text("\ufeffZoë\r\n\n--\nAnna Lena\n")
    from_file = load(WordDictionary(url=str(tmp_path / "a.txt")))
    in_place = load(WordDictionary(("Zoë", "", "--", "Anna Lena")))
    assert _equal(from_file, in_place)
    assert _ranges("zoe and ANNA LENA", from_file) == [(0, 3), (8, 17)]


@pytest.mark.parametrize("content", [b"", b"\n \n---\n"])
def test_a_file_without_terms_is_the_users_mistake(tmp_path, content):
    (tmp_path / "bad.txt").write_bytes(content)
    with pytest.raises(UserError, match=r"^dictionary .*bad\.txt: has no terms; [^\n]*$"):
        load(WordDictionary(url=str(tmp_path / "bad.txt")))
    assert not list((tmp_path / "cache").rglob("terms-*"))


def test_a_table_is_built_once_for_a_content_and_a_folding(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Sam\n")
    pinned = WordDictionary(url=str(path), sha256=loading.sha256_of(str(path)))
    load(pinned)
    load(pinned, Folding.STRICT)
    path.unlink()
    load.cache_clear()
    assert len(load(pinned).hashes) == 1
    path.write_text("Pam\nSam\n")
    assert len(load(WordDictionary(url=str(path))).hashes) == 2
    assert len(list((tmp_path / "cache").rglob("terms-*"))) == 3


def test_a_worker_that_finds_another_file_stops(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Pam\n")
    with pytest.raises(UserError, match=r"a\.txt: was changed since the run began"):
        load(WordDictionary(url=str(path), sha256="0" * 64))


def _found(terms, text, folding=Folding.LOOSE):
    _, starts, ends, _ = FoldedWords(TextColumn([text]), folding).find(_table(*terms, folding=folding))
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


@tabled("terms", "text", "found")
def test_whole_words_in_any_script_case_and_spelling(terms, text, found):
    assert _found(terms, text) == found


def test_cells_covered_by_terms():
    cells = FoldedWords(TextColumn(["Sam Lee", "sam x", "", "nobody", "Sam, Sam Lee!", "don't"]))
    whole, touched = cells.covered(_table("Sam", "Sam Lee", "don"))
    assert whole.tolist() == [True, False, False, False, True, False]
    assert touched.tolist() == [True, True, False, False, True, False]


def test_the_number_of_terms_does_not_slow_the_search():
    texts = ["nobody here knows the word that is looked for in this text"] * 2000
    few, many = _table("zzyzx"), _table(*(f"name{i:06d}" for i in range(200_000)))

    def find(table):
        assert not len(FoldedWords(TextColumn(texts)).find(table)[0])

    assert takes_at_most(3, lambda: find(many), lambda: find(few))


def _ranges(text, table):
    _, starts, ends, _ = FoldedWords(TextColumn([text])).find(table)
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def test_a_mapped_table_finds_the_same(tmp_path):
    table = _table("Sam", "Sam Smith", "王伟", "a b c")
    with (tmp_path / "t").open("wb") as file:
        machine_cache.save(table, file)
    mapped = machine_cache.load(tmp_path / "t")
    assert _equal(mapped, table)
    assert _ranges("a b c, Sam, SAM smith 王伟", mapped) == [(0, 5), (7, 10), (12, 21), (22, 24)]


def _lines(path):
    url = str(path)
    return [line for block in blocks_of_lines(url, sha256_of(url)) for line in block]


def test_lines_of_a_file(tmp_path):
    lines = [f"Zoë {i}" for i in range(300_000)]
    data = "\n".join(lines).encode()
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    assert sha256_of(str(path)) == hashlib.sha256(data).hexdigest()
    assert [line for line in _lines(path) if line] == lines


@pytest.mark.parametrize(("before", "line"), [(0, 1), (2, 3), (200_000, 200_001)])
def test_the_line_that_is_not_utf8(tmp_path, before, line):
    (tmp_path / "bad.txt").write_bytes(b"Zo\xc3\xab x\n" * before + b"ok \xff\nmore\n")
    with pytest.raises(UserError, match=rf"^dictionary .*bad\.txt line {line}: not UTF-8; [^\n]*$"):
        _lines(tmp_path / "bad.txt")


def test_no_file():
    with pytest.raises(UserError, match="no such file"):
        sha256_of("/nowhere/names.txt")
