import gc
import pickle
import weakref

import numpy as np
import pytest

from tacenda.transforms.detecting.patterns.scanning import scan
from tacenda.transforms.text import column as module
from tacenda.transforms.text import words as word_hash
from tacenda.transforms.text.characters import Characters, plain_letters, visible
from tacenda.transforms.text.column import TextColumn, pieces
from tacenda.transforms.text.utf8 import Utf8Column, class_mask
from tacenda.transforms.text.words import HashIndex, Words, WordShapes, hashes_of, joined
from tests.cases import tabled


def test_some_conversations_are_a_column_of_their_own():
    column = TextColumn(["a", "b", "c", "d", "e"], [0, 2, 2, 4, 5])
    some = column.conversations(1, 3)
    assert (list(some.texts), list(some.first_cell)) == (["c", "d"], [0, 0, 2])
    assert list(column.conversations(0, 1).first_cell) == [0, 2]


def test_what_is_read_before_cells_stays_with_them():
    column = TextColumn(["a", "b", "c"], [0, 1, 3], ["x: ", "", "y: "])
    assert column.conversations(1, 2).led.texts == ["b", "y: c"]
    assert column.part(0, 1, [0, 1]).led.texts == ["x: a"]
    assert TextColumn(["a"]).led.texts == ["a"]


def test_derived_columns_are_built_once_and_not_pickled():
    column = TextColumn(["é", "b"], [0, 2])
    before = pickle.dumps(column)
    assert column.utf8 is column.utf8
    assert column.utf8.data == b"\xc3\xa9\xffb\xff"
    assert pickle.dumps(column) == before
    again = pickle.loads(before)
    assert (again.texts, again.first_cell) == (column.texts, column.first_cell)


def test_the_cells_are_one_text():
    column = TextColumn(["ab", "", "c"])
    assert (column.text, column.origins.tolist()) == ("ab\n\nc", [0, 3, 4, 6])
    assert column.cells(column.origins[:-1]).tolist() == [0, 1, 2]
    assert [column.words.word(i) for i in range(len(column.words))] == ["ab", "c"]
    assert (TextColumn([]).text, TextColumn([]).origins.tolist()) == ("", [0])


def test_readable_text_keeps_its_positions():
    texts = ["Pam [PERSON_NAME_12] said", "[not a token] é", "half \ud83d", ""]
    column = TextColumn(texts, [0, 2, 4])
    read = column.readable
    assert list(read.texts) == ["Pam |                said", "[not a token] é", "half \ufffd", ""]
    assert list(read.first_cell) == [0, 2, 4]
    assert list(map(len, read.texts)) == list(map(len, texts))
    assert read is column.readable
    plain = TextColumn(["[x]", "é"])
    assert plain.readable is plain


def test_blocks_are_whole_conversations_in_their_order(monkeypatch):
    texts = ["a" * 3, "b" * 3, "c" * 25, "", "d" * 9, "e" * 20]
    column = TextColumn(texts, [0, 2, 3, 3, 4, 5, 6])
    assert column.blocks == (column,)
    monkeypatch.setattr(module, "_BLOCK", 10)
    column = TextColumn(texts, [0, 2, 3, 3, 4, 5, 6])
    assert [list(block.texts) for block in column.blocks] == [texts[:2], texts[2:5], texts[5:]]
    assert [list(block.first_cell) for block in column.blocks] == [[0, 2], [0, 1, 1, 2, 3], [0, 1]]
    assert column.blocks is column.blocks
    assert [len(block) for block in TextColumn([], [0]).blocks] == [0]


def test_a_column_is_freed_without_a_collection_of_cycles():
    gc.disable()
    try:
        column = TextColumn(["Pam", "é"], [0, 2])
        assert (column.readable, column.blocks, len(column.words)) == (column, (column,), 2)
        gone = weakref.ref(column)
        del column
        assert gone() is None
    finally:
        gc.enable()


@tabled("text", "shown")
def test_characters_that_affect_other_text_are_escaped(text, shown):
    assert visible(text) == shown


@tabled("text", "plain")
def test_case_and_accents_are_no_difference(text, plain):
    assert plain_letters(text) == plain
    assert plain_letters(plain) == plain


def _places(column, pattern):
    located = column.everything.locate(*scan(column.everything, pattern))
    return list(zip(*(place.tolist() for place in located), strict=True))


def test_cells_that_lack_a_class_are_left_out():
    column = Utf8Column(["a" * 50, "b 1", "c @ 2", "d @"], [0, 4])
    assert column.needing(class_mask("digit")).cells.tolist() == [1, 2]
    assert column.needing(class_mask("digit", "at")).cells.tolist() == [2]
    texts = ["x" * 40, "١٢٣", "१२३", "１２３", "𝟏𝟐𝟑"]
    assert Utf8Column(texts, [0, 5]).needing(class_mask("digit")).cells.tolist() == [1, 2, 3, 4]


def test_half_a_surrogate_pair_keeps_its_place():
    column = Utf8Column(["a\ud800b 123"], [0, 1])
    assert _places(column, r"\d+") == [(0, 4, 7)]


def test_conversations_are_separated_by_more_than_any_window():
    origins = Utf8Column(["ab", "c", "d", ""], [0, 2, 4]).origins.tolist()
    assert origins[1] - origins[0] == 3
    assert origins[2] - origins[1] > 1000
    assert origins[3] - origins[2] == 2


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    monkeypatch.setattr(module, "PIECE_CHARS", 1000)
    monkeypatch.setattr(module, "CONTEXT_CHARS", 150)


def _joined(cut):
    return [text for piece in cut for text in piece.column.texts[piece.own]]


def test_what_is_not_long_is_the_column_itself():
    column = TextColumn(["a" * 100, "b" * 100], [0, 1, 2])
    (piece,) = pieces(column)
    assert piece.column is column
    assert (piece.own, piece.conversation) == (slice(0, 2), 0)
    (none,) = pieces(TextColumn([]))
    assert len(none.column) == 0


def test_a_long_conversation_is_cut_at_turns_with_context_on_both_sides():
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


def test_where_it_is_cut_depends_on_the_conversation_alone():
    long = ["x" * (i % 90) for i in range(100)]
    alone = [piece.column.texts for piece in pieces(TextColumn(long, [0, 100]))]
    beside = list(pieces(TextColumn(["y"] * 5 + long, [0, 5, 105])))
    assert [piece.column.texts for piece in beside[1:]] == alone


def test_turns_without_text_are_cut_too_and_one_turn_is_not():
    empty = TextColumn([""] * 1000, [0, 1000])
    assert max(len(piece.column) for piece in pieces(empty)) < 50
    assert _joined(list(pieces(empty))) == empty.texts
    giant = TextColumn(["a", "x" * 5000, "b"], [0, 3])
    assert [piece.column.texts[piece.own] for piece in pieces(giant)] == [["a"], ["x" * 5000], ["b"]]


def _read(text):
    return Words(Characters(text))


def _words(read):
    return list(map(read.word, range(len(read))))


@tabled("text", "words")
def test_words_are_runs_of_letters_digits_and_marks(text, words):
    assert _words(_read(text)) == words


def _hashes(*words):
    return hashes_of(words).tolist()


def test_word_hashes_are_stable():
    # Worked out with whole numbers of any size.
    assert _hashes("kavya", "åsa") == [1900364142780283831, 12125714530397846182]


def test_words_longer_than_a_piece():
    long = "ab" * word_hash._PIECE
    first, name, second = _hashes(long, "kavya", long)
    assert first == second != name == _hashes("kavya")[0]


def test_the_order_of_the_words_of_a_phrase_counts():
    new, york, city = (np.array([h], dtype=np.uint64) for h in _hashes("new", "york", "city"))
    phrases = [joined(new, york), joined(york, new), joined(joined(new, york), city), new, york]
    assert len({int(p[0]) for p in phrases}) == len(phrases)


@pytest.mark.parametrize("count", [1, 2, 3, 1000, 70_000])
def test_what_is_there_is_found_and_nothing_else(count):
    random = np.random.default_rng(count)
    listed = np.unique(random.integers(0, 1 << 64, count, dtype=np.uint64))
    index = HashIndex(listed)
    assert len(index) == len(listed)
    assert index.find(listed).tolist() == list(range(1, len(listed) + 1))
    others = random.integers(0, 1 << 64, count, dtype=np.uint64)
    assert not index.find(others[~np.isin(others, listed)]).any()


_FLAGS = tuple(name for name in WordShapes.__slots__ if name != "length")


def _shapes(text):
    return TextColumn([text]).word_shapes


def _flags(text, word):
    shapes = _shapes(text)
    (i,) = np.flatnonzero(TextColumn([text]).words.starts == text.index(word)).tolist()
    return {name for name in _FLAGS if getattr(shapes, name)[i]}


@tabled("text", "word", "flags")
def test_what_is_reported_of_a_word(text, word, flags):
    assert _flags(text, word) == set(flags)
