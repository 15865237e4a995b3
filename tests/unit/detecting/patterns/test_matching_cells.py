from tacenda.transforms.detecting.patterns.matching_cells import cells_matching_any
from tacenda.transforms.text.utf8 import Utf8Column


def test_only_cells_with_a_match_are_left() -> None:
    column = Utf8Column(["login", "x", "é user id", "login login", ""], [0, 5])
    assert cells_matching_any(column, column.everything, ["login", "user id"]).cells.tolist() == [0, 2, 3]


def test_without_patterns_no_cell_is_left() -> None:
    column = Utf8Column(["a"], [0, 1])
    assert cells_matching_any(column, column.everything, []).cells.tolist() == []


def test_an_empty_match_keeps_its_cell() -> None:
    column = Utf8Column(["aaa", "b"], [0, 2])
    assert set(cells_matching_any(column, column.everything, ["x*", "b"]).cells.tolist()) >= {1}
