import sys
import unicodedata

import pytest

from tacenda.transforms.text.readable import has_forms, in_plain_forms


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("٠١٢٣٤٥٦٧٨٩", "0123456789"),
        ("۰۹ ०९ ๐๙ ০৯", "09 09 09 09"),
        ("ｔｅｌ：０９０－１２３４", "tel:090-1234"),
        ("ｔａｎａｋａ＠ｅｘａｍｐｌｅ．ｃｏｍ", "tanaka@example.com"),
        ("ａ\u3000ｂ", "a b"),
    ],
)
def test_digits_and_full_width_forms_become_ascii(text: str, plain: str) -> None:
    assert has_forms(text)
    assert in_plain_forms(text) == plain


@pytest.mark.parametrize(
    "text", ["", "call 415", "né en août", "Москва", "東京、日本（关西）：？", "½ ² Ⅳ 三 ①"]
)
def test_other_text_is_returned_as_it_is(text: str) -> None:
    assert not has_forms(text)
    assert in_plain_forms(text) is text


def test_every_character_stays_one_and_every_decimal_digit_keeps_its_value() -> None:
    every = "".join(map(chr, range(0x20000)))
    plain = in_plain_forms(every)
    assert len(plain) == len(every)
    for before, after in zip(every, plain, strict=True):
        if before.isdecimal():
            assert after == str(unicodedata.decimal(before)), hex(ord(before))
    assert not any(map(str.isdecimal, map(chr, range(0x20000, sys.maxunicode + 1))))
