import pytest
import re2

from tacenda.transforms.detecting.patterns.pattern_set import PatternSet
from tacenda.transforms.text.utf8 import Utf8Column


def _cells(patterns: list[str], texts: list[str]) -> list[list[int]]:
    column = Utf8Column(texts, [0, len(texts)])
    found = PatternSet(patterns).cells(column, column.everything.cells)
    return [found[pattern].tolist() for pattern in patterns]


def test_cells_of_each_pattern() -> None:
    assert _cells([r"\d{3}-\d{4}", "x", "y"], ["call 555-0143", "", "x 555-0144"]) == [[0, 2], [2], []]


def test_edges_are_those_of_each_cell() -> None:
    texts = ["login x", "a login", "login"]
    assert _cells([r"^login\b", r"login$", r"\Alogin\z"], texts) == [[0, 2], [1, 2], [2]]


def test_matches_do_not_cross_cells() -> None:
    assert _cells([r"ab[^x]+cd"], ["ab", "cd", "ab cd"]) == [[2]]


def test_letters_that_fold_to_ascii() -> None:
    assert _cells(["(?i)mask"], ["mask", "ma\u017fk", "mas\u212a", "nothing"]) == [[0, 1, 2]]


def test_only_cells_asked_for() -> None:
    column = Utf8Column(["x", "x", "x"], [0, 3])
    assert PatternSet(["x"]).cells(column, column.everything.cells[1:2])["x"].tolist() == [1]


def test_a_set_that_needs_more_memory_is_refused() -> None:
    with pytest.raises(re2.error):
        PatternSet([r"\pL{2,400}x"] * 2, megabytes=1)


def test_a_set_that_runs_out_of_memory_lets_every_pattern_through() -> None:
    some = PatternSet(["x", "y"])
    some._match = lambda row: [] if row == b"long" else [2]
    column = Utf8Column(["short", "long"], [0, 2])
    found = some.cells(column, column.everything.cells)
    assert [found[pattern].tolist() for pattern in ("x", "y")] == [[1], [1]]
