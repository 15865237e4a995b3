import numpy as np
import pytest

from tacenda.transforms.text.characters import LETTER, QUOTE, SIGN, ByteTable, Characters

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
