import gc
import pickle
import weakref

import pytest

from tacenda.transforms.text import column as module
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


def test_derived_columns_are_built_once_and_not_pickled() -> None:
    column = TextColumn(["é", "b"], [0, 2])
    before = pickle.dumps(column)
    assert column.utf8 is column.utf8
    assert column.utf8.data == b"\xc3\xa9\xffb\xff"
    assert pickle.dumps(column) == before
    again = pickle.loads(before)
    assert (again.texts, again.first_cell) == (column.texts, column.first_cell)


def test_the_cells_are_one_text() -> None:
    column = TextColumn(["ab", "", "c"])
    assert (column.text, column.origins.tolist()) == ("ab\n\nc", [0, 3, 4, 6])
    assert column.cells(column.origins[:-1]).tolist() == [0, 1, 2]
    assert [column.words.word(i) for i in range(len(column.words))] == ["ab", "c"]
    assert (TextColumn([]).text, TextColumn([]).origins.tolist()) == ("", [0])


def test_readable_text_keeps_its_positions() -> None:
    texts = ["Pam [PERSON_NAME_12] said", "[not a token] é", "half \ud83d", ""]
    column = TextColumn(texts, [0, 2, 4])
    read = column.readable
    assert list(read.texts) == ["Pam |                said", "[not a token] é", "half \ufffd", ""]
    assert list(read.first_cell) == [0, 2, 4]
    assert list(map(len, read.texts)) == list(map(len, texts))
    assert read is column.readable
    plain = TextColumn(["[x]", "é"])
    assert plain.readable is plain


def test_blocks_are_whole_conversations_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["a" * 3, "b" * 3, "c" * 25, "", "d" * 9, "e" * 20]
    column = TextColumn(texts, [0, 2, 3, 3, 4, 5, 6])
    assert column.blocks == (column,)
    monkeypatch.setattr(module, "_BLOCK", 10)
    column = TextColumn(texts, [0, 2, 3, 3, 4, 5, 6])
    assert [list(block.texts) for block in column.blocks] == [texts[:2], texts[2:5], texts[5:]]
    assert [list(block.first_cell) for block in column.blocks] == [[0, 2], [0, 1, 1, 2, 3], [0, 1]]
    assert column.blocks is column.blocks
    assert [len(block) for block in TextColumn([], [0]).blocks] == [0]


def test_a_column_is_freed_without_a_collection_of_cycles() -> None:
    gc.disable()
    try:
        column = TextColumn(["Pam", "é"], [0, 2])
        assert (column.readable, column.blocks, len(column.words)) == (column, (column,), 2)
        gone = weakref.ref(column)
        del column
        assert gone() is None
    finally:
        gc.enable()
