from tacenda.transforms.detecting.patterns.scanning import scan
from tacenda.transforms.text.utf8 import Utf8Column, class_mask


def _places(column: Utf8Column, pattern: str) -> list[tuple[int, ...]]:
    located = column.everything.locate(*scan(column.everything, pattern))
    return list(zip(*(place.tolist() for place in located), strict=True))


def test_offsets_are_code_points_whatever_the_script() -> None:
    texts = ["plain 123", "😀é naïve 456", "", "עברית 789 e\u0301", "１２３ x 012"]
    column = Utf8Column(texts, [0, 5])
    found = [(cell, texts[cell][start:end]) for cell, start, end in _places(column, r"\d{3}")]
    assert found == [(0, "123"), (1, "456"), (3, "789"), (4, "012")]


def test_cells_that_lack_a_class_are_left_out() -> None:
    column = Utf8Column(["a" * 50, "b 1", "c @ 2", "d @"], [0, 4])
    assert column.needing(class_mask(["digit"])).cells.tolist() == [1, 2]
    assert column.needing(class_mask(["digit", "at"])).cells.tolist() == [2]


def test_digits_of_other_scripts_count_as_digits() -> None:
    texts = ["x" * 40, "١٢٣", "१२३", "１２３", "𝟏𝟐𝟑"]
    assert Utf8Column(texts, [0, 5]).needing(class_mask(["digit"])).cells.tolist() == [1, 2, 3, 4]


def test_half_a_surrogate_pair_keeps_its_place() -> None:
    column = Utf8Column(["a\ud800b 123"], [0, 1])
    assert _places(column, r"\d+") == [(0, 4, 7)]


def test_conversations_are_separated_by_more_than_any_window() -> None:
    origins = Utf8Column(["ab", "c", "d", ""], [0, 2, 4]).origins.tolist()
    assert origins[1] - origins[0] == 3
    assert origins[2] - origins[1] > 1000
    assert origins[3] - origins[2] == 2


def test_an_empty_conversation_is_no_cell() -> None:
    assert len(Utf8Column(["a", "b"], [0, 1, 1, 2, 2]).origins) == 2
