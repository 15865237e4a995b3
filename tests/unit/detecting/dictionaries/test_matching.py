import pytest

from tacenda.transforms.detecting.dictionaries.compiling import compile_terms
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.matching import FoldedCells
from tacenda.transforms.detecting.dictionaries.table import TermTable
from tacenda.transforms.text.column import TextColumn
from tests.growth import takes_at_most


def _table(*terms: str, folding: Folding = Folding.LOOSE) -> TermTable:
    return compile_terms([terms], folding)


def _found(terms: list[str], text: str, folding: Folding = Folding.LOOSE) -> list[str]:
    _, starts, ends = FoldedCells(TextColumn([text]), folding).find(_table(*terms, folding=folding))
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def _places(texts: list[str], *terms: str) -> list[tuple[int, ...]]:
    places = FoldedCells(TextColumn(texts)).find(_table(*terms))
    return list(zip(*(place.tolist() for place in places), strict=True))


@pytest.mark.parametrize(
    ("terms", "text", "found"),
    [
        (["Marta"], "marta, MARTA and Marta's", ["marta", "MARTA", "Marta"]),
        (["Mar"], "Marta at the Mar", ["Mar"]),
        (["Dunder Mifflin"], "at Dunder-Mifflin, DUNDER  MIFFLIN", ["Dunder-Mifflin", "DUNDER  MIFFLIN"]),
        (["José"], "JOSÉ Jose\u0301 Jose", ["JOSÉ", "Jose\u0301", "Jose"]),
        (["Jose"], "JOSÉ Josefa", ["JOSÉ"]),
        (["straße"], "die STRASSE, die Straße", ["STRASSE", "Straße"]),
        (["Søren Łukasz"], "soren lukasz", ["soren lukasz"]),
        (["istanbul"], "in İstanbul 😀 İSTANBUL", ["İstanbul", "İSTANBUL"]),
        (["O'Brien"], "O’Brien, OʼBRIEN, OBrien, obriens", ["O’Brien", "OʼBRIEN", "OBrien"]),
        (["L'Oréal"], "l'oreal loreal oreal", ["l'oreal", "loreal"]),
        (["王伟"], "我叫王伟你好", ["王伟"]),
        (["สมชาย"], "ผมชื่อสมชายครับ", ["สมชาย"]),
        (["กุ"], "กุ้ง กุ", ["กุ"]),
        (["कि"], "की कि", ["कि"]),
        (["иван"], "это Иван!", ["Иван"]),
        (["Артём"], "артем", ["артем"]),
        (["דוד"], "אני דָּוִד.", ["דָּוִד"]),
        (["김철수"], "김철수 김철", ["김철수"]),
        (["ＴＯＭ"], "Tom", ["Tom"]),
        (["Johnson"], "John\u00adson", ["John\u00adson"]),
        (["jen"], "jen123, jen_x, jennifer", ["jen", "jen"]),
        (["B17"], "b17 B-17 B 17 b171", ["b17"]),
        (["B-17"], "b17 B-17 B 17", ["B-17", "B 17"]),
        (["Don"], "don't ask don, DON’T", ["don"]),
        (["Don"], "DON'T, Don and Don'T", ["Don"]),
        (["Ann"], "'Ann'Tom, 'Ann't1', Ann't Ann'T_", ["Ann", "Ann"]),
        (["Maria"], "Maria'T HOOFT, maria't", ["Maria", "maria"]),
        (["Maria", "Maria Don"], "Maria don't know Maria Don", ["Maria", "Maria Don"]),
        (["Sam", "Sam Smith"], "Sam Smith met Sam", ["Sam Smith", "Sam"]),
        (["a b", "b c"], "a b c", ["a b", "b c"]),
        (["a b c d"], "a b c a b c d", ["a b c d"]),
        (["Sam", ""], "", []),
        ([], "Sam", []),
    ],
)
def test_whole_words_in_any_script_case_and_spelling(terms: list[str], text: str, found: list[str]) -> None:
    assert _found(terms, text) == found


def test_exclusion_dictionaries_distinguish_accents() -> None:
    assert _found(["só", "O'Brien"], "So so SÓ so\u0301 OBrien o’brien", Folding.STRICT) == [
        "SÓ",
        "so\u0301",
        "o’brien",
    ]


def test_no_term_spans_two_cells() -> None:
    assert _places(["call Sam", "Smith or 😀 Lee", "", "Lee"], "Sam Smith", "Lee") == [(1, 11, 14), (3, 0, 3)]


def test_the_longest_term_that_the_cell_holds() -> None:
    places = _places(["call Sam", "Smith and Sam Smith", "Sam"], "Sam", "Sam Smith")
    assert places == [(0, 5, 8), (1, 10, 19), (2, 0, 3)]


def test_offsets_hold_if_folding_changes_the_length() -> None:
    assert _places(["ﬁ ßß e\u0301\u0301 \ud800ŉ Sam", "\u0301\u0301Sam"], "Sam") == [(0, 12, 15), (1, 2, 5)]


def test_no_cells() -> None:
    assert _places([], "Sam") == []


def test_cells_covered_by_terms() -> None:
    cells = FoldedCells(TextColumn(["Sam Lee", "sam x", "", "nobody", "Sam, Sam Lee!", "don't"]))
    whole, touched = cells.covered(_table("Sam", "Sam Lee", "don"))
    assert whole.tolist() == [True, False, False, False, True, False]
    assert touched.tolist() == [True, True, False, False, True, False]


def test_the_number_of_terms_does_not_slow_the_search() -> None:
    texts = ["nobody here knows the word that is looked for in this text"] * 2000
    few, many = _table("zzyzx"), _table(*(f"name{i:06d}" for i in range(200_000)))

    def find(table: TermTable) -> None:
        assert not len(FoldedCells(TextColumn(texts)).find(table)[0])

    assert takes_at_most(3, lambda: find(many), lambda: find(few))
