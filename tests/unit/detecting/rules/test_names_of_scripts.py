from collections.abc import Callable

import pytest

from tacenda.transforms.detecting.rules.names_of_scripts import (
    Cut,
    greek_name,
    han_address,
    han_name,
    japanese_name,
    not_other_word,
    surnamed,
    thai_name,
    uncased_name,
)


@pytest.mark.parametrize(
    ("cut", "text", "name"),
    [
        (uncased_name, "अंकिता बिस्वास है", "अंकिता बिस्वास"),
        (uncased_name, "है", None),
        (uncased_name, "العميل", None),
        (uncased_name, "דוד כהן ואני", "דוד כהן"),
        (uncased_name, "", None),
        (surnamed, "के विशाखा शर्मा", "विशाखा शर्मा"),
        (surnamed, "शर्मा", "शर्मा"),
        (surnamed, "राम के", None),
        (han_name, "王建国", "王建国"),
        (han_name, "高中", None),
        (han_name, "方面军", None),
        (han_name, "李的", None),
        (han_address, "地址是北京市朝阳区建国路88号", "北京市朝阳区建国路88号"),
        (han_address, "建国路88号", "建国路88号"),
        (japanese_name, "柳田", "柳田"),
        (japanese_name, "客", None),
        (japanese_name, "参加者", None),
        (japanese_name, "森", "森"),
        (japanese_name, "砂", None),
        (japanese_name, "我們", None),
        (thai_name, "ธนากร วงศ์สวัสดิ์", "ธนากร วงศ์สวัสดิ์"),
        (thai_name, "ปกรณ์ครับ", "ปกรณ์"),
        (thai_name, "ปกรณ์ อยากถาม", "ปกรณ์"),
        (thai_name, "กรัฐมนตรี", None),
        (greek_name, "κύριε Παπαδόπουλε", "Παπαδόπουλε"),
        (greek_name, "Κύριε", None),
    ],
)
def test_a_name_is_cut_out_of_what_stands_beside_it(
    cut: Callable[[str], Cut], text: str, name: str | None
) -> None:
    span = cut(text)
    assert (text[slice(*span)] if span else None) == name


def test_names_that_are_words_of_russian_do_not_stand_alone() -> None:
    assert not not_other_word("Роман")
    assert not_other_word("Дмитрий")
