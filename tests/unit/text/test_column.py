import pickle

from tacenda.transforms.text.column import TextColumn


def test_without_bounds_each_cell_is_a_conversation() -> None:
    column = TextColumn(["a", "bc"])
    assert (len(column), list(column.first_cell), column.size) == (2, [0, 1, 2], 3)
    assert list(TextColumn([]).first_cell) == [0]


def test_some_conversations_are_a_column_of_their_own() -> None:
    column = TextColumn(["a", "b", "c", "d", "e"], [0, 2, 2, 4, 5])
    some = column.conversations(1, 3)
    assert (list(some.texts), list(some.first_cell)) == (["c", "d"], [0, 0, 2])
    assert list(column.conversations(0, 1).first_cell) == [0, 2]


def test_what_detectors_need_is_made_once_and_does_not_travel() -> None:
    column = TextColumn(["é", "b"], [0, 2])
    before = pickle.dumps(column)
    assert column.utf8 is column.utf8
    assert column.utf8.data == b"\xc3\xa9\xffb\xff"
    assert pickle.dumps(column) == before
    again = pickle.loads(before)
    assert (again.texts, again.first_cell) == (column.texts, column.first_cell)
