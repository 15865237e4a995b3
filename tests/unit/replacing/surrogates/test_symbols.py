import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.replacing.surrogates.number_words import read_symbols


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("(555) 010-0199", "5550100199"),
        ("four one double five", "4155"),
        ("ninety eight thirty nine", "9839"),
        ("INC-29 a", "inc29a"),
        ("z as in zulu 7", "z7"),
        ("oh one sicks", "016"),
        ("07 12 75-95571", "07127595571"),
        ("fyra två noll", "420"),
    ],
)
def test_a_number_is_its_digits_however_it_is_said(text: str, symbols: str) -> None:
    assert read_symbols(text).symbols == symbols


@pytest.mark.parametrize(
    ("text", "symbols", "written"),
    [
        ("(555) 010-0199", "2125550143", "(212) 555-0143"),
        ("INC-29 a", "inc47k", "INC-47 k"),
        ("four one double five", "3208", "three two zero eight"),
        ("ninety eight", "41", "forty one"),
        ("z as in zulu 7", "m3", "m as in mike 3"),
        ("fyra två", "68", "sex åtta"),
    ],
)
def test_other_symbols_stand_in_the_same_form(text: str, symbols: str, written: str) -> None:
    assert read_symbols(text).with_symbols(symbols) == written


def test_a_word_of_a_sentence_makes_it_no_code() -> None:
    assert not read_symbols("Dial eight oh zero").is_code
    assert read_symbols("I N C eight one").is_code
    assert read_symbols("hyejin1973").is_code


@given(st.text(alphabet="0123456789abcXYZ -./()", min_size=1, max_size=30))
def test_the_own_symbols_give_the_text_again(text: str) -> None:
    written = read_symbols(text)
    if not written.is_spoken:
        assert written.with_symbols(written.symbols) == text
