import gzip
import time
from pathlib import Path

import pyarrow as pa
import pytest

from transforms.detecting.dictionaries import JoinedCells, Terms, load
from transforms.detecting.settings import WordDictionary
from transforms.schema.errors import UserError


def _matches(terms: list[str], text: str) -> list[str]:
    return [text[start:end] for start, end in Terms(terms).find(text)]


def _places(cells: JoinedCells, terms: Terms) -> list[tuple[int, ...]]:
    return list(zip(*(place.tolist() for place in cells.find(terms)), strict=True))


@pytest.mark.parametrize(
    ("terms", "text", "found"),
    [
        (["Marta"], "marta, MARTA and Marta's", ["marta", "MARTA", "Marta"]),
        (["Mar"], "Marta at the Mar", ["Mar"]),
        (["Dunder Mifflin"], "at Dunder-Mifflin, DUNDER  MIFFLIN", ["Dunder-Mifflin", "DUNDER  MIFFLIN"]),
        (["José"], "JOSÉ José Jose", ["JOSÉ", "José"]),
        (["straße"], "die STRASSE, die Straße", ["Straße"]),
        (["istanbul"], "in İstanbul 😀 İSTANBUL", ["İstanbul", "İSTANBUL"]),
        (["王伟"], "我叫王伟你好", ["王伟"]),
        (["สมชาย"], "ผมชื่อสมชายครับ", ["สมชาย"]),
        (["иван"], "это Иван!", ["Иван"]),
        (["דוד"], "אני דוד.", ["דוד"]),
        (["e\u0301lan"], "E\u0301lan vital", ["E\u0301lan"]),
        (["Don"], "don't ask don", ["don"]),
        (["Sam", "Sam Smith"], "Sam Smith met Sam", ["Sam Smith", "Sam"]),
        (["a b", "b c"], "a b c", ["a b", "b c"]),
        (["Sam", ""], "", []),
    ],
)
def test_whole_words_in_any_script_and_case(terms: list[str], text: str, found: list[str]) -> None:
    assert _matches(terms, text) == found


def test_no_term_spans_two_cells() -> None:
    terms = Terms(["Sam Smith", "Lee"])
    cells = JoinedCells(["call Sam", "Smith or 😀 Lee", "", "Lee"])
    assert _places(cells, terms) == [(1, 11, 14), (3, 0, 3)]


def test_the_longest_term_that_the_cell_holds() -> None:
    cells = JoinedCells(["call Sam", "Smith and Sam Smith", "Sam"])
    assert _places(cells, Terms(["Sam", "Sam Smith"])) == [(0, 5, 8), (1, 10, 19), (2, 0, 3)]


def test_cells_covered_by_terms() -> None:
    cells = JoinedCells(["Sam Lee", "sam x", "", "nobody", "Sam, Sam Lee!", "don't"])
    whole, touched = cells.covered(Terms(["Sam", "Sam Lee", "don"]))
    assert whole.tolist() == [True, False, False, False, True, False]
    assert touched.tolist() == [True, True, False, False, True, False]


def test_files_plain_and_compressed(tmp_path: Path) -> None:
    data = "Zoë\r\n\nAnna Lena\n".encode()
    (tmp_path / "a.txt").write_bytes(data)
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(data))
    (tmp_path / "a.txt.zst").write_bytes(pa.compress(data, codec="zstd", asbytes=True))
    for name in ("a.txt", "a.txt.gz", "a.txt.zst"):
        terms = load(WordDictionary(url=str(tmp_path / name)))
        assert len(terms) == 2, name
        assert list(terms.find("zoë and ANNA LENA")) == [(0, 3), (8, 17)]


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\n \n---\n"])
def test_a_file_without_terms_is_the_users_mistake(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.txt").write_bytes(content)
    with pytest.raises(UserError, match=r"^dictionary .*bad\.txt: "):
        load(WordDictionary(url=str(tmp_path / "bad.txt")))


def test_the_number_of_terms_does_not_slow_the_search() -> None:
    text = "nobody here knows the word that is looked for in this text " * 2000
    few, many = Terms(["zzyzx"]), Terms(f"name{i:06d}" for i in range(200_000))

    def seconds(terms: Terms) -> float:
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            assert not list(terms.find(text))
            best = min(best, time.process_time() - start)
        return best

    seconds(few)
    assert seconds(many) < 5 * seconds(few)
