import base64
import hashlib
import hmac
from typing import Any

import pytest

from tacenda.transforms.replacing.transformations.reversible_cipher import CryptoHash
from tacenda.transforms.schema.errors import UserError


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
