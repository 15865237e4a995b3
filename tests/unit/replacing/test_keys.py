import base64
import pickle
from pathlib import Path

import pytest

from tacenda.transforms.replacing.keys import (
    DerivedKey,
    GivenKey,
    KeyReference,
    derive,
    fingerprint,
    key_bytes,
)
from tacenda.transforms.schema.errors import UserError

KEY = bytes(range(32))
WRITTEN = base64.b64encode(KEY).decode()


def test_a_key_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", f"{WRITTEN}\n")
    assert KeyReference("env:A_KEY").read() == WRITTEN.encode()
    assert key_bytes(KeyReference("env:A_KEY")) == KEY


@pytest.mark.parametrize("form", ["file:{}", "file://{}"])
def test_a_key_is_read_from_a_file(tmp_path: Path, form: str) -> None:
    (tmp_path / "key").write_text(WRITTEN)
    assert key_bytes(KeyReference(form.format(tmp_path / "key"))) == KEY


def test_a_relative_path_is_one_wherever_a_worker_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "key").write_text(WRITTEN)
    monkeypatch.chdir(tmp_path)
    reference = KeyReference("file:key")
    monkeypatch.chdir("/")
    assert key_bytes(reference) == KEY


@pytest.mark.parametrize("place", ["", "hunter2", "A_KEY", "/path/of/a/key"])
def test_an_invalid_key_location_is_not_quoted(place: str) -> None:
    with pytest.raises(UserError, match="must be the location of a secret") as told:
        KeyReference(place)
    assert not place or place not in str(told.value)


def test_a_secret_that_is_not_there_or_too_short_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHORT", "hunter2")
    with pytest.raises(UserError, match="env:NO_SUCH_KEY: this environment variable is not set"):
        KeyReference("env:NO_SUCH_KEY").read()
    with pytest.raises(UserError, match="no such file"):
        KeyReference(f"file:{tmp_path}/none").read()
    with pytest.raises(UserError, match="at least 16 bytes") as told:
        KeyReference("env:SHORT").read()
    assert "hunter2" not in str(told.value)


@pytest.mark.parametrize("written", ["not base64 at all!", base64.b64encode(bytes(20)).decode()])
def test_what_is_no_key_of_a_cipher_is_refused_without_its_words(
    written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", written)
    with pytest.raises(UserError, match="16, 24 or 32 bytes") as told:
        key_bytes(KeyReference("env:A_KEY"))
    assert written not in str(told.value)


def test_keys_do_not_show_where_they_are_printed_or_travel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", WRITTEN)
    for key in (KeyReference("env:A_KEY"), DerivedKey(KeyReference("env:A_KEY"), "hash")):
        key.read()
        assert WRITTEN.encode() not in pickle.dumps(key)
        assert KEY not in pickle.dumps(key)
    given = GivenKey(KEY)
    assert key_bytes(given) == KEY
    assert all(secret not in f"{given!r} {given}" for secret in (WRITTEN, repr(KEY)))
    assert "secret" not in str(KeyReference("s3://user:secret@host/key"))


def test_derived_keys_differ_by_purpose_and_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", WRITTEN)
    monkeypatch.setenv("B_KEY", WRITTEN[::-1])
    a, b = KeyReference("env:A_KEY"), KeyReference("env:B_KEY")
    keys = [DerivedKey(a, "hash"), DerivedKey(a, "dates"), DerivedKey(b, "hash")]
    assert len({key_bytes(key) for key in keys}) == 3
    assert len({fingerprint(key) for key in keys}) == 3
    assert key_bytes(keys[0]) == key_bytes(DerivedKey(a, "hash"))


def test_derivation_is_hkdf() -> None:
    import hashlib
    import hmac

    # RFC 5869 by hand: extract with a salt of zeros, then one block of expansion.
    extracted = hmac.new(bytes(32), b"secret", hashlib.sha256).digest()
    expanded = hmac.new(extracted, b"tacenda hash\x01", hashlib.sha256).digest()
    assert derive(b"secret", "hash", 32) == expanded
