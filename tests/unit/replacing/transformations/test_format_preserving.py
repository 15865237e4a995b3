from typing import Any

import pytest

from tacenda.transforms.replacing.transformations.reversible_cipher import (
    COMMON_ALPHABETS,
    NATIVE,
    FormatPreserving,
)
from tacenda.transforms.replacing.transformations.transformation import Mention
from tacenda.transforms.schema.errors import RecordError


@pytest.mark.parametrize(
    ("alphabet", "text"),
    [
        (COMMON_ALPHABETS["NUMERIC"], "4111111111111111"),
        (COMMON_ALPHABETS["HEXADECIMAL"], "DEADBEEF"),
        (COMMON_ALPHABETS["UPPER_CASE_ALPHA_NUMERIC"], "SE45500"),
        (COMMON_ALPHABETS["ALPHA_NUMERIC"], "Ann"),
        ("0123456789-", "070-123 45".replace(" ", "-")),
        (NATIVE, "12 High St."),
    ],
)
def test_there_and_back_in_the_same_form(said: Any, key: Any, alphabet: str, text: str) -> None:
    encryption = FormatPreserving(key, alphabet, None)
    encrypted = said(encryption, text)
    assert encrypted != text
    assert len(encrypted) == len(text)
    assert {*encrypted} <= {*alphabet}
    assert encryption.build_reversal()(Mention(encrypted, "c1", 1)) == text
    assert said(FormatPreserving(key, alphabet, "FORM"), text) == f"FORM({len(text)}):{encrypted}"


def test_the_native_alphabet_is_what_ascii_prints() -> None:
    assert sorted(NATIVE) == [chr(code) for code in range(32, 127)]
    assert [len(alphabet) for alphabet in COMMON_ALPHABETS.values()] == [10, 16, 36, 62]


def test_the_conversation_may_be_the_tweak(said: Any, key: Any) -> None:
    digits = COMMON_ALPHABETS["NUMERIC"]
    everywhere = FormatPreserving(key, digits, None)
    assert said(everywhere, "123456", "c1") == said(everywhere, "123456", "c2")
    own = FormatPreserving(key, digits, None, by_conversation=True)
    encrypted = said(own, "123456", "c1")
    assert encrypted != said(own, "123456", "c2")
    assert own.build_reversal()(Mention(encrypted, "c1", 1)) == "123456"


@pytest.mark.parametrize(
    ("text", "error"), [("1", "ValueTooShort"), ("12-34", "NotInAlphabet"), ("", "ValueTooShort")]
)
def test_what_the_cipher_cannot_take_is_an_error(said: Any, key: Any, text: str, error: str) -> None:
    with pytest.raises(RecordError, match=error):
        said(FormatPreserving(key, COMMON_ALPHABETS["NUMERIC"], None), text)


def test_it_is_reported_as_a_pseudonym(key: Any) -> None:
    assert FormatPreserving(key, NATIVE, None).describe().pseudonymised
