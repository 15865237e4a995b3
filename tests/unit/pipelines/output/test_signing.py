"""A signed history: every entry follows the one before it, and nobody without the key changes one unnoticed."""

import base64
import json
import subprocess

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from tacenda.pipelines.output.signing import SigningKey, sign, signing_key, trusted_key, wrong_history
from tacenda.transforms.schema.errors import UserError

KEY = Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32)
SIGNING = SigningKey(KEY)
PRIVATE = KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
PUBLIC = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


@pytest.fixture
def history(tmp_path):
    """The history of a folder that was signed three times."""
    for state in ("held", "unreviewed", "released"):
        told = {"command": "anonymize", "fingerprint": "f" * 64, "verdict": {"state": state}}
        (tmp_path / "manifest.json").write_text(json.dumps(told))
        sign(str(tmp_path), SIGNING)
    return tmp_path / "history.jsonl"


def _wrong(history, trusted=None):
    return wrong_history(str(history.parent), trusted)[0]


def test_entries_follow_one_another_and_are_right(history):
    before = history.read_bytes()
    assert [json.loads(line)["state"] for line in before.splitlines()] == ["held", "unreviewed", "released"]
    assert _wrong(history) == _wrong(history, SIGNING.public) == []
    sign(str(history.parent), SIGNING)
    assert history.read_bytes() == before


@pytest.mark.parametrize("name", ["command", "state", "manifest_sha256", "previous_sha256", "signature"])
def test_every_changed_field_of_an_entry_is_noticed_and_an_entry_that_is_taken_out(history, name):
    one, two, three = history.read_bytes().splitlines()
    entry = json.loads(two)
    entry[name] = base64.b64encode(bytes(64)).decode() if name == "signature" else "0" * 64
    changed = json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()
    for lines in ([one, changed, three], [one, three], [two, three]):
        history.write_bytes(b"\n".join(lines))
        assert _wrong(history)


@pytest.mark.parametrize("damaged", [b"{broken\n", b"[]\n", b"{}\n"])
def test_nothing_is_added_to_a_damaged_history(history, damaged):
    history.write_bytes(damaged)
    assert _wrong(history) == ["entry 1 is damaged"]
    with pytest.raises(UserError, match="is not intact"):
        sign(str(history.parent), SIGNING)
    assert history.read_bytes() == damaged
    history.write_bytes(b"")
    assert _wrong(history) == ["it has no entry"]


def test_what_is_no_key_is_refused_without_being_quoted(monkeypatch):
    monkeypatch.setenv("PUBLIC", PUBLIC.decode())
    monkeypatch.setenv("PRIVATE", PRIVATE.decode())
    monkeypatch.setenv("WORDS", "correct horse battery staple")
    assert trusted_key("env:PUBLIC") == signing_key("env:PRIVATE", "").public == SIGNING.public
    for place in ("env:WORDS", "env:PUBLIC"):
        with pytest.raises(
            UserError, match=r"^--signing-key: env:[A-Z]+: is no Ed25519 key in PEM; make one"
        ):
            signing_key(place, "")
    with pytest.raises(
        UserError, match=r"^--public-key: env:PRIVATE: is no Ed25519 public key in PEM; get it"
    ):
        trusted_key("env:PRIVATE")


def test_openssl_agrees_with_a_signature(history, tmp_path):
    entry = json.loads(history.read_bytes().splitlines()[0])
    signature = base64.b64decode(entry.pop("signature"))
    files = {
        "key": PUBLIC,
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
