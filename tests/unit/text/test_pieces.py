import pytest

from tacenda.transforms.text import pieces as cutting
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.pieces import Piece, pieces


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "PIECE_CHARS", 1000)
    monkeypatch.setattr(cutting, "CONTEXT_CHARS", 150)


def _joined(cut: list[Piece]) -> list[str]:
    return [text for piece in cut for text in piece.column.texts[piece.own]]


def test_what_is_not_long_is_the_column_itself() -> None:
    column = TextColumn(["a" * 100, "b" * 100], [0, 1, 2])
    (piece,) = pieces(column)
    assert piece.column is column
    assert (piece.own, piece.conversation) == (slice(0, 2), 0)
    (none,) = pieces(TextColumn([]))
    assert len(none.column) == 0


def test_a_long_conversation_is_cut_at_turns_with_context_on_both_sides() -> None:
    short, long = ["s" * 50] * 3, [f"{i:02}" + "x" * 98 for i in range(30)]
    column = TextColumn([*short, *long, *short], [0, 3, 33, 33, 36])
    cut = list(pieces(column))
    assert _joined(cut) == column.texts
    first, *of_long, last = cut
    assert (first.column.first_cell, first.conversation) == ([0, 3], 0)
    assert (last.column.first_cell, last.conversation) == ([0, 0, 3], 2)
    assert {piece.conversation for piece in of_long} == {1}
    assert [len(piece.column.texts[piece.own]) for piece in of_long] == [7, 7, 7, 7, 2]
    assert [piece.own.start for piece in of_long] == [0, 2, 2, 2, 2]
    assert [len(piece.column) - piece.own.stop for piece in of_long] == [2, 2, 2, 2, 0]
    assert all(piece.column.first_cell == [0, len(piece.column)] for piece in of_long)


def test_where_it_is_cut_depends_on_the_conversation_alone() -> None:
    long = ["x" * (i % 90) for i in range(100)]
    alone = [piece.column.texts for piece in pieces(TextColumn(long, [0, 100]))]
    beside = list(pieces(TextColumn(["y"] * 5 + long, [0, 5, 105])))
    assert [piece.column.texts for piece in beside[1:]] == alone


def test_turns_without_text_are_cut_too_and_one_turn_is_not() -> None:
    empty = TextColumn([""] * 1000, [0, 1000])
    assert max(len(piece.column) for piece in pieces(empty)) < 50
    assert _joined(list(pieces(empty))) == empty.texts
    giant = TextColumn(["a", "x" * 5000, "b"], [0, 3])
    assert [piece.column.texts[piece.own] for piece in pieces(giant)] == [["a"], ["x" * 5000], ["b"]]
