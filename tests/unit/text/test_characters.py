import numpy as np
import pytest

from tacenda.transforms.detecting.patterns.scanning import scan
from tacenda.transforms.text.characters import (
    LETTER,
    QUOTE,
    SIGN,
    ByteTable,
    Characters,
    plain_letters,
    slug,
    visible,
)
from tacenda.transforms.text.utf8 import Utf8Column, class_mask

_TABLE = ByteTable(
    lambda: (np.arange(0x10001) % 251).astype(np.uint8), lambda: bytes(i % 251 for i in range(256))
)


def _long(text: str) -> str:
    return text + " and more of them" * 60


@pytest.mark.parametrize(
    ("text", "of_bytes"),
    [
        ("", True),
        ("plain? yes", True),
        (_long("Åsa, µm? ÿ"), True),
        (_long("O’Neil – łódź? \U0001f600 µ"), True),
        (_long("half \ud83d pair"), True),
        ("łódź", False),
        (_long("control \x92 ł"), False),
        (_long("李 alone"), False),
    ],
)
def test_texts_of_bytes_are_as_those_of_code_points(text: str, of_bytes: bool) -> None:
    few, many = Characters(text), Characters(text, bytes=False)
    assert (few.are_bytes, many.are_bytes) == (of_bytes, False)
    assert few.codes.tolist() == many.coded.tolist() == few.exact.tolist() == [*map(ord, text)]
    assert few.through(_TABLE).tolist() == many.through(_TABLE).tolist()
    assert few.through(_TABLE).tolist() == [min(ord(c), 0x10000) % 251 for c in text]
    assert few.spaces.tolist() == many.spaces.tolist() == [*map(str.isspace, text)]


def test_a_letter_or_a_sign_stands_for_what_is_no_byte() -> None:
    read = Characters(_long("’ ł … µ"))
    assert read.coded[:7].tolist() == [QUOTE, 0x20, LETTER, 0x20, SIGN, 0x20, LETTER]
    assert (read.beyond.tolist(), read.codes_beyond.tolist()) == ([0, 2, 4, 6], [*map(ord, "’ł…µ")])


def test_every_white_space() -> None:
    text = "".join(map(chr, range(0x3010)))
    assert Characters(text).spaces.tolist() == [*map(str.isspace, text)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 中 😀", "plain é 中 😀"),
        ("\x1b[31mred\x07", "\\u001b[31mred\\u0007"),
        ("a\u202eb\u2066c\ufeff", "a\\u202eb\\u2066c\\ufeff"),
        ("\ud800", "\\ud800"),
        ("a\tb\nc", "a\tb\nc"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_characters_that_affect_other_text_are_escaped(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Ann LEE", "ann lee"),
        ("José", "jose"),
        ("Jose\u0301", "jose"),
        ("Ørsted Łukasz Æsir Strauß", "orsted lukasz aesir strauss"),
        ("O’Brien", "o'brien"),
        ("İlker Işık", "ilker isik"),
        ("李伟", "李伟"),
        ("", ""),
    ],
)
def test_case_and_accents_are_no_difference(text: str, plain: str) -> None:
    assert plain_letters(text) == plain
    assert plain_letters(plain) == plain


def test_a_slug_has_latin_letters_and_digits_only():
    assert slug("Zoë O'Neil-Łukasz 2") == "zoeoneillukasz2"
    assert slug("李") == ""


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
