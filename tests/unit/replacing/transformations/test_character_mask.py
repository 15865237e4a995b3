import string
from typing import Any

import pytest

from tacenda.transforms.replacing.transformations.transformation import COMMON_CHARACTERS, CharacterMask

CARD = "1234-5678-9012-3456"


@pytest.mark.parametrize(
    ("mask", "text", "masked"),
    [
        # The four examples of Google's reference.
        (CharacterMask(number=-4, ignored="-"), CARD, "****-****-****-3456"),
        (CharacterMask(number=-4, ignored="-", reverse=True), CARD, "1234-****-****-****"),
        (CharacterMask("0", 14), CARD, "00000000000000-3456"),
        (CharacterMask("*", 3, reverse=True), "12345", "12***"),
        (CharacterMask("*", 5, ignored="-"), "555-555-5555", "***-**5-5555"),
        (CharacterMask(), "Ann Lee", "*******"),
        (CharacterMask("#", ignored=COMMON_CHARACTERS["WHITESPACE"]), "Ann Lee", "### ###"),
        (CharacterMask(number=-20), "short", "short"),
        (CharacterMask(number=20), "short", "*****"),
        (CharacterMask(ignored=COMMON_CHARACTERS["ALPHA_LOWER_CASE"]), "Åsa 7", "*sa**"),
        (CharacterMask(), "", ""),
    ],
)
def test_as_google_describes_it(said: Any, mask: CharacterMask, text: str, masked: str) -> None:
    assert said(mask, text) == masked


def test_the_common_characters_are_ascii() -> None:
    assert COMMON_CHARACTERS["PUNCTUATION"] == "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    assert COMMON_CHARACTERS["NUMERIC"] == "0123456789"
    assert {*COMMON_CHARACTERS["WHITESPACE"]} == {*" \t\n\x0b\f\r"}
    assert COMMON_CHARACTERS["ALPHA_UPPER_CASE"] == string.ascii_uppercase


def test_what_stays_readable_is_said() -> None:
    assert CharacterMask().describe().weakness == "its length stays readable"
    assert "all but 4" in str(CharacterMask(number=-4).describe().weakness)
    assert "only 3" in str(CharacterMask(number=3).describe().weakness)
    assert "letters and digits" in str(CharacterMask(ignored="a").describe().weakness)
