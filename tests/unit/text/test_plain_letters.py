import pytest

from tacenda.transforms.text.characters import plain_letters, slug


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
