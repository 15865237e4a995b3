import base64
import hashlib
import hmac
import re
from typing import Any

import pytest

from tacenda.transforms.replacing.transformations.reversible_cipher import (
    COMMON_ALPHABETS,
    NATIVE,
    CryptoDeterministic,
    CryptoHash,
    FormatPreserving,
)
from tacenda.transforms.replacing.transformations.transformation import Mention
from tacenda.transforms.schema.errors import RecordError, UserError


def test_it_is_hmac_sha256_in_base64(said: Any, key: Any) -> None:
    by_hand = hmac.digest(bytes(range(32)), "Ann Lée".encode(), hashlib.sha256)
    assert said(CryptoHash(key), "Ann Lée") == base64.b64encode(by_hand).decode()
    assert len(said(CryptoHash(key), "")) == 44


def test_it_depends_on_key_and_value_alone(said: Any, key: Any, other_key: Any) -> None:
    assert said(CryptoHash(key), "Ann", "c1", 1) == said(CryptoHash(key), "Ann", "c2", 7)
    assert said(CryptoHash(key), "Ann") != said(CryptoHash(key), "ann")
    assert said(CryptoHash(key), "Ann") != said(CryptoHash(other_key), "Ann")


def test_a_key_has_32_or_64_bytes(monkeypatch: pytest.MonkeyPatch, key: Any) -> None:
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(16)).decode())
    with pytest.raises(UserError, match="32 or 64 bytes"):
        CryptoHash(key).build()
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(64)).decode())
    CryptoHash(key).build()


def test_it_is_reported_as_a_pseudonym(key: Any) -> None:
    assert CryptoHash(key).describe().pseudonymised


@pytest.mark.parametrize("text", ["Ann Lee", "åäö 日本", "x", "a" * 1000])
def test_there_and_back(said: Any, key: Any, text: str) -> None:
    encryption = CryptoDeterministic(key, "NAME_TOKEN")
    found = re.fullmatch(r"NAME_TOKEN\((\d+)\):(.+)", said(encryption, text))
    assert found is not None
    assert int(found[1]) == len(found[2])
    assert len(base64.b64decode(found[2])) == 16 + len(text.encode()), "the tag of SIV before the text"
    assert encryption.build_reversal()(Mention(found[2], "c1", 1)) == text


def test_one_value_has_one_surrogate(said: Any, key: Any, other_key: Any) -> None:
    encryption = CryptoDeterministic(key, None)
    assert said(encryption, "Ann", "c1") == said(encryption, "Ann", "c2")
    assert said(encryption, "Ann") != said(encryption, "Bob")
    assert said(encryption, "Ann") != said(CryptoDeterministic(other_key, None), "Ann")


def test_the_conversation_may_be_the_context(said: Any, key: Any) -> None:
    encryption = CryptoDeterministic(key, None, by_conversation=True)
    one, other = said(encryption, "Ann", "c1"), said(encryption, "Ann", "c2")
    assert one != other
    back = encryption.build_reversal()
    assert back(Mention(other, "c2", 1)) == "Ann"
    with pytest.raises(RecordError, match="NotOurSurrogate"):
        back(Mention(one, "c2", 1))


@pytest.mark.parametrize("forged", ["", "no base64!", "AAAA", base64.b64encode(bytes(40)).decode()])
def test_other_text_is_not_reversed(key: Any, forged: str) -> None:
    with pytest.raises(RecordError, match="NotOurSurrogate"):
        CryptoDeterministic(key, "X").build_reversal()(Mention(forged, "c1", 1))


def test_another_key_reverses_nothing(said: Any, key: Any, other_key: Any) -> None:
    with pytest.raises(RecordError, match="NotOurSurrogate"):
        CryptoDeterministic(other_key, None).build_reversal()(
            Mention(said(CryptoDeterministic(key, None), "Ann"), "c1", 1)
        )


def test_it_is_reported_as_a_pseudonym_crypto_deterministic(key: Any) -> None:
    assert CryptoDeterministic(key, None).describe().pseudonymised


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


def test_it_is_reported_as_a_pseudonym_format_preserving(key: Any) -> None:
    assert FormatPreserving(key, NATIVE, None).describe().pseudonymised
