import base64
import json
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from tacenda.transforms.releasing.history import (
    KeyFormatError,
    entries_of,
    public_key_of,
    read_public_key,
    with_entry,
    wrong_entries,
)


def _key(seed: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)


def _pem(seed: int) -> bytes:
    return _key(seed).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _manifest(state: str) -> bytes:
    told = {"command": "anonymize", "fingerprint": "f" * 64, "verdict": {"state": state}}
    return json.dumps(told).encode()


ONE, TWO, THREE = (_manifest(state) for state in ("held", "unreviewed", "released"))


def _history(*manifests: bytes, seed: int = 1) -> bytes:
    history = b""
    for manifest in manifests:
        history = with_entry(history, manifest, _pem(seed))
    return history


def test_entries_follow_one_another_and_are_right() -> None:
    history = _history(ONE, TWO, THREE)
    assert entries_of(history) == 3
    assert [json.loads(line)["state"] for line in history.splitlines()] == ["held", "unreviewed", "released"]
    assert list(wrong_entries(history, THREE, None)) == []
    assert list(wrong_entries(history, THREE, public_key_of(_pem(1)))) == []


def test_the_same_manifest_is_signed_once_and_with_the_same_bytes() -> None:
    history = _history(ONE, TWO)
    assert with_entry(history, TWO, _pem(1)) == history
    assert _history(ONE, TWO) == history


def test_another_manifest_than_the_signed_one_is_noticed() -> None:
    assert list(wrong_entries(_history(ONE), TWO, None)) == [
        "its last entry is for another manifest than the one in the folder"
    ]


def test_a_signature_by_an_untrusted_key_is_noticed() -> None:
    forged = _history(ONE, seed=2)
    assert list(wrong_entries(forged, ONE, None)) == []
    assert list(wrong_entries(forged, ONE, public_key_of(_pem(1)))) == [
        "entry 1 is signed with another key than the given one"
    ]


@pytest.mark.parametrize("name", ["command", "state", "manifest_sha256", "previous_sha256", "signature"])
def test_every_changed_field_of_an_entry_is_noticed(name: str) -> None:
    lines = _history(ONE, TWO, THREE).splitlines()
    entry = json.loads(lines[1])
    entry[name] = base64.b64encode(bytes(64)).decode() if name == "signature" else "0" * 64
    lines[1] = json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()
    assert list(wrong_entries(b"\n".join(lines), THREE, None))


@pytest.mark.parametrize("dropped", [0, 1])
def test_an_entry_that_is_taken_out_is_noticed(dropped: int) -> None:
    lines = _history(ONE, TWO, THREE).splitlines()
    del lines[dropped]
    assert list(wrong_entries(b"\n".join(lines), THREE, None))


@pytest.mark.parametrize("damaged", [b"{broken\n", b"[]\n", b"{}\n"])
def test_nothing_is_added_to_a_damaged_history(damaged: bytes) -> None:
    assert list(wrong_entries(damaged, ONE, None)) == ["entry 1 is damaged"]
    with pytest.raises(ValueError, match="not intact"):
        with_entry(damaged, ONE, _pem(1))


def test_an_empty_history_signs_nothing() -> None:
    assert list(wrong_entries(b"", ONE, None)) == ["it has no entry"]


def test_what_is_no_key_is_refused_without_being_quoted() -> None:
    public = _key(1).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    assert read_public_key(public) == public_key_of(_pem(1))
    for wrong in (b"secret words", public):
        with pytest.raises(KeyFormatError) as raised:
            public_key_of(wrong)
        assert str(raised.value) == ""
    with pytest.raises(KeyFormatError):
        read_public_key(_pem(1))


def test_openssl_agrees_with_a_signature(tmp_path: Path) -> None:
    entry = json.loads(_history(ONE))
    signature = base64.b64decode(entry.pop("signature"))
    public = _key(1).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    files = {
        "key": public,
        "signature": signature,
        "entry": json.dumps(entry, sort_keys=True, separators=(",", ":")).encode(),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    words = ["-verify", "-pubin", "-inkey", "key", "-rawin", "-in", "entry", "-sigfile", "signature"]
    try:
        done = subprocess.run(["openssl", "pkeyutl", *words], cwd=tmp_path, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    assert done.returncode == 0, done.stderr
